import { sql } from "drizzle-orm";
import { idList } from "../../db/lists.ts";
import type { Db, Tx } from "../../db/open.ts";
import { inParts } from "../../lib/parts.ts";
import { fitFactors, traitsOf, type Factors, type TraitEvidence } from "../scoring/traits.ts";

/** Rows that are fitted: the combinations of traits of which least is known are left out. */
const MOST_ROWS = 3000;
/** Counts are halved once so many changes were expected: what is new goes on counting. */
const REMEMBERED = 1000;

export async function readFactors(db: Db): Promise<Factors> {
  const rows = await db.execute<{ trait: string; factor: number }>(sql`
    select trait, factor from rate_trait`);
  return new Map(rows.map(({ trait, factor }) => [trait, factor]));
}

/** Adds what the checks of one call have told. */
export async function addTraitEvidence(tx: Tx, evidence: readonly TraitEvidence[]): Promise<void> {
  if (evidence.length === 0) return;
  await tx.execute(sql`
    insert into rate_evidence as e (traits, changes, expected)
    select traits, sum(changes), sum(expected)
    from json_to_recordset(${JSON.stringify(evidence)}::text::json) as x(traits text[], changes float8, expected float8)
    group by 1 order by traits collate "C"
    on conflict (traits) do update set
      changes = (e.changes + excluded.changes) * case when e.expected > ${REMEMBERED} then 0.5 else 1 end,
      expected = (e.expected + excluded.expected) * case when e.expected > ${REMEMBERED} then 0.5 else 1 end`);
}

/**
 * Fits the factors anew and stores them. `unseen`: days that lists have shown to be without a change, and no product's
 * row holds yet.
 */
export async function fitTraits(db: Db, unseen: readonly TraitEvidence[]): Promise<void> {
  const seen = await db.execute<{ traits: string[]; changes: number; expected: number }>(sql`
    select to_json(traits) as traits, changes, expected from rate_evidence order by expected desc limit ${MOST_ROWS}`);
  const factors = fitFactors([...seen, ...unseen]);
  const rows = [...factors].map(([trait, factor]) => ({ trait, factor }));
  await db.execute(sql`
    with fitted as (
      select * from json_to_recordset(${JSON.stringify(rows)}::text::json) as x(trait text, factor float8)
    ), forgotten as (
      delete from rate_trait where trait not in (select trait from fitted)
    )
    insert into rate_trait (trait, factor) select trait, factor from fitted order by trait collate "C"
    on conflict (trait) do update set factor = excluded.factor`);
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
