import { sql } from "drizzle-orm";
import type { Db } from "../../db/open.ts";
import type { Trial } from "../../db/schema.ts";
import type { CrawlQuery } from "../learning/keywords.ts";

/** The latest first pages of proposals, which the estimate is based on. */
const TRIALS = 15;

export interface Coverage {
  /** Share of the upstream's products that we hold; null before the first trial. */
  share: number | null;
  /** Standard error of the share, from the differences between the pages; null before two pages. */
  error: number | null;
  /** The products on these pages. */
  shown: number;
}

/**
 * Capture and recapture: the first page of a proposed keyword is a sample of the upstream's products,
 * independent of how the others were found. So the share of it that we held estimates the share of all.
 * Products that no word of a held product describes are never in a sample: the estimate is an upper one.
 */
export async function readCoverage(db: Db): Promise<Coverage> {
  const rows = await db.execute<{ trial: Trial }>(sql`
    select trial from crawl_query where trial is not null order by trial ->> 'at' desc limit ${TRIALS}`);
  return toCoverage(rows.map((row) => row.trial));
}

/** The products of a page are alike, so the error goes by how much pages differ. */
export function toCoverage(trials: readonly Pick<Trial, "shown" | "known">[]): Coverage {
  const pages = trials.filter((trial) => trial.shown > 0);
  const shown = pages.reduce((sum, page) => sum + page.shown, 0);
  if (shown === 0) return { share: null, error: null, shown };
  const share = pages.reduce((sum, page) => sum + page.known, 0) / shown;
  if (pages.length < 2) return { share, error: null, shown };
  const squares = pages.reduce((sum, page) => sum + (page.known - share * page.shown) ** 2, 0);
  const spread = Math.sqrt((squares * pages.length) / (pages.length - 1)) / shown;
  // Where pages show nothing unknown, the next product may yet be.
  return { share, error: Math.max(spread, 1 / shown), shown };
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
