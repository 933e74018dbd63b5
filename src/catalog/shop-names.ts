import { sql, type SQL } from "drizzle-orm";
import type { Db } from "../db/open.ts";
import type { Cache } from "../lib/cache.ts";
import { readShopNames } from "./shops.ts";

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
 * The ids of shops whose name in one spelling (`fold_text`), or whose id, begins with the text. Two indexes
 * answer it.
 */
export function shopsByPrefix(prefix: string): SQL {
  const begins = (column: SQL) => {
    const text = sql`left(fold_text(${column}), ${sql.raw(String(maxPrefix))}) collate "C"`;
    return sql`${text} >= ${prefix} and ${text} < ${prefix + afterAll}`;
  };
  return sql`select shop_id from shop where ${begins(sql`shop_name`)}
    union select shop_id from shop where ${begins(sql`shop_id`)}`;
}

/** These ids, or null if there are more than `most`. */
export async function findShops(db: Db, prefix: string, most: number): Promise<string[] | null> {
  const rows = await db.execute<{ shop_id: string }>(
    sql`select shop_id from (${shopsByPrefix(prefix)}) found limit ${most + 1}`,
  );
  return rows.length > most ? null : rows.map((row) => row.shop_id);
}
