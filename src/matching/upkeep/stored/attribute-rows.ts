import { sql, type SQL } from "drizzle-orm";
import { anyId, assignments, differs, idList, recordset, rowsOf } from "../../../db/rows.ts";
import type { Prepared } from "../../titles/prepare.ts";
import type { Tx } from "../../../db/open.ts";

const told = ["quantity", "unit", "pack", "models", "colours", "size", "condition", "edition"];

/**
 * Stores what titles tell; of those of `itemIds` that have no row, nothing stays. Readers of changes and
 * the search index are told of the products whose attributes are others than before.
 */
export async function storeAttributes(
  tx: Tx,
  itemIds: readonly number[],
  rows: readonly { itemId: number; attributes: Prepared["attributes"] }[],
): Promise<void> {
  const known = new Set(rows.map(({ itemId }) => itemId));
  const gone = itemIds.filter((itemId) => !known.has(itemId));
  if (gone.length > 0) {
    await tx.execute(sql`delete from product_attribute where item_id in ${idList(gone)}`);
  }
  const input = rows.map(({ itemId, attributes }) => ({ item_id: itemId, ...attributes }));
  const changed = await tx.execute<{ item_id: number }>(sql`
    insert into product_attribute as p (item_id, ${sql.raw(told.join(", "))})
    select item_id, ${sql.raw(told.join(", "))} from ${rowsOf("product_attribute", input)}
    on conflict (item_id) do update set ${assignments(told)} where ${differs(told)}
    returning item_id`);
  const changedIds = changed.map(({ item_id }) => item_id);
  await tellChanged(tx, changedIds);
}

/** Prices are this many steps of a third apart: 1.8 times at least. */
const farSteps = 3;
/** A content this much larger is another one. */
const larger = 1.05;

/** What titles and prices tell of packages. `itemIds`: as in `item_id = ${itemIds}`. */
const packagesOf = (itemIds: SQL): SQL => sql`(
  select item_id, match_price_step(price) as step, t.unit, t.quantity, coalesce(t.pack, 1) as pack
  from product join product_attribute t using (item_id) where item_id = ${itemIds} and price > 0)`;

/** How many times the content of `l` that of `r` is, as far as their titles tell. */
const contentRatio = sql`case when l.unit = r.unit and r.quantity > 0
  then l.quantity * l.pack / (r.quantity * r.pack) else l.pack::float8 / r.pack end`;

/** Whether `l` holds more than `r` and is much dearer, or the reverse. */
const isOtherPackage = sql`(
  l.step - r.step >= ${farSteps}::int and ${contentRatio} > ${larger}::float8
  or r.step - l.step >= ${farSteps}::int and ${contentRatio} < 1 / ${larger}::float8)`;

/**
 * Whether two products are packages of different size by their titles and their prices: shops give the barcode of a
 * bottle to the case of 24 too.
 */
export const areOtherPackages = (a: SQL, b: SQL): SQL => sql`exists (
  select from ${packagesOf(a)} l, ${packagesOf(b)} r where ${isOtherPackage})`;

/** Those of the couples that are packages of different size. */
export async function readOtherPackages(
  tx: Tx,
  couples: readonly { a: number; b: number }[],
): Promise<{ a: number; b: number }[]> {
  if (couples.length === 0) return [];
  const itemIds = [...new Set(couples.flatMap(({ a, b }) => [a, b]))];
  return tx.execute<{ a: number; b: number }>(sql`
    with package as materialized (select * from ${packagesOf(anyId(itemIds))} p)
    select x.a, x.b from ${recordset(couples, "x(a bigint, b bigint)")}
    join package l on l.item_id = x.a join package r on r.item_id = x.b where ${isOtherPackage}`);
}

/** Gives each of these products that is not deleted a change of its own, and sends its document anew. */
export async function tellChanged(tx: Tx, itemIds: readonly number[]): Promise<void> {
  if (itemIds.length === 0) return;
  await tx.execute(sql`
    with living as (
      insert into pending_change (item_id, ver, kind, price, stock, prev_price, prev_stock)
      select item_id, ver, 'changed', price, stock, price, stock from product
      where item_id = ${anyId(itemIds)} and state <> 'gone' order by item_id
      returning item_id
    )
    select mirror_mark_dirty(array(select item_id from living))`);
}
