import { sql } from "drizzle-orm";
import { rowsOf, textList } from "../db/rows.ts";
import type { Db, Tx } from "../db/open.ts";
import { transact } from "../db/transact.ts";
import type { Clock } from "../lib/clock.ts";

/**
 * Counts that triggers keep (`counts_of` and its siblings), so that no reader counts rows. `name` says what is
 * counted, `key` of which value:
 *
 * - `state`: products by state; `shop`, `category`, `category_in_stock`: those that are not deleted;
 * - `checked_hour`, and `checked_second` with an hour: those that are not deleted, by their last check;
 * - `shop_evidence`: sums of the planner's evidence over all shops, in millionths;
 * - `table`: rows of tables; `mirror` with the name of an index: its rows, those pending and those refused.
 */
export interface Count {
  name: string;
  key: string;
  n: number;
}

/** The counts of these names, 0 left out, in no order. For names with few keys. */
export async function readCounts(db: Db | Tx, names: readonly string[]): Promise<Count[]> {
  const rows = await db.execute<Count & Record<string, unknown>>(sql`
    with name as materialized ${textList(names)}
    select name, key, sum(n)::bigint as n from (
      select k.* from kept_count k where name = any (array(select * from name))
      union all
      select name, key, n from count_change where name = any (array(select * from name))) c
    group by 1, 2 having sum(n) <> 0`);
  return [...rows];
}

/** Lists of shops and categories end there: a page reads all that come before it. */
export const mostListed = 50_000;

/**
 * A page of the shops or categories with most products. Reads the first entries of an index, and the changes
 * that are not summed yet. Shops without products come last; categories without are left out.
 */
export async function readMost(
  db: Db,
  name: "shop" | "category",
  page: { limit: number; offset: number },
): Promise<{ key: string; n: number }[]> {
  const order = sql`n desc nulls last, left(key, 200) collate "C"`;
  const rows = await db.execute<{ key: string; n: number }>(sql`
    with changed as materialized (
      select key, sum(n)::bigint as n from count_change where name = ${name} group by 1
    ), kept as (
      (select key, n from kept_count where name = ${sql.raw(`'${name}'`)} order by ${order}
        limit ${page.offset + page.limit} + (select count(*) from changed))
      union
      select key, k.n from changed join kept_count k using (key)
      where k.name = ${name} and md5(k.key) = md5(changed.key)
    )
    select key, n from (
      select key, sum(n)::bigint as n from (select * from kept union all select * from changed) c group by 1) c
    where n > 0 or ${name} = 'shop'
    order by ${order} limit ${page.limit} offset ${page.offset}`);
  return [...rows];
}

/** The counts of one name for these keys; 0 is left out. */
export async function readCountsOf(
  db: Db | Tx,
  name: string,
  keys: readonly string[],
): Promise<Map<string, number>> {
  const rows = await db.execute<{ key: string; n: number }>(sql`
    with wanted as materialized (select key, md5(key) as hash from ${textList(keys)} w(key))
    select key, sum(n)::bigint as n from (
      select w.key, k.n from wanted w join kept_count k on k.name = ${name} and md5(k.key) = w.hash
      union all
      select key, n from count_change join wanted using (key) where name = ${name}) c
    group by 1 having sum(n) <> 0`);
  return new Map(rows.map((row) => [row.key, row.n]));
}

/** Names of shops or categories by the first digits of their MD5, which the index of the sums has; unknown: left out. */
export async function readCountedNames(
  db: Db,
  name: "shop" | "category",
  beginnings: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.execute<{ begin: string; key: string }>(sql`
    with wanted as materialized (select begin from ${textList(beginnings)} w(begin))
    select begin, k.key from wanted
    join kept_count k on k.name = ${name} and md5(k.key) >= begin and md5(k.key) < begin || 'g'
    union all
    select begin, key from wanted
    join count_change on name = ${name} and left(md5(key), length(begin)) = begin`);
  return new Map(rows.map((row) => [row.begin, row.key]));
}

/** Changes that are summed, or products that are counted, in one transaction. */
const sliceSize = 2000;
const idleMs = 1000;

/**
 * A step for `runLoop`: adds changes to the sums, and returns the pause in milliseconds. Any number of processes
 * may run it; one at a time works. A stop at any moment leaves all counts right.
 */
export async function keepCounts(db: Db, clock: Clock, limit = sliceSize): Promise<number> {
  const summed = await transact(db, clock, (tx) => sumSlice(tx, limit));
  const isCounting = await countSlice(db, limit);
  return summed === limit || isCounting ? 0 : idleMs;
}

async function sumSlice(tx: Tx, limit: number): Promise<number> {
  // Two transactions that add to the same sums could wait for each other.
  const head = await tx.execute(sql`select from count_head for update skip locked`);
  if (head.length === 0) return 0;
  const sums = await tx.execute<{ name: string; key: string; n: number; taken: number }>(sql`
    with taken as (
      delete from count_change where id = any (array(select id from count_change order by id limit ${limit}))
      returning name, key, n
    )
    insert into kept_count as k (name, key, n)
    select name, key, sum(n) from taken group by 1, 2 having sum(n) <> 0 or name = 'shop'
    on conflict (name, md5(key)) do update set n = k.n + excluded.n
    returning name, key, n, (select count(*) from taken) as taken`);
  const over = sums.filter(({ n, name }) => n === 0 && name !== "shop");
  if (over.length > 0) {
    await tx.execute(sql`
      delete from kept_count k using ${rowsOf("kept_count", over)} x
      where k.name = x.name and md5(k.key) = md5(x.key)`);
  }
  return sums[0]?.taken ?? 0;
}

/**
 * Counts the next products that were there before counts were kept; false: none is left. The lock keeps
 * writers away for the time of one slice, so that each of their changes is either in it or counted by
 * the triggers. Other writers queue behind this lock, so it gives up soon.
 */
async function countSlice(db: Db, limit: number): Promise<boolean> {
  const [head] = await db.execute(sql`select from count_head where counted_to is not null`);
  if (!head) return false;
  return db.transaction(async (tx) => {
    await tx.execute(sql`set local lock_timeout = '500ms'`);
    await tx.execute(sql`lock table product in share row exclusive mode`);
    const [row] = await tx.execute<{ counted: number }>(sql`
      with slice as materialized (
        select item_id, state, shop_id, stock, categories, checked_at from product
        where item_id > (select counted_to from count_head) order by item_id limit ${limit}
      ), counted as (
        insert into count_change (name, key, n)
        select c.name, c.key, count(*) from slice p,
          counts_of(p.state, p.shop_id, p.stock, p.categories, p.checked_at) c group by 1, 2
      )
      update count_head set counted_to = case when (select count(*) from slice) = ${limit}
        then (select max(item_id) from slice) end
      where counted_to is not null
      returning (select count(*) from slice) as counted`);
    return row?.counted === limit;
  });
}

/** Products that are not deleted. */
export async function countLiving(db: Db | Tx): Promise<number> {
  const states = await readCounts(db, ["state"]);
  return states.reduce((sum, { key, n }) => sum + (key === "gone" ? 0 : n), 0);
}

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
