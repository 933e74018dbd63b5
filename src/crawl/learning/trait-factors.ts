import { sql } from "drizzle-orm";
import { idList, recordset } from "../../db/rows.ts";
import type { Db, Tx } from "../../db/open.ts";
import { unlessHeld } from "../../db/transact.ts";
import { inParts } from "../../lib/async.ts";
import { fitFactors, traitsOf, type Factors, type TraitEvidence } from "../scoring/traits.ts";

/** What factors multiply: the change rate of a product, or its chance a day to be deleted. */
export type Kind = "changes" | "losses";

const tables = {
  changes: { evidence: sql`rate_evidence`, seen: sql`changes`, factors: sql`rate_trait` },
  losses: { evidence: sql`loss_evidence`, seen: sql`losses`, factors: sql`loss_trait` },
};

/** Rows that are fitted: the combinations of traits of which least is known are left out. */
const mostRows = 3000;
/** Counts are halved once so many were expected: what is new goes on counting. */
const remembered = 1000;

export async function readFactors(db: Db, kind: Kind): Promise<Factors> {
  const rows = await db.execute<{ trait: string; factor: number }>(sql`
    select trait, factor from ${tables[kind].factors}`);
  return new Map(rows.map(({ trait, factor }) => [trait, factor]));
}

/** Adds what the checks of one call have told, which is stored without it where somebody holds a row of it for long. */
export async function addTraitEvidence(
  tx: Tx,
  kind: Kind,
  rows: readonly TraitEvidence[],
): Promise<void> {
  if (rows.length === 0) return;
  const { evidence, seen } = tables[kind];
  const add = sql`
    insert into ${evidence} as e (traits, ${seen}, expected)
    select traits, sum(seen), sum(expected)
    from ${recordset(rows, "x(traits text[], seen float8, expected float8)")}
    group by 1 order by traits collate "C"
    on conflict (traits) do update set
      ${seen} = (e.${seen} + excluded.${seen}) * case when e.expected > ${remembered} then 0.5 else 1 end,
      expected = (e.expected + excluded.expected) * case when e.expected > ${remembered} then 0.5 else 1 end`;
  await unlessHeld(tx, (part) => part.execute(add));
}

/** Fits the factors anew and stores them. `more`: evidence that is not stored. */
export async function fitTraits(
  db: Db,
  kind: Kind,
  more: readonly TraitEvidence[] = [],
): Promise<void> {
  const { evidence, seen, factors } = tables[kind];
  const stored = await db.execute<{ traits: string[]; seen: number; expected: number }>(sql`
    select to_json(traits) as traits, ${seen} as seen, expected from ${evidence}
    order by expected desc limit ${mostRows}`);
  const fitted = fitFactors(
    [...stored, ...more].filter((one) => isFinite(one.seen) && isFinite(one.expected)),
  );
  const rows = [...fitted].flatMap(([trait, factor]) =>
    isFinite(factor) ? [{ trait, factor }] : [],
  );
  await db.execute(sql`
    with fitted as (
      select * from ${recordset(rows, "x(trait text, factor float8)")}
    ), forgotten as (
      delete from ${factors} where trait not in (select trait from fitted)
    )
    insert into ${factors} (trait, factor) select trait, factor from fitted order by trait collate "C"
    on conflict (trait) do update set factor = excluded.factor`);
}

/** Products of one statement. */
const partSize = 200;

/** The traits of products by their ids. */
export async function readTraits(
  db: Db,
  itemIds: readonly number[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  const readPart = (ids: readonly number[]) =>
    db.execute<{ item_id: number; price: number; stock: number; categories: string[] }>(sql`
    select item_id, price, stock, categories from product where item_id in ${idList(ids)}`);
  const rows = await inParts(itemIds, partSize, readPart);
  return new Map(rows.map((row) => [row.item_id, traitsOf(row)]));
}
