import { sql } from "drizzle-orm";
import { idList } from "../../db/lists.ts";
import type { Db, Tx } from "../../db/open.ts";
import { inParts } from "../../lib/parts.ts";
import { traitsOf, type TraitCounts, type TraitEvidence } from "../scoring/traits.ts";

/** Traits that are read; the categories of which least is known are left out. */
const MOST_TRAITS = 500;
/** Counts are halved once so many changes were expected: what is new goes on counting. */
const REMEMBERED = 1000;

/** `unseen`: changes expected in days that scans have shown to be without, and no row holds yet. */
export async function readTraitCounts(
  db: Db,
  unseen: Readonly<Record<string, number>>,
): Promise<TraitCounts> {
  const rows = await db.execute<{ trait: string; changes: number; expected: number }>(sql`
    select trait, changes, expected from rate_trait order by expected desc limit ${MOST_TRAITS}`);
  return new Map(
    rows.map(({ trait, changes, expected }) => [
      trait,
      { changes, expected: expected + (unseen[trait] ?? 0) },
    ]),
  );
}

/** Adds what the checks of one call have told. */
export async function addTraitCounts(tx: Tx, counts: readonly TraitEvidence[]): Promise<void> {
  if (counts.length === 0) return;
  await tx.execute(sql`
    insert into rate_trait as t (trait, changes, expected)
    select trait, sum(changes), sum(expected)
    from json_to_recordset(${JSON.stringify(counts)}::text::json) as x(trait text, changes float8, expected float8)
    group by 1 order by trait collate "C"
    on conflict (trait) do update set
      changes = (t.changes + excluded.changes) * case when t.expected > ${REMEMBERED} then 0.5 else 1 end,
      expected = (t.expected + excluded.expected) * case when t.expected > ${REMEMBERED} then 0.5 else 1 end`);
}

/** Products of one statement. */
const PART = 200;

/** The traits of products by their ids. */
export async function readTraits(
  db: Db,
  itemIds: readonly number[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  const readPart = (ids: readonly number[]) =>
    db.execute<{ item_id: number; price: number; stock: number; categories: string[] }>(sql`
    select item_id, price, stock, categories from product where item_id in ${idList(ids)}`);
  const rows = await inParts(itemIds, PART, readPart);
  return new Map(rows.map((row) => [row.item_id, traitsOf(row)]));
}
