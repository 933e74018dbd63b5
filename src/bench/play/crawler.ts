import { sql, eq } from "drizzle-orm";
import { defaultLossBounds } from "../../catalog/observing/loss-guard.ts";
import { keepCounts } from "../../catalog/counts.ts";
import {
  updateJob,
  crawlJobs,
  ensureJobs,
  startRun,
  type CrawlJob,
} from "../../crawl/budget/jobs.ts";
import { keepForecasts } from "../../crawl/forecasts.ts";
import { type GivenStatistics, learn } from "../../crawl/learning/learning.ts";
import { readEmptyAnswers } from "../../crawl/products/unanswered.ts";
import { keepMaximumAge } from "../../crawl/learning/max-age.ts";
import type { Evidence } from "../../crawl/scoring/rate-estimate.ts";
import { readFreshShare } from "../../crawl/plan-report.ts";
import { createCrawler } from "../../crawl/run.ts";
import { idList } from "../../db/rows.ts";
import type { Db } from "../../db/open.ts";
import { dayMs } from "../../lib/calendar.ts";
import type { Clock } from "../../lib/clock.ts";
import { silentLogger as logger } from "../../lib/logger.ts";
import { toApiError } from "../../storefront/errors.ts";
import { rememberTimezone } from "../../catalog/analytics.ts";
import { observeSearch } from "../../catalog/observing/observe.ts";
import type { DayRules } from "../../crawl/budget/accounts.ts";
import { addKeyword } from "../../crawl/learning/keywords.ts";
import { createPlannerState } from "../../crawl/learning/planner-state.ts";
import { crawlQuery } from "../../db/schema.ts";
import { must } from "../../lib/must.ts";
import type { World } from "../worlds/world.ts";
import { createLedger } from "./ledger.ts";
import { createMeter, type Meter, type Outcome } from "./meter.ts";
import type { RunOptions } from "./run.ts";
import {
  createWorldClient,
  toItem,
  toItemId,
  toShopId,
  type AnsweredCall,
  toKeyword,
  toSearchItem,
} from "./storefront.ts";
import type { Upstream } from "./upstream.ts";

/** Proven deletions are stored, however many: no ops could decide about them. */
const noLossBounds = { ...defaultLossBounds, count: Infinity, burstCount: Infinity };
/** A wait of the crawler lasts at least this part of the pause between two calls. */
const idlePart = 1 / 20;

export interface CrawlOptions extends RunOptions {
  /** Migrated and empty. */
  db: Db;
  /** Replaces learned change rates; `content` is the upstream's present state. */
  evidence?(itemId: number, content: number): Evidence;
  /** True shares of signalled changes and true deletion rates count as if learned in so many days. */
  sureDays?: number;
  /** See `Play`. */
  goneWeight?: number | undefined;
  /** Counts by trait are not kept, so that all factors stay 1. */
  isBlind?: boolean;
}

/**
 * Plays the world with the crawler itself: its planner, learning, scans, pace and ledger, in its
 * database, in a time that jumps from call to call. The measured copy is the content of the database.
 * Rejects when `signal` aborts.
 */
