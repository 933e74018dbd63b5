import {
  crawlJobs,
  ensureJobs,
  isCrawlJob,
  listJobs,
  startRun,
  updateJob,
  type CrawlJob,
} from "../../src/crawl/budget/jobs.ts";
import type { BudgetRules } from "../../src/crawl/budget/budget.ts";
import { keepMaximumAge } from "../../src/crawl/learning/max-age.ts";
import { addKeyword } from "../../src/crawl/learning/keywords.ts";
import { createCrawler } from "../../src/crawl/run.ts";
import { createBackoff } from "../../src/lib/backoff.ts";
import { systemClock, type Clock } from "../../src/lib/clock.ts";
import { silentLogger as logger } from "../../src/lib/logger.ts";
import {
  startSandbox,
  type RunningSandbox,
  type SandboxOptions,
} from "../../src/sandbox/server.ts";
import { createSchedule } from "../../src/service/worker/schedule.ts";
import { createStorefrontClient } from "../../src/storefront/client.ts";
import { createTestDb, type TestDb } from "./postgres.ts";

export interface SimulatedCrawl extends TestDb {
  sandbox: RunningSandbox;
  /** Its time; to sleep takes real time. */
  clock: Clock;
  rules: BudgetRules;
  /** Calls that the upstream has got. */
  calls(): number;
  /** Lets the crawl go on until its day or `until` comes, as fast as it can; `each` is called after every call. */
  pass(hours: number, each?: () => void | boolean | Promise<void | boolean>): Promise<void>;
  addKeyword(q: string): Promise<void>;
  /** Ops start a run of the job by hand. */
  runNow(job: CrawlJob): Promise<void>;
  /** What the nightly upkeep does for the crawl. */
  keepMaximumAge(): Promise<void>;
}

export interface SimulationOptions {
  keywords: readonly string[];
  sandbox?: Partial<SandboxOptions>;
  rules?: Partial<BudgetRules>;
  pacing?: "smooth" | "burst";
  startIso?: string;
  /** A wait of the crawl takes no time of ours, but this much of its own at least; 20 unless told. */
  idleMinutes?: number;
  /** Stands between the crawl and the upstream. */
  fetch?: typeof fetch;
  /** Real time that the crawl waits for an answer; 5,000 unless told. */
  timeoutMs?: number;
  /** The database, which is closed with the crawl; a clone of the test run's template unless told. */
  test?: TestDb;
  /** A step that throws is tried again after a pause, as the worker's loop does it, instead of failing the test. */
  endures?: boolean;
}

/**
 * The real crawler, ledger and planner against a real Postgres and a sandbox over HTTP, in a time of
 * its own: whoever sleeps moves it on, so that weeks pass in seconds and every run is the same.
 */
export async function createSimulatedCrawl(options: SimulationOptions): Promise<SimulatedCrawl> {
  let nowMs = new Date(options.startIso ?? "2026-03-01T15:00:00Z").getTime();
  const jumping: Clock = {
    now: () => new Date(nowMs),
    monotonicMs: () => nowMs,
    async sleep(ms) {
      nowMs += Math.max(0, ms);
    },
  };
  const clock: Clock = { ...jumping, sleep: systemClock.sleep };
  const test = options.test ?? (await createTestDb());
  const sandbox = await startSandbox({
    live: false,
    products: 150,
    ...options.sandbox,
    clock,
  });
  const rules = {
    dailyLimit: 10_000,
    timezone: "Asia/Tokyo",
    maxCallsPerSecond: 5,
    flightMs: 5000,
    skewMs: 1000,
    ...options.rules,
  };
  await ensureJobs(test.db, clock.now());
  for (const name of crawlJobs) {
    await updateJob(test.db, name, { settings: { window_minutes: 60 } }, clock.now());
  }
  for (const q of options.keywords) await addKeyword(test.db, { q, source: "seed" }, clock.now());
  const client = createStorefrontClient({
    baseUrl: sandbox.url,
    ...sandbox.credentials,
    timeoutMs: options.timeoutMs ?? 5000,
    ...(options.fetch ? { fetch: options.fetch } : {}),
  });
  const pacing = options.pacing ?? "smooth";
  const crawler = createCrawler({
    db: test.db,
    clock: jumping,
    logger,
    clientOf: () => client,
    rules,
    pacing,
  });
  const { signal } = new AbortController();
  const calls = () => sandbox.control.calls.all().length;
  const idleMs = (options.idleMinutes ?? 20) * 60_000;
  const backoff = createBackoff({ firstMs: 200, maxMs: 10_000 });
  const openDueRuns = createSchedule({ db: test.db, clock, timezone: rules.timezone });
  let firedAtMs = -Infinity;

  /** By the schedule if the rules have one, else every half hour. */
  async function fire(): Promise<unknown> {
    if (rules.firesOf) return openDueRuns();
    if (nowMs - firedAtMs <= 30 * 60_000) return;
    firedAtMs = nowMs;
    for (const { name, enabled } of await listJobs(test.db))
      if (enabled && isCrawlJob(name)) await startRun(test.db, name, "cron", clock.now());
  }

  async function step(): Promise<number> {
    try {
      const waitMs = await crawler.step(signal);
      backoff.reset();
      return waitMs;
    } catch (error) {
      if (!options.endures) throw error;
      return backoff.nextMs();
    }
  }

  return {
    ...test,
    sandbox,
    clock,
    rules,
    calls,
    async pass(hours, each) {
      const endMs = nowMs + hours * 3_600_000;
      while (nowMs < endMs) {
        await fire();
        const before = calls();
        const waitMs = await step();
        if (waitMs > 0) nowMs += Math.max(waitMs, idleMs);
        if (calls() > before && (await each?.()) === false) return;
      }
    },
    async addKeyword(q) {
      await addKeyword(test.db, { q, source: "seed" }, clock.now());
    },
    async runNow(job) {
      await startRun(test.db, job, "manual", clock.now());
    },
    keepMaximumAge: () => keepMaximumAge(test.db, clock, rules),
    async close() {
      await crawler.release();
      await sandbox.close();
      await test.close();
    },
  };
}
