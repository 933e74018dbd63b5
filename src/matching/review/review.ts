import { sql } from "drizzle-orm";
import { idList } from "../../db/rows.ts";
import type { Db, Tx } from "../../db/open.ts";
import type { MatchKind } from "../../db/schema.ts";
import { pageOf, type ListPage } from "../../lib/page-of.ts";
import { toReasons, type Reasons } from "./reasons.ts";
import { withSides, type MatchSide } from "./sides.ts";
import type { Tier } from "../comparing/limits.ts";

/** Two products that people should look at. */
export interface ReviewPair {
  a: MatchSide;
  b: MatchSide;
  /** Probability that both are the same product, 0 to 1. */
  score: number;
  tier: Tier;
  kind: MatchKind;
  /** Opens of the last days times the part of the price that a decision would change. */
  priority: number;
  reasons: Reasons;
}

export interface ReviewPosition {
  priority: number;
  a: number;
  b: number;
}

/** Pairs are counted up to this number. */
export const mostReviewsCounted = 10_000;

type Row = { a: number; b: number; priority: number } & Pick<
  ReviewPair,
  "score" | "tier" | "kind"
> & { vetoes: string[] };

/**
 * Reads a page of the queue by index, the highest priority first; `next` is null on the last one. Pairs with a
 * deleted product are left out.
 */
export async function readReview(
  db: Db,
  { limit, after }: { limit: number; after?: ReviewPosition | undefined },
): Promise<ListPage<ReviewPair, string>> {
  const from = after
    ? sql`and (r.priority, r.a, r.b) < (${after.priority}::float8, ${after.a}::bigint, ${after.b}::bigint)`
    : sql``;
  const rows = await db.execute<Row>(sql`
    select r.a, r.b, r.priority, m.score, m.tier, m.kind, to_json(m.vetoes) as vetoes
    from match_review r join match_pair m using (a, b)
    join product pa on pa.item_id = r.a and pa.state <> 'gone'
    join product pb on pb.item_id = r.b and pb.state <> 'gone'
    where m.is_doubtful and not is_decided(r.a, r.b) ${from}
    order by r.priority desc, r.a desc, r.b desc limit ${limit + 1}`);
  const page = pageOf(rows, limit, ({ priority, a, b }) => `${priority}_${a}_${b}`);
  const pairs = await withSides(db, page.items);
  return {
    items: pairs.map(({ vetoes, ...pair }) => ({
      ...pair,
      reasons: toReasons(pair.a, pair.b, vetoes),
    })),
    next: page.next,
  };
}

/** Parses `next` of an earlier page; null if it is none. */
export function toReviewPosition(text: string): ReviewPosition | null {
  const [, priority, a, b] =
    /^(\d{1,20}(?:\.\d{1,25})?(?:e[+-]\d{1,3})?)_(\d{1,16})_(\d{1,16})$/.exec(text) ?? [];
  const position = { priority: Number(priority), a: Number(a), b: Number(b) };
  const isSound =
    Number.isFinite(position.priority) && [position.a, position.b].every(Number.isSafeInteger);
  return isSound ? position : null;
}

/** Up to `mostReviewsCounted`. */
export async function countReview(db: Db): Promise<number> {
  const [row] = await db.execute<{ n: number }>(
    sql`select count(*) as n from (select from match_review limit ${mostReviewsCounted}) r`,
  );
  return row?.n ?? 0;
}

const sliceSize = 1000;

/** Orders the queue by the demand and the prices of `now`, and drops pairs that wait for nobody. */
export async function orderReview(db: Db, now: Date, signal: AbortSignal): Promise<void> {
  let after: { a: number; b: number } | null = { a: 0, b: 0 };
  while (after !== null && !signal.aborted) {
    const [row]: { a: number | null; b: number | null; seen: number }[] = await db.execute(sql`
      with slice as materialized (
        select r.a, r.b, coalesce(m.is_doubtful and not is_decided(r.a, r.b), false) as waits
        from match_review r left join match_pair m using (a, b)
        where (r.a, r.b) > (${after.a}::bigint, ${after.b}::bigint) order by r.a, r.b limit ${sliceSize}
      ), locked as materialized (
        select r.a, r.b, s.waits from match_review r join slice s using (a, b)
        order by r.a, r.b for update of r skip locked
      ), dropped as (
        delete from match_review r using locked l where r.a = l.a and r.b = l.b and not l.waits
      ), ordered as (
        update match_review r set priority = match_priority(r.a, r.b, ${now.toISOString()})
        from locked l where r.a = l.a and r.b = l.b and l.waits
      )
      select a, b, (select count(*) from slice) as seen from slice order by a desc, b desc limit 1`);
    after =
      row?.seen === sliceSize && row.a !== null && row.b !== null ? { a: row.a, b: row.b } : null;
  }
}

/** Puts the pair back into the queue if it is doubtful. */
export async function reviewAgain(
  tx: Tx,
  { a, b }: { a: number; b: number },
  now: Date,
): Promise<void> {
  await tx.execute(sql`
    insert into match_review (a, b, priority)
    select a, b, match_priority(a, b, ${now.toISOString()}) from match_pair
    where a = ${a} and b = ${b} and is_doubtful on conflict do nothing`);
}

/** Both products are matched anew, soon. */
export async function matchAgain(tx: Tx, itemIds: readonly number[]): Promise<void> {
  await tx.execute(sql`select match_mark_due(array${idList(itemIds)})`);
}
