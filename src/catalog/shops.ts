import { sql, type SQL } from "drizzle-orm";
import { anyText, type RowOf, rowsOf, toRecords } from "../db/rows.ts";
import type { Db, Tx } from "../db/open.ts";
import type { shop } from "../db/schema.ts";
import type { RefreshItem } from "../storefront/product.ts";
import { readCountsOf, readMost } from "./counts.ts";
import type { Sighting } from "./sighting.ts";
import type { Cache } from "../lib/cache.ts";

export interface ShopRecord extends Pick<
  typeof shop.$inferSelect,
  "shopId" | "shopName" | "shopUrl" | "firstSeenAt" | "checkedAt"
> {
  /** Products not proven deleted. */
  products: number;
}

/** A shop that returns to the name and address that it has just had keeps the new ones for so many hours. */
const noReturnHours = 6;
/** No two calls overlap for so long: what lies further ahead of an answer was stored while a clock was ahead. */
const ahead = sql`interval '1 h'`;

/**
 * Writes the shops of some items; of each shop the name and address of the last of its items that has one: an empty text
 * is none. A new one counts as a change of every product of the shop: where the upstream shows now the one and now the
 * other, every answer would be one.
 */
export async function storeShops(
  tx: Tx,
  sighting: Sighting,
  items: readonly RefreshItem[],
): Promise<void> {
  const shops = new Map<string, { shop_name: string; shop_url: string }>();
  const told = (text: string, before = "") => (text.trim() === "" ? before : text);
  for (const { shopId, shopName, shopUrl } of items) {
    const before = shops.get(shopId);
    shops.set(shopId, {
      shop_name: told(shopName, before?.shop_name),
      shop_url: told(shopUrl, before?.shop_url),
    });
  }
  const rows = [...shops].map(([id, shop]) => ({ shop_id: id, ...shop }));
  const at = sighting.sentAt.toISOString();
  const isNew = sql`(s.shop_name, s.shop_url) is distinct from (excluded.shop_name, excluded.shop_url)`;
  // What an empty name or address is filled with must not be of the time before another answer.
  await tx.execute(sql`
    select from shop where shop_id = ${anyText([...shops.keys()])}
    order by shop_id collate "C" for no key update`);
  await tx.execute(sql`
    insert into shop as s (shop_id, shop_name, shop_url, first_seen_at, checked_at, due_at)
    select shop_id, case when is_former then k.shop_name else told.shop_name end,
      case when is_former then k.shop_url else told.shop_url end, ${at}, ${at}, ${at}
    from ${rowsOf("shop", rows)} x
    left join shop k using (shop_id)
    cross join lateral (
      select coalesce(nullif(x.shop_name, ''), k.shop_name, '') as shop_name,
        coalesce(nullif(x.shop_url, ''), k.shop_url, '') as shop_url) told
    cross join lateral (
      select k.renamed_from = array[told.shop_name, told.shop_url]
        and k.renamed_at between ${at}::timestamptz - ${noReturnHours}::int * interval '1 h'
          and ${at}::timestamptz + ${ahead} as is_former) returned
    order by shop_id collate "C"
    on conflict (shop_id) do update set
      shop_name = excluded.shop_name, shop_url = excluded.shop_url, checked_at = excluded.checked_at,
      renamed_from = case when ${isNew} then array[s.shop_name, s.shop_url] else s.renamed_from end,
      renamed_at = case when ${isNew} then excluded.checked_at else s.renamed_at end
    where s.checked_at < excluded.checked_at or s.checked_at > excluded.checked_at + ${ahead}`);
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

/** Whether it was ever seen. */
export async function isShop(tx: Tx, shopId: string): Promise<boolean> {
  const rows = await tx.execute(sql`select from shop where shop_id = ${shopId}`);
  return rows.length > 0;
}

/** Shops by id, in this order; those that were never seen are left out. */
export async function readShops(db: Db, shopIds: readonly string[]): Promise<ShopRecord[]> {
  const sizes = await readCountsOf(db, "shop", shopIds);
  return readRecords(db, new Map(shopIds.map((id) => [id, sizes.get(id) ?? 0])));
}

/** In the order of the sizes, by shop. */
async function readRecords(db: Db, sizes: ReadonlyMap<string, number>): Promise<ShopRecord[]> {
  type Shop = Omit<ShopRecord, "products">;
  const rows = await db.execute<RowOf<Shop>>(sql`
    select shop_id, shop_name, shop_url, first_seen_at, checked_at from shop
    where shop_id = ${anyText([...sizes.keys()])}`);
  const records = toRecords<Shop>(rows, { firstSeenAt: true, checkedAt: true });
  const shops = new Map(records.map((shop) => [shop.shopId, shop]));
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

/** Names by id, at most 30 s old; unknown shops are left out. */
export type ShopNames = (shopIds: readonly string[]) => Promise<ReadonlyMap<string, string>>;

const trustMs = 30_000;

export function createShopNames(db: Db, cache: Cache): ShopNames {
  const known = cache.open<string>("shop name", trustMs);
  return async (shopIds) => {
    const names = new Map<string, string>();
    const unknown: string[] = [];
    for (const id of shopIds) {
      const name = known.get(id);
      if (name === undefined) unknown.push(id);
      else names.set(id, name);
    }
    if (unknown.length === 0) return names;
    for (const [id, name] of await readShopNames(db, unknown)) {
      known.set(id, name);
      names.set(id, name);
    }
    return names;
  };
}

/** The indexes have so many characters of a name; a longer prefix is cut to them. */
export const maxPrefix = 200;

/** No text that begins with the prefix comes after this, by code points. */
const afterAll = "\u{10FFFF}";

/**
 * The ids of shops whose name in one spelling (`fold_text`), or whose id, begins with one of these texts. Two indexes
 * answer it.
 */
export function shopsByPrefix(prefixes: readonly string[]): SQL {
  const begins = (column: SQL, prefix: string) => {
    const text = sql`left(fold_text(${column}), ${sql.raw(String(maxPrefix))}) collate "C"`;
    return sql`${text} >= ${prefix} and ${text} < ${prefix + afterAll}`;
  };
  const found = prefixes.flatMap((prefix) =>
    [sql`shop_name`, sql`shop_id`].map(
      (column) => sql`select shop_id from shop where ${begins(column, prefix)}`,
    ),
  );
  return sql.join(found, sql` union `);
}

/** These ids, or null if there are more than `most`. */
export async function findShops(
  db: Db,
  prefixes: readonly string[],
  most: number,
): Promise<string[] | null> {
  const rows = await db.execute<{ shop_id: string }>(
    sql`select shop_id from (${shopsByPrefix(prefixes)}) found limit ${most + 1}`,
  );
  return rows.length > most ? null : rows.map((row) => row.shop_id);
}
