import { and, desc, eq, lt, sql } from "drizzle-orm";
import { idList } from "../../db/rows.ts";
import type { Db, Tx } from "../../db/open.ts";
import { matchDecision, matchReview } from "../../db/schema.ts";
import { pageOf, type ListPage } from "../../lib/page-of.ts";
import { matchAgain, reviewAgain } from "./review.ts";
import { withSides, type MatchSide } from "./sides.ts";

export const decisions = ["same", "different", "unsure"] as const;
export type Decision = (typeof decisions)[number];

export type StoredDecision = typeof matchDecision.$inferSelect;

export interface ListedDecision {
  id: number;
  decision: StoredDecision["decision"];
  decidedAt: Date;
  /** No later decision about the pair replaces it. */
  stands: boolean;
  a: MatchSide;
  b: MatchSide;
}

export interface NewDecision {
  a: number;
  b: number;
  decision: Decision;
  /** The id of the decision that may be replaced; null: none; undefined: whichever stands. */
  replaces?: number | null | undefined;
}

/**
 * Stores what people say of two products, in any order; the newest decision about a pair counts. Null if
 * one of the products was never seen. If another one stands than may be replaced, returns that.
 */
export async function decide(
  tx: Tx,
  { decision, replaces, ...pair }: NewDecision,
  now: Date,
): Promise<StoredDecision | { standing: StoredDecision } | null> {
  const [a, b] = pair.a < pair.b ? [pair.a, pair.b] : [pair.b, pair.a];
  const known = await tx.execute(sql`select from product where item_id in ${idList([a, b])}`);
  if (known.length < 2) return null;
  const newest = await lockNewest(tx, { a, b });
  const standing = newest?.decision === "undone" ? undefined : newest;
  const mayReplace = replaces === undefined || (standing?.id ?? null) === replaces;
  if (standing && standing.decision !== decision && !mayReplace) return { standing };
  const stored = await append(tx, { a, b, decision }, now);
  await tx.delete(matchReview).where(and(eq(matchReview.a, a), eq(matchReview.b, b)));
  return stored;
}

/**
 * Takes a decision back, as if nobody had decided about the pair. "unknown": there is none; "superseded":
 * a later one, or its undoing, has replaced it.
 */
export async function undoDecision(
  tx: Tx,
  id: number,
  now: Date,
): Promise<StoredDecision | "unknown" | "superseded"> {
  const [found] = await tx.select().from(matchDecision).where(eq(matchDecision.id, id));
  if (!found || found.decision === "undone") return "unknown";
  const { a, b } = found;
  if ((await lockNewest(tx, found))?.id !== id) return "superseded";
  const undone = await append(tx, { a, b, decision: "undone" }, now);
  await reviewAgain(tx, undone, now);
  return undone;
}

/** The newest decision about a pair, of which nobody else decides meanwhile: both products are matched anew, soon. */
async function lockNewest(
  tx: Tx,
  { a, b }: { a: number; b: number },
): Promise<StoredDecision | undefined> {
  await matchAgain(tx, [a, b]);
  const [newest] = await tx
    .select()
    .from(matchDecision)
    .where(and(eq(matchDecision.a, a), eq(matchDecision.b, b)))
    .orderBy(desc(matchDecision.id))
    .limit(1);
  return newest;
}

async function append(
  tx: Tx,
  decision: Pick<StoredDecision, "a" | "b" | "decision">,
  now: Date,
): Promise<StoredDecision> {
  const [stored] = await tx
    .insert(matchDecision)
    .values({ ...decision, decidedAt: now })
    .returning();
  if (!stored) throw new Error("a decision was not stored");
  return stored;
}

/** Newest first, those before the id `before`. */
export async function readDecisions(
  db: Db,
  { limit, before }: { limit: number; before?: number | undefined },
): Promise<ListPage<ListedDecision, number>> {
  const rows = await db
    .select({
      id: matchDecision.id,
      a: matchDecision.a,
      b: matchDecision.b,
      decision: matchDecision.decision,
      decidedAt: matchDecision.decidedAt,
      stands: sql<boolean>`not exists (select from match_decision later
        where later.a = match_decision.a and later.b = match_decision.b and later.id > match_decision.id)`,
    })
    .from(matchDecision)
    .where(before === undefined ? undefined : lt(matchDecision.id, before))
    .orderBy(desc(matchDecision.id))
    .limit(limit + 1);
  const { items, next } = pageOf(rows, limit, ({ id }) => id);
  return { items: await withSides(db, items), next };
}

/** All that were ever made. */
export async function countDecisions(db: Db): Promise<{ decision: string; n: number }[]> {
  return db.execute<{ decision: string; n: number }>(sql`
    select decision, count(*) as n from match_decision group by decision`);
}
