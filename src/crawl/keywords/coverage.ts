import { sql } from "drizzle-orm";
import type { Db } from "../../db/open.ts";
import type { CrawlQuery } from "../learning/keywords.ts";

/** The latest first pages of proposals, which the estimate is based on. */
const TRIALS = 15;

export interface Coverage {
  /** Share of the upstream's products that we hold; null before the first trial. */
  share: number | null;
  /** The products on these pages. */
  shown: number;
}

/**
 * Capture and recapture: the first page of a proposed keyword is a sample of the upstream's products,
 * independent of how the others were found. So the share of it that we held estimates the share of all.
 * Products that no word of a held product describes are never in a sample: the estimate is an upper one.
 */
export async function readCoverage(db: Db): Promise<Coverage> {
  const [row] = await db.execute<{ known: number | null; shown: number | null }>(sql`
    select sum((trial ->> 'known')::int)::int as known, sum((trial ->> 'shown')::int)::int as shown
    from (
      select trial from crawl_query where trial is not null order by trial ->> 'at' desc limit ${TRIALS}) latest`);
  const shown = row?.shown ?? 0;
  return { share: shown > 0 ? (row?.known ?? 0) / shown : null, shown };
}

/**
 * How many of the products that the upstream finds for a keyword we hold: all that its full scan has
 * passed, and of the rest the share that was known among those passed; at least those that it found
 * itself. null before the first answer.
 */
export function toHeld(query: CrawlQuery): number | null {
  const { found, scanStart, endsAt, scannedAt, itemsSeen, itemsCreated } = query;
  if (found === null) return null;
  const passed = Math.min(found, scanStart ?? endsAt ?? (scannedAt === null ? 0 : found));
  const known = itemsSeen === 0 ? 0 : 1 - itemsCreated / itemsSeen;
  return Math.max(Math.min(found, itemsCreated), Math.round(passed + (found - passed) * known));
}
