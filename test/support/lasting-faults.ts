import { sql } from "drizzle-orm";
import { afterEach, inject } from "vitest";
import { updateJob } from "../../src/crawl/budget/jobs.ts";
import {
  createFaultyUpstream,
  type FaultyUpstream,
  type UpstreamFault,
} from "./faulty-upstream.ts";
import type { TestDb } from "./postgres.ts";
import { createSimulatedCrawl, type SimulatedCrawl } from "./simulated-crawl.ts";

export const keywords = ["財布", "バッグ", "陶器", "アクセサリー", "文具"];
export const CALLS_PER_DAY = 240;

interface CrawlOptions {
  products?: number;
  keywords?: readonly string[];
  maxAgeDays?: number;
  idleMinutes?: number;
  callsPerDay?: number;
  proposes?: boolean;
  /** The database, which is closed with the crawl. */
  test?: TestDb;
}

/** Products are due every few hours, whatever their value. */
export const smallCrawl = (isLong: boolean) => ({
  products: isLong ? 120 : 70,
  maxAgeDays: 0.1,
  idleMinutes: isLong ? 15 : 25,
  callsPerDay: isLong ? CALLS_PER_DAY : 120,
});

/** Starts crawls of a marketplace whose faults last for the whole run; each is closed after the test that started it. */
export function lastingFaultsForEach() {
  const open: SimulatedCrawl[] = [];
  afterEach(async () => {
    for (const crawl of open.splice(0)) await crawl.close();
  });

  return async function start(
    faults: readonly UpstreamFault[],
    options: CrawlOptions = {},
  ): Promise<{ crawl: SimulatedCrawl; upstream: FaultyUpstream }> {
    const isLong = inject("long");
    const upstream = createFaultyUpstream(faults);
    const crawl = await createSimulatedCrawl({
      keywords: options.keywords ?? keywords,
      fetch: upstream.fetch,
      ...(options.test ? { test: options.test } : {}),
      idleMinutes: options.idleMinutes ?? (isLong ? 6 : 10),
      sandbox: { products: options.products ?? (isLong ? 200 : 100) },
      rules: { dailyLimit: options.callsPerDay ?? CALLS_PER_DAY },
    });
    open.push(crawl);
    const settings = { max_age_days: options.maxAgeDays ?? 30 };
    await updateJob(crawl.db, "revalidate", { settings }, crawl.clock.now());
    if (options.proposes === false)
      await updateJob(crawl.db, "discover", { settings: { trials: 0 } }, crawl.clock.now());
    return { crawl, upstream };
  };
}

/** The number of known products, and the mean age of some of them in hours. */
export async function state(
  crawl: SimulatedCrawl,
  isOfRest: (itemId: number) => boolean = () => true,
) {
  const rows = await crawl.db.execute<{ item_id: number; hours: number }>(sql`
    select item_id,
      extract(epoch from ${crawl.clock.now().toISOString()}::timestamptz - checked_at)::float8 / 3600 as hours
    from product where state <> 'gone'`);
  const rest = rows.filter((row) => isOfRest(row.item_id));
  return {
    ids: new Set(rows.map((row) => row.item_id)),
    meanHours: rest.reduce((sum, row) => sum + row.hours, 0) / rest.length,
  };
}
