import { sql } from "drizzle-orm";
import type { Db } from "../../db/open.ts";
import type { CrawlQuery } from "../learning/keywords.ts";

/** First pages of proposals that the estimate rests on, the latest ones. */
const TRIALS = 15;

export interface Coverage {
  /** Share of the upstream's products that we hold; null before any proposal was tried. */
  share: number | null;
  /** Products on whose showing the estimate rests. */
  shown: number;
}

/**
 * Capture and recapture: the first page of a proposed keyword is a draw of the upstream's products
 * that owes nothing to how the others were found, so the share of them that was held before estimates
 * the share of all. What no word of a held product describes is never drawn: an upper estimate.
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
 * Of what the upstream finds for a keyword, how much we hold: all that its full scan has passed, and of
 * the rest the share that was known of what it passed; what it brought itself in any case. null
 * before the first answer.
 */
export function toHeld(query: CrawlQuery): number | null {
  const { found, scanStart, endsAt, scannedAt, itemsSeen, itemsCreated } = query;
  if (found === null) return null;
  const passed = Math.min(found, scanStart ?? endsAt ?? (scannedAt === null ? 0 : found));
  const known = itemsSeen === 0 ? 0 : 1 - itemsCreated / itemsSeen;
  return Math.max(Math.min(found, itemsCreated), Math.round(passed + (found - passed) * known));
}
