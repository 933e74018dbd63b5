import { searchItem, variation } from "./products.ts";

/** The product of the interface's example: as a shop sends it ... */
export const exampleItem = searchItem(100003, {
  title: "手作りの<b>革</b>財布",
  identifier: null,
  images: [
    { origin: "https://img.example.com/3.jpg", "76": "https://img.example.com/3-76.jpg" },
    null,
    null,
    null,
    null,
  ],
  variations: [variation({ variation: "色: 赤", variation_stock: 3, barcode: "4901234567894" })],
  categories: ["バッグ"],
});

/** ... and as the API answers it, 410 s after it was checked at 2026-01-01T00:53:10Z. */
export const exampleProduct = {
  item_id: 100003,
  title: "手作りの<b>革</b>財布",
  detail: "牛革、二つ折り",
  url: "https://shop-1.example.com/items/100003",
  price: 4200,
  currency: "JPY",
  proper_price: 5000,
  discount_percent: 16,
  unit_price: null,
  reduction: { percent: 16, basis: "proper_price", low_30d: null, holds: null },
  group: null,
  attributes: null,
  stock: 3,
  in_stock: true,
  identifier: null,
  gtins: ["4901234567894"],
  images: [
    {
      origin: "https://img.example.com/3.jpg",
      "76": "https://img.example.com/3-76.jpg",
      "146": null,
      "300": null,
      "500": null,
      "640": null,
      sp_480: null,
      sp_640: null,
    },
  ],
  variations: [
    {
      variation_id: 1,
      variation: "色: 赤",
      variation_stock: 3,
      variation_identifier: null,
      barcode: "4901234567894",
    },
  ],
  shop: { shop_id: "shop-1", shop_name: "革工房", shop_url: "https://shop-1.example.com/" },
  categories: ["バッグ"],
  modified: 1700000000,
  modified_at: "2023-11-14T22:13:20Z",
  first_seen_at: "2026-01-01T00:53:10Z",
  checked_at: "2026-01-01T00:53:10Z",
  age_s: 410,
  price_since: "2026-01-01T00:53:10Z",
};
