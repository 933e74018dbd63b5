import { sql, type SQL } from "drizzle-orm";
import { anyId, idList, rowsOf } from "../../../db/rows.ts";
import type { Tx } from "../../../db/open.ts";
import { stepOf, toCodeKey, tooMany, type Step } from "../../comparing/keys.ts";

export interface KeyChange {
  itemId: number;
  before: readonly number[];
  after: readonly number[];
}

/** Due again when one of its keys reaches another step: the keys of a `word` also make couples. */
const stages = { word: 1, other: 2 } as const;

/**
 * Stores the keys of products and counts them, and makes all products of a key due when it reaches
 * another step: fewer than 513, because beyond that there are no more steps. Returns the keys that products got or lost.
 */
export async function storeKeys(
  tx: Tx,
  changes: readonly KeyChange[],
  kind: keyof typeof stages,
): Promise<number[]> {
  const added = changes.flatMap((one) => keysOnlyIn(one.after, one.before, one.itemId));
  const removed = changes.flatMap((one) => keysOnlyIn(one.before, one.after, one.itemId));
  const deltas = new Map<number, number>();
  for (const { key } of added) deltas.set(key, (deltas.get(key) ?? 0) + 1);
  for (const { key } of removed) deltas.set(key, (deltas.get(key) ?? 0) - 1);
  if (removed.length > 0) {
    await tx.execute(sql`
      delete from match_key k using ${rowsOf("match_key", removed)} x
      where k.key = x.key and k.item_id = x.item_id`);
  }
  if (added.length > 0) {
    await tx.execute(sql`
      insert into match_key (key, item_id)
      select key, item_id from ${rowsOf("match_key", added)} order by 1, 2
      on conflict do nothing`);
  }
  const changed = [...deltas].filter(([, delta]) => delta !== 0);
  if (changed.length > 0) await count(tx, changed, stages[kind]);
  return [...deltas.keys()];
}

function keysOnlyIn(keys: readonly number[], others: readonly number[], itemId: number) {
  const known = new Set(others);
  return [...new Set(keys)]
    .filter((key) => !known.has(key))
    .map((key) => ({ key, item_id: itemId }));
}

async function count(tx: Tx, deltas: readonly [number, number][], stage: number): Promise<void> {
  const rows = deltas.map(([key, items]) => ({ key, items }));
  const counted = await tx.execute<{ key: number; before: number | null; after: number }>(sql`
    insert into match_frequency as f (key, items)
    select key, items from ${rowsOf("match_frequency", rows)} order by key
    on conflict (key) do update set items = f.items + excluded.items
    returning f.key, old.items as before, new.items as after`);
  const unused = counted.filter(({ after }) => after === 0).map(({ key }) => key);
  if (unused.length > 0) {
    await tx.execute(sql`delete from match_frequency where key in ${idList(unused)}`);
  }
  const crossed = counted.filter(({ before, after }) => stepOf(before ?? 0) !== stepOf(after));
  const keys = crossed.map(({ key }) => key);
  await markSharing(tx, keys, stage);
}

/** Makes the products with one of the keys due, if they are not due at that stage or an earlier one. */
export async function markSharing(tx: Tx, keys: readonly number[], stage: number): Promise<void> {
  if (keys.length === 0) return;
  await tx.execute(sql`
    insert into match_due as m (item_id, stage, is_follower)
    select distinct item_id, ${stage}::smallint, true from match_key where key = ${anyId(keys)} order by 1
    on conflict (item_id) do update set stage = excluded.stage where m.stage > excluded.stage`);
}

export async function readSteps(tx: Tx, keys: Iterable<number>): Promise<(key: number) => Step> {
  const rows = await tx.execute<{ key: number; items: number }>(sql`
    select key, items from match_frequency where key = ${anyId([...new Set(keys)])}`);
  const steps = new Map(rows.map(({ key, items }) => [key, stepOf(items)]));
  return (key) => steps.get(key) ?? 0;
}

/** Products of one shop that may have the same code: a shop sells a product in few offers. */
const mostOfAShop = 4;

/** Whether too many products have a code, or too many of one shop, so that it names none of them. `gtin`: text of 14 digits. */
export const isPlaceholder = (gtin: SQL): SQL => sql`case
  when exists (select from match_frequency where key = -${gtin}::bigint and items >= ${tooMany}) then true
  else exists (
    select from match_key k join match_item i using (item_id) where k.key = -${gtin}::bigint
    group by i.shop_id having count(*) > ${mostOfAShop}) end`;

/** Those of their codes that name one product and are no placeholders. */
export async function readTrueCodes(
  tx: Tx,
  products: readonly { codes: readonly number[] }[],
): Promise<Set<number>> {
  const wanted = [...new Set(products.flatMap(({ codes }) => codes))];
  if (wanted.length === 0) return new Set();
  const rows = await tx.execute<{ key: number }>(sql`
    select key from (
      select k.key, i.shop_id, count(*) as offers
      from match_frequency f join match_key k using (key) join match_item i using (item_id)
      where f.key = ${anyId(wanted.map(toCodeKey))} and f.items < ${tooMany}
      group by k.key, i.shop_id
    ) shops group by key having max(offers) <= ${mostOfAShop}`);
  return new Set(rows.map(({ key }) => -key));
}
