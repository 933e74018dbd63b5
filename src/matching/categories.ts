import { and, asc, desc, eq, gt, sql } from "drizzle-orm";
import type { Db } from "../db/open.ts";
import { matchCategory, matchCategoryChange } from "../db/schema.ts";

/** How sure links within a category are, and whether any are made there. */
export type MatchCategory = typeof matchCategory.$inferSelect;
export type MatchCategoryChange = typeof matchCategoryChange.$inferSelect;

/** By name, those after the name `after`. */
export async function readMatchCategories(
  db: Db,
  request: { limit: number; after?: string | undefined; isLinked?: boolean | undefined },
): Promise<MatchCategory[]> {
  const { limit, after, isLinked } = request;
  return db
    .select()
    .from(matchCategory)
    .where(
      and(
        after === undefined ? undefined : gt(matchCategory.category, after),
        isLinked === undefined ? undefined : eq(matchCategory.isLinked, isLinked),
      ),
    )
    .orderBy(asc(matchCategory.category))
    .limit(limit);
}

/** What the estimates changed, newest first. */
export async function readCategoryChanges(db: Db, limit: number): Promise<MatchCategoryChange[]> {
  return db.select().from(matchCategoryChange).orderBy(desc(matchCategoryChange.id)).limit(limit);
}

export async function countRefusedCategories(db: Db): Promise<number> {
  const [row] = await db.execute<{ n: number }>(
    sql`select count(*) as n from match_category where not is_linked`,
  );
  return row?.n ?? 0;
}
