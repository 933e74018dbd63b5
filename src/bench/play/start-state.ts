import { eq } from "drizzle-orm";
import { rememberTimezone } from "../../catalog/analytics.ts";
import { keepCounts } from "../../catalog/counts.ts";
import { observeSearch } from "../../catalog/observing/observe.ts";
import {
  crawlJobs,
  ensureJobs,
  startRun,
  updateJob,
  type CrawlJob,
} from "../../crawl/budget/jobs.ts";
import type { DayRules } from "../../crawl/budget/accounts.ts";
import { addKeyword } from "../../crawl/learning/keywords.ts";
import { learn, type GivenStatistics } from "../../crawl/learning/learning.ts";
import { createPlannerState } from "../../crawl/learning/planner-state.ts";
import type { Db } from "../../db/open.ts";
import type { Clock } from "../../lib/clock.ts";
import { crawlQuery } from "../../db/schema.ts";
import { must } from "../../lib/must.ts";
import { toKeyword, toSearchItem } from "./storefront.ts";
import type { Upstream } from "./upstream.ts";
import type { World } from "../worlds/world.ts";

/** Products stored in one transaction. */
const chunk = 500;
/** For the catalogue at the start of the run: no call of the ledger has shown it. */
const noCall = 0;

/**
 * Every run begins with a complete and fresh copy, and with keywords that have just been scanned in full;
 * the crawler's own functions write it. The jobs' runs stay open. Nothing is kept for refresh on demand,
 * because there are no visitors, and no keywords are proposed, because the worlds have no words.
 */
export async function storeStart(
  db: Db,
  world: World,
  upstream: Upstream,
  { clock, rules, given }: { clock: Clock; rules: DayRules; given: GivenStatistics },
): Promise<void> {
  const at = clock.now();
  await keepCountsAlone(db, clock);
  await rememberTimezone(db, world.timezone, at);
  await openJobs(db, world, at);
  const groups = Array.from({ length: world.keywords + 1 }, (): number[] => []);
  for (const [item, isLive] of world.liveAtStart.entries()) {
    const [first = world.keywords] = world.keywordsOf[item] ?? [];
    if (isLive) groups[first]?.push(item);
  }
  const queryIds: (number | null)[] = [];
  for (let keyword = 0; keyword < world.keywords; keyword += 1) {
    queryIds.push(await storeKeyword(keyword));
  }
  const state = createPlannerState(db, rules, given);
  await state.refresh(at.getTime());
  for (const [group, items] of groups.entries()) {
    for (let first = 0; first < items.length; first += chunk) {
      const page = items
        .slice(first, first + chunk)
        .map((item) => toSearchItem(world, upstream, item));
      await db.transaction(async (tx) => {
        const sighting = { callId: noCall, sentAt: at };
        const { observed } = await observeSearch(tx, sighting, { items: page, broken: [] });
        await learn(tx, observed, {
          at,
          given,
          threshold: state.threshold(),
          maxAgeDays: state.maxAgeDays(),
          totals: state.totals(),
          keywords: state.keywords(),
          queryId: queryIds[group] ?? null,
          byFeed: false,
        });
      });
    }
  }
  await db.execute("analyze");

  async function storeKeyword(keyword: number): Promise<number> {
    const query = { q: toKeyword(keyword), source: "seed" } as const;
    const { id } = must(await addKeyword(db, query, at), "a new keyword");
    const found = upstream.found(keyword);
    const [newest] = upstream.search(keyword, "modified", 0, 1);
    const feedWatermark =
      newest === undefined ? null : Math.floor((upstream.modified[newest] ?? 0) * 86_400);
    await db
      .update(crawlQuery)
      .set({ scannedAt: at, found, feedWatermark })
      .where(eq(crawlQuery.id, id));
    return id;
  }
}

/** Of what triggers keep of products (confirmations, changes, the mirror's queue), plans read the counts alone. */
async function keepCountsAlone(db: Db, clock: Clock): Promise<void> {
  while ((await keepCounts(db, clock)) === 0);
  await db.execute("alter table product disable trigger user");
  for (const change of ["inserted", "updated", "deleted"]) {
    await db.execute(`alter table product enable trigger product_counts_${change}`);
  }
}

async function openJobs(db: Db, world: World, at: Date): Promise<void> {
  await ensureJobs(db, at);
  const ownSettings: Record<CrawlJob, Record<string, number>> = {
    discover: { trials: 0 },
    feed: {},
    revalidate: { on_demand_share: 0 },
  };
  const days = Math.ceil(world.endsAt - world.startsAt) + 1;
  for (const name of crawlJobs) {
    const settings = { window_minutes: days * 1440, ...ownSettings[name] };
    await updateJob(db, name, { settings }, at);
    await startRun(db, name, "cron", at);
  }
}
