import { sql } from "drizzle-orm";
import { textList } from "../db/lists.ts";
import type { Db } from "../db/open.ts";
import type { RowOf } from "../db/row-of.ts";

export interface ShopRecord {
  shopId: string;
  shopName: string;
  shopUrl: string;
  /** Products not proven deleted. */
  products: number;
  firstSeenAt: Date;
  checkedAt: Date;
}

/** Every shop's number of products. Reading it counts the whole catalogue, so callers cache it. */
export interface ShopSizes {
  found: number;
  /** Products that are not deleted, by shop: the biggest shops only, biggest first. */
  biggest: ReadonlyMap<string, number>;
}

export async function readShopSizes(db: Db, most: number): Promise<ShopSizes> {
  const rows = await db.execute<{ shop_id: string; products: number; found: number }>(sql`
    select shop_id, coalesce(c.products, 0) as products, count(*) over () as found
    from shop s
    left join (select shop_id, count(*) as products from product where state <> 'gone' group by 1) c
      using (shop_id)
    order by products desc, shop_id limit ${most}`);
  const biggest = new Map(rows.map((row) => [row.shop_id, row.products]));
  return { found: rows[0]?.found ?? 0, biggest };
}

/**
 * Shops in the order of the ids; unknown ones are left out. Counts the products of shops whose size is
 * not known.
 */
export async function readShops(
  db: Db,
  shopIds: readonly string[],
  sizes: ReadonlyMap<string, number>,
): Promise<ShopRecord[]> {
  const sized = shopIds.map((shop_id) => ({ shop_id, products: sizes.get(shop_id) ?? null }));
  const rows = await db.execute<RowOf<ShopRecord>>(sql`
    select s.*, coalesce(x.products, (
      select count(*) from product p where p.shop_id = s.shop_id and state <> 'gone')) as products
    from json_to_recordset(${JSON.stringify(sized)}::text::json) as x(shop_id text, products bigint)
    join shop s using (shop_id)`);
  const shops = new Map(rows.map((row) => [row.shop_id, toShop(row)]));
  return shopIds.flatMap((id) => shops.get(id) ?? []);
}

/** Names by id; unknown shops are left out. */
export async function readShopNames(
  db: Db,
  shopIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.execute<{ shop_id: string; shop_name: string }>(sql`
    select shop_id, shop_name from shop
    where shop_id in ${textList(shopIds)}`);
  return new Map(rows.map((row) => [row.shop_id, row.shop_name]));
}

function toShop(row: RowOf<ShopRecord>): ShopRecord {
  return {
    shopId: row.shop_id,
    shopName: row.shop_name,
    shopUrl: row.shop_url,
    products: row.products,
    firstSeenAt: new Date(row.first_seen_at),
    checkedAt: new Date(row.checked_at),
  };
}
