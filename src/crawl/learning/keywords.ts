import { and, asc, eq, inArray, isNotNull, isNull, lte, or, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/open.ts";
import { crawlPage, crawlQuery } from "../../db/schema.ts";

export type Keyword = typeof crawlQuery.$inferSelect;

export async function listKeywords(db: Db): Promise<Keyword[]> {
  return db
    .select()
    .from(crawlQuery)
    .where(isNull(crawlQuery.removedAt))
    .orderBy(asc(crawlQuery.id));
}

/** Keywords in the plan at once, by yield and by turn. */
const mostByYield = 4000;
const mostByTurn = 1000;

/**
 * The keywords to plan with, enabled and not backing off. If they are too many to be weighed at once:
 * first those of ops, then the proposals with the fewest failed trials, of both first those never
 * scanned completely; and besides them those that have waited longest for a call.
 */
export async function readKeywords(db: Db, now: Date): Promise<Keyword[]> {
  const isReady = or(isNull(crawlQuery.nextAt), lte(crawlQuery.nextAt, now));
  const ready = () =>
    db
      .select()
      .from(crawlQuery)
      .where(and(eq(crawlQuery.enabled, true), isReady));
  const byYield = await ready()
    .orderBy(
      sql`${crawlQuery.source} in ('seed', 'ops') desc`,
      sql`${crawlQuery.scannedAt} is null desc`,
      crawlQuery.failedTrials,
      crawlQuery.id,
    )
    .limit(mostByYield);
  if (byYield.length < mostByYield) return byYield;
  const byTurn = await ready()
    .orderBy(sql`${crawlQuery.askedAt} asc nulls first`, crawlQuery.id)
    .limit(mostByTurn);
  const known = new Set(byYield.map((query) => query.id));
  return [...byYield, ...byTurn.filter((query) => !known.has(query.id))];
}

export async function findKeywords(
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Keyword>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select()
    .from(crawlQuery)
    .where(inArray(crawlQuery.id, [...ids]));
  return new Map(rows.map((query) => [query.id, query]));
}

/** Whether Kurabe proposed the keyword itself: then it must be worth its calls. */
export function isProposed({ source }: Pick<Keyword, "source">): boolean {
  return source !== "seed" && source !== "ops";
}

export interface KeywordRequest {
  q: string;
  shopId?: string | null;
  /** Where it comes from: `seed` or `ops`; proposals are added elsewhere. */
  source: "seed" | "ops";
}

/** Adds a keyword, or restores a removed one; null if it is in the list already. */
export async function addKeyword(
  db: Db | Tx,
  request: KeywordRequest,
  now: Date,
): Promise<Keyword | null> {
  const { source, shopId = null } = request;
  const q = request.q.trim();
  const [again] = await db
    .update(crawlQuery)
    .set({ source, reason: null, enabled: true, removedAt: null, ...rested })
    .where(
      and(
        eq(crawlQuery.q, q),
        sql`coalesce(${crawlQuery.shopId}, '') = coalesce(${shopId}::text, '')`,
        isNotNull(crawlQuery.removedAt),
      ),
    )
    .returning();
  if (again) return again;
  const [row] = await db
    .insert(crawlQuery)
    .values({ q, shopId, source, createdAt: now })
    .onConflictDoNothing()
    .returning();
  return row ?? null;
}

const rested = { failedTrials: 0, nextAt: null };

/** A keyword that ops enable again does not wait for the end of its backoff. */
export async function updateKeyword(
  db: Db | Tx,
  id: number,
  { enabled }: { enabled: boolean },
): Promise<Keyword | null> {
  const [row] = await db
    .update(crawlQuery)
    .set({ enabled, ...(enabled ? rested : {}) })
    .where(and(eq(crawlQuery.id, id), isNull(crawlQuery.removedAt)))
    .returning();
  return row ?? null;
}

/** The row stays, so that only ops can bring the keyword back. */
export async function removeKeyword(db: Db | Tx, id: number, now: Date): Promise<boolean> {
  return db.transaction(async (tx) => {
    const rows = await tx
      .update(crawlQuery)
      .set({ enabled: false, removedAt: now })
      .where(and(eq(crawlQuery.id, id), isNull(crawlQuery.removedAt)))
      .returning({ id: crawlQuery.id });
    await tx.delete(crawlPage).where(eq(crawlPage.queryId, id));
    return rows.length === 1;
  });
}

/** Without keywords no call can find a product. */
export async function hasKeywords(db: Db): Promise<boolean> {
  const [row] = await db.execute<{ any: boolean }>(
    sql`select exists (select from crawl_query where enabled) as any`,
  );
  return row?.any ?? false;
}

export const withoutKeywords =
  "no keywords, so nothing is found: set CRAWL_KEYWORDS for the first start, or add some on the console's page Keywords";

/** Adds the seeds at the first start. Afterwards the list belongs to ops, even an empty one. */
export async function seedKeywords(
  db: Db,
  keywords: readonly string[],
  now: Date,
): Promise<number> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('kurabe:seed', 0))`);
    const [known] = await tx.execute<{ any: boolean }>(sql`
      select exists (select from crawl_query) or exists (select from api_call) as any`);
    if (known?.any || keywords.length === 0) return 0;
    const rows = [...new Set(keywords)].map((q) => ({ q, source: "seed", createdAt: now }));
    await tx.insert(crawlQuery).values(rows).onConflictDoNothing();
    return rows.length;
  });
}