export async function playCrawler(world: World, options: CrawlOptions): Promise<Outcome> {
  const { db, callsPerDay, signal, evidence } = options;
  const meter = createMeter(world);
  const { upstream, copy } = meter;
  const ledger = createLedger({ ...options, dayStart: world.dayStart });
  let nowMs = Math.ceil(world.startsAt * dayMs);
  const now = () => nowMs / dayMs;
  const clock: Clock = {
    now: () => new Date(nowMs),
    monotonicMs: () => nowMs,
    async sleep(ms) {
      nowMs += Math.max(0, Math.ceil(ms));
    },
  };
  const rules = {
    dailyLimit: callsPerDay,
    timezone: world.timezone,
    maxCallsPerSecond: 5,
    flightMs: 5000,
    skewMs: 1000,
  };
  const given: GivenStatistics = {
    weight: (itemId) => world.weight[toItem(itemId)] ?? 0,
    ...(evidence
      ? { evidence: (itemId) => evidence(itemId, upstream.content[toItem(itemId)] ?? 0) }
      : {}),
  };
  await storeStart(db, world, upstream, { clock, rules, given });
  if (options.sureDays !== undefined) await storeTruth(db, world, options.sureDays);
  if (options.goneWeight !== undefined) {
    await updateJob(
      db,
      "revalidate",
      { settings: { gone_weight: options.goneWeight } },
      clock.now(),
    );
  }
  if (options.isBlind) await forgetTraits(db);
  const answers: AnsweredCall[] = [];
  const client = createWorldClient(world, upstream, {
    onCall() {
      copy.advance(now());
      if (!ledger.take(now())) throw toApiError("day_api_limit", "");
    },
    onAnswer(answered) {
      answers.push(answered);
      meter.count(now(), answered.kind, answered.items.length);
    },
  });
  const crawler = createCrawler({
    db,
    clock,
    logger,
    clientOf: () => client,
    rules,
    pacing: "smooth",
    lossBounds: noLossBounds,
    given,
  });
  // A step takes milliseconds: the run is interrupted only between steps.
  const going = new AbortController().signal;
  let day = -1;
  while (now() < world.endsAt) {
    signal.throwIfAborted();
    if (Math.floor(now() - world.startsAt) > day) {
      day = Math.floor(now() - world.startsAt);
      while ((await keepCounts(db, clock)) === 0);
      await keepMaximumAge(db, clock, rules, signal);
      await keepForecasts(db, clock.now(), rules);
      const expected =
        now() < world.measuredFrom ? null : await readFreshShare(db, clock.now(), rules);
      if (expected !== null) meter.compareShares(now(), expected);
      options.onDay(day);
    }
    const waitMs = await crawler.step(going);
    const answered = answers.pop();
    if (answered) await readBack(db, answered, world, { upstream, copy });
    // What an answer lacks is asked for again at once; all else keeps the pace.
    if (answered && (await readEmptyAnswers(db, clock.now())).length > 0) continue;
    const idleMs = answered ? 0 : Math.max(waitMs, (idlePart * dayMs) / callsPerDay);
    nowMs = Math.ceil(Math.max(nowMs + idleMs, ledger.nextAt(now()) * dayMs)) + 1;
  }
  await crawler.release();
  return meter.outcome();
}

async function forgetTraits(db: Db): Promise<void> {
  await db.execute(sql`
    create function forget() returns trigger language plpgsql as 'begin return null; end'`);
  for (const table of ["rate_trait", "loss_trait"]) {
    await db.execute(sql`
      create trigger forget before insert on ${sql.identifier(table)}
      for each row execute function forget()`);
  }
}

async function storeTruth(db: Db, world: World, days: number): Promise<void> {
  const rows = [...world.trueLossRate].map((rate, shop) => ({
    shop_id: toShopId(shop),
    losses: rate * days,
  }));
  const { trueBumpShare } = world;
  await db.execute(sql`
    update shop s set losses = x.losses, loss_days = ${days},
      bumped = ${trueBumpShare * days}, silent = ${(1 - trueBumpShare) * days}
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as x(shop_id text, losses float8)
    where s.shop_id = x.shop_id`);
}

/** Updates the copy with what the database now holds of the call's items. */
async function readBack(
  db: Db,
  { items }: AnsweredCall,
  world: World,
  { upstream, copy }: Pick<Meter, "upstream" | "copy">,
): Promise<void> {
  const rows = await db.execute<{ item_id: number; price: number; stock: number }>(sql`
    select item_id, price, stock from product where state <> 'gone' and item_id in ${idList(items.map(toItemId))}`);
  const stored = new Map(rows.map((row) => [toItem(row.item_id), row]));
  copy.see(
    items.filter((item) => {
      const state = world.states.of(upstream.content[item] ?? 0);
      const row = stored.get(item);
      return row?.price === state.price && row.stock === state.stock && upstream.live[item];
    }),
  );
  copy.drop(items.filter((item) => !stored.has(item)));
}

/** Products stored in one transaction. */
const chunk = 500;
/** For the catalogue at the start of the run: no call of the ledger has shown it. */
const noCall = 0;

/**
 * Every run begins with a complete and fresh copy, and with keywords that have just been scanned in full;
 * the crawler's own functions write it. The jobs' runs stay open. Nothing is kept for refresh on demand,
 * because there are no visitors, and no keywords are proposed, because the worlds have no words.
 */
async function storeStart(
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
