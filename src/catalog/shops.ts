import { sql } from "drizzle-orm";
import { anyText } from "../db/lists.ts";
import type { Db } from "../db/open.ts";
import type { RowOf } from "../db/row-of.ts";
import { readCountsOf, readMost } from "./counts.ts";

export interface ShopRecord {
  shopId: string;
  shopName: string;
  shopUrl: string;
  /** Products not proven deleted. */
  products: number;
  firstSeenAt: Date;
  checkedAt: Date;
}

/** A page of all shops, those with most products first. */
export async function readBiggestShops(
  db: Db,
  page: { limit: number; offset: number },
): Promise<ShopRecord[]> {
  const most = await readMost(db, "shop", page);
  return readRecords(db, new Map(most.map(({ key, n }) => [key, n])));
}

/** Shops ever seen. */
export async function countShops(db: Db): Promise<number> {
  return (await readCountsOf(db, "table", ["shop"])).get("shop") ?? 0;
}

/** null: no such shop was ever seen. */
export async function readShop(db: Db, shopId: string): Promise<ShopRecord | null> {
  const sizes = await readCountsOf(db, "shop", [shopId]);
  const [shop] = await readRecords(db, new Map([[shopId, sizes.get(shopId) ?? 0]]));
  return shop ?? null;
}

/** In the order of the sizes, by shop. */
async function readRecords(db: Db, sizes: ReadonlyMap<string, number>): Promise<ShopRecord[]> {
  const rows = await db.execute<RowOf<Omit<ShopRecord, "products">>>(sql`
    select shop_id, shop_name, shop_url, first_seen_at, checked_at from shop
    where shop_id = ${anyText([...sizes.keys()])}`);
  const shops = new Map(rows.map((row) => [row.shop_id, toShop(row)]));
  return [...sizes].flatMap(([id, products]) => {
    const shop = shops.get(id);
    return shop ? { ...shop, products } : [];
  });
}

/** Names by id; unknown shops are left out. */
export async function readShopNames(
  db: Db,
  shopIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.execute<{ shop_id: string; shop_name: string }>(sql`
    select shop_id, shop_name from shop
    where shop_id = ${anyText(shopIds)}`);
  return new Map(rows.map((row) => [row.shop_id, row.shop_name]));
}

function toShop(row: RowOf<Omit<ShopRecord, "products">>): Omit<ShopRecord, "products"> {
  return {
    shopId: row.shop_id,
    shopName: row.shop_name,
    shopUrl: row.shop_url,
    firstSeenAt: new Date(row.first_seen_at),
    checkedAt: new Date(row.checked_at),
  };
}
