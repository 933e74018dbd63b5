import { sql } from "drizzle-orm";
import type { Db } from "../db/open.ts";
import { readCountsOf, readMost } from "./counts.ts";

export interface CategoryRecord {
  category: string;
  /** Products not proven deleted; one product may be in several categories. */
  products: number;
  inStock: number;
}

/** A page of the categories that products are in, those with most products first. */
export async function readCategories(
  db: Db,
  page: { limit: number; offset: number },
): Promise<CategoryRecord[]> {
  const most = await readMost(db, "category", page);
  const inStock = await readCountsOf(
    db,
    "category_in_stock",
    most.map(({ key }) => key),
  );
  return most.map(({ key, n }) => ({
    category: key,
    products: n,
    inStock: Math.min(n, inStock.get(key) ?? 0),
  }));
}

/** Categories that products are in; some seconds late. */
export async function countCategories(db: Db): Promise<number> {
  const [row] = await db.execute<{ n: number }>(sql`
    select count(*) as n from kept_count where name = 'category' and n > 0`);
  return row?.n ?? 0;
}
