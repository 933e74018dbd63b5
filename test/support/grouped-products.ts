import type { Db } from "../../src/db/open.ts";
import type { SearchItem } from "../../src/storefront/product.ts";
import { removeItem, storeItems } from "./catalog.ts";
import { storeGroup } from "./matches.ts";
import { searchItem, variation } from "./products.ts";

/** The barcode of products 20, 21 and 23. */
export const jan = "4901234567894";

export const sold = (itemId: number, over: Partial<SearchItem>) =>
  searchItem(itemId, { shopId: `shop-${itemId}`, properPrice: null, variations: [], ...over });

const coded = (itemId: number, price: number) =>
  sold(itemId, { price, variations: [variation({ variation_stock: 2, barcode: jan })] });

/** Stores products of several shops, and a group of six of them, of which one is deleted. Returns the group's id. */
export async function storeGroupedProducts(db: Db): Promise<number> {
  const first = [
    searchItem(1, { variations: [] }),
    sold(10, { price: 900, shopId: "shop-1", title: "<b>革財布</b> & Co" }),
    sold(11, { price: 650, shopId: "shop-1" }),
    sold(12, { price: 800 }),
    sold(13, { price: 500, stock: 0 }),
    sold(14, { price: 0 }),
    sold(15, { price: 300, shopId: "shop-1" }),
    coded(20, 700),
    coded(21, 600),
    sold(22, { price: 750 }),
    coded(23, 100),
    sold(30, { price: 990, stock: 0 }),
    sold(31, { price: 980, stock: 0 }),
    sold(40, { price: 400 }),
    sold(41, { price: 0 }),
    sold(42, { price: 0, stock: 0 }),
  ];
  await storeItems(db, "2026-01-01T00:00:00.000Z", first);
  await storeItems(
    db,
    "2026-01-02T00:00:00.000Z",
    first.map((item) => (item.itemId === 11 ? { ...item, price: 850 } : item)),
  );
  const groupId = await storeGroup(db, [
    [10, "model", 0.97],
    [11, "text", 0.85],
    [12, "manual", 1],
    [13],
    [14],
    [15],
  ]);
  await removeItem(db, "2026-01-02T12:00:00.000Z", 15);
  return groupId;
}

interface Offer {
  item_id: number;
  price: number;
  variation: unknown;
  match: { kind: string; score: number } | null;
}

interface GroupBody {
  group_id: number;
  offers: number;
  lowest_price: number | null;
  lowest_used_price: number | null;
}

/** What the answers about groups may have. */
export interface Body {
  group: GroupBody | null;
  match: { by: string; gtins: string[] } | null;
  coverage: { matched: number; left_out: object; complete: boolean };
  lows: Record<string, { price: number; at: string } | null>;
  offers: Offer[];
  similar: Offer[];
  title: string;
  image: { origin: string } | null;
  lowest_price: number | null;
  lowest_used_price: number | null;
  items: Body[];
  code: string;
}

export const ids = (offers: readonly Offer[]) => offers.map((offer) => offer.item_id);
