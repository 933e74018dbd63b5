import { sql } from "drizzle-orm";
import type { Db } from "../db/open.ts";

export interface ShopRecord {
  shopId: string;
  shopName: string;
  shopUrl: string;
  /** Products not proven deleted. */
  products: number;
  firstSeenAt: Date;
  checkedAt: Date;
}

type Row = {
  shop_id: string;
  shop_name: string;
  shop_url: string;
  products: number;
  first_seen_at: string;
  checked_at: string;
};

/** Shops with most products first. */
export async function readShops(
  db: Db,
  window: { limit: number; offset: number },
): Promise<{ found: number; shops: ShopRecord[] }> {
  const rows = await db.execute<Row>(sql`
    select s.*, coalesce(c.products, 0) as products
    from shop s
    left join (select shop_id, count(*) as products from product where state <> 'gone' group by 1) c
      using (shop_id)
    order by products desc, shop_id limit ${window.limit} offset ${window.offset}`);
  const [total] = await db.execute<{ found: number }>(sql`select count(*) as found from shop`);
  return { found: total?.found ?? 0, shops: rows.map(toShop) };
}

export async function readShop(db: Db, shopId: string): Promise<ShopRecord | null> {
  const [row] = await db.execute<Row>(sql`
    select s.*, (select count(*) from product p where p.shop_id = s.shop_id and state <> 'gone') as products
    from shop s where shop_id = ${shopId}`);
  return row ? toShop(row) : null;
}

/** Names by id; unknown shops are left out. */
export async function readShopNames(
  db: Db,
  shopIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.execute<{ shop_id: string; shop_name: string }>(sql`
    select shop_id, shop_name from shop
    where shop_id in (select json_array_elements_text(${JSON.stringify(shopIds)}::text::json))`);
  return new Map(rows.map((row) => [row.shop_id, row.shop_name]));
}

function toShop(row: Row): ShopRecord {
  return {
    shopId: row.shop_id,
    shopName: row.shop_name,
    shopUrl: row.shop_url,
    products: row.products,
    firstSeenAt: new Date(row.first_seen_at),
    checkedAt: new Date(row.checked_at),
  };
}
