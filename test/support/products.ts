import type { SearchItem } from "../../src/storefront/product.ts";

/** A product as a search shows it; every field can be set. */
export function searchItem(itemId: number, over: Partial<SearchItem> = {}): SearchItem {
  return {
    itemId,
    title: `手作りの革財布 ${itemId}`,
    detail: "牛革、二つ折り",
    price: 4200,
    properPrice: 5000,
    stock: 3,
    visible: 1,
    listOrder: itemId,
    identifier: `W-${itemId}`,
    images: [{ origin: `https://img.example.com/${itemId}.jpg` }, null, null, null, null],
    modified: 1_700_000_000,
    variations: [
      variation({
        variation_id: itemId * 10,
        variation: "色: 赤",
        variation_stock: 3,
        barcode: "4901234567894",
      }),
    ],
    shopId: "shop-1",
    shopName: "革工房",
    shopUrl: "https://shop-1.example.com/",
    categories: ["バッグ", "財布"],
    ...over,
  };
}

type Variation = SearchItem["variations"][number];

/** A variation without a name and codes, of which one is in stock. */
export function variation(over: Partial<Variation>): Variation {
  const nothing = { variation: "", variation_identifier: null, barcode: null };
  return { variation_id: 1, variation_stock: 1, ...nothing, ...over };
}

/** A product that words can be found in by its title only. */
export function titledItem(
  itemId: number,
  title: string,
  over: Partial<SearchItem> = {},
): SearchItem {
  const nothing = { detail: "", identifier: null, categories: [], shopName: "-", variations: [] };
  return searchItem(itemId, { ...nothing, title, ...over });
}
