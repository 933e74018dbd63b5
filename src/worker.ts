import { randomUUID } from "node:crypto";
import type { Config } from "./config.ts";
import {
  crawlJobs,
  finishRun,
  isJobName,
  listJobs,
  readActiveRuns,
  startRun,
  type JobName,
} from "./crawl/jobs.ts";
import type { BudgetRules } from "./crawl/budget.ts";
import { keepFloor } from "./crawl/floor.ts";
import { seedQueries } from "./crawl/queries.ts";
import { createCrawler } from "./crawl/run.ts";
import { underLease } from "./db/lease.ts";
import type { Db } from "./db/open.ts";
import { keepHouse } from "./housekeeping.ts";
import type { Clock } from "./lib/clock.ts";
import { runLoop } from "./lib/lifecycle.ts";
import { toErrorMessage } from "./lib/logged-error.ts";
import type { Logger } from "./lib/logger.ts";
import { createSchedule } from "./schedule.ts";
import type { StorefrontClient } from "./storefront/client.ts";

export interface WorkerOptions {
  crawlDb: Db;
  jobsDb: Db;
  clock: Clock;
  logger: Logger;
  config: Config;
  rules: BudgetRules;
  client: StorefrontClient;
  keywords: readonly string[];
  mirrorStep(signal: AbortSignal): Promise<number>;
  verifyMirror(signal: AbortSignal): Promise<void>;
}

/** Calls under way at once; the politeness ceiling is kept by the ledger, this only hides latency. */
const LANES = 4;
const SCHEDULE_SYNC_MS = 3000;

/** Crawls, mirrors and runs the scheduled jobs until the signal aborts. */
export async function runWorker(options: WorkerOptions, signal: AbortSignal): Promise<void> {
  const { crawlDb, jobsDb, clock, logger, config, rules, client } = options;
  await openRuns(options, signal);
  const crawler = createCrawler({
    db: crawlDb,
    clock,
    logger,
    client,
    rules,
    pacing: config.crawl.pacing,
  });
  const schedule = createSchedule({ db: jobsDb, clock, logger, timezone: rules.timezone });
  const chores = createChores(options);
  const loop = (name: string, step: (signal: AbortSignal) => Promise<number>) =>
    runLoop({ name, clock, logger, signal, step });
  await Promise.all([
    ...Array.from({ length: LANES }, () => loop("crawl", crawler.step)),
    loop("mirror", options.mirrorStep),
    loop("chores", chores),
    loop("schedule", async () => {
      await schedule.sync();
      return SCHEDULE_SYNC_MS;
    }),
  ]);
  await schedule.stop();
  // A lease that cannot be given back expires.
  await Promise.allSettled([crawler.release()]);
}

/** What a start asks of the database, again until it is done. */
async function openRuns(options: WorkerOptions, signal: AbortSignal): Promise<void> {
  const { jobsDb, clock, logger, keywords } = options;
  const opened = new AbortController();
  const step = async () => {
    const seeded = await seedQueries(jobsDb, keywords, clock.now());
    if (seeded > 0) logger.info({ keywords: seeded }, `discovery starts from ${seeded} keyword(s)`);
    for (const name of crawlJobs) await startRun(jobsDb, name, "startup", clock.now());
    opened.abort();
    return 0;
  };
  const ended = AbortSignal.any([signal, opened.signal]);
  await runLoop({ name: "start", clock, logger, signal: ended, step });
}

/** Runs of the jobs that spend no calls: taken up by one process of all, under a lease each. */
function createChores(options: WorkerOptions): (signal: AbortSignal) => Promise<number> {
  const { jobsDb, clock, logger } = options;
  const holder = randomUUID();

  async function perform(name: JobName, signal: AbortSignal): Promise<void> {
    if (name === "verify-mirror") return options.verifyMirror(signal);
    const settings =
      (await listJobs(jobsDb)).find((record) => record.name === name)?.settings ?? {};
    await keepFloor(jobsDb, clock.now(), options.rules);
    await keepHouse(
      jobsDb,
      clock.now(),
      {
        callsDays: Number(settings.keep_calls_days ?? 400),
        runsDays: Number(settings.keep_runs_days ?? 30),
        confirmationsMonths: Number(settings.keep_confirmations_months ?? 36),
      },
      signal,
    );
  }

  return async (signal) => {
    for (const run of await readActiveRuns(jobsDb)) {
      if (!isJobName(run.job) || (run.job !== "verify-mirror" && run.job !== "housekeeping"))
        continue;
      const name = run.job;
      await underLease(
        jobsDb,
        clock,
        { name: `job:${name}`, holder, ttlMs: 30_000 },
        async (_lease, lost) => {
          try {
            await perform(name, AbortSignal.any([signal, lost]));
            await finishRun(jobsDb, run.id, { outcome: "done" }, clock.now());
          } catch (error) {
            if (signal.aborted || lost.aborted) return;
            logger.error({ err: error, job: name }, `${name} failed`);
            const message = toErrorMessage(error);
            await finishRun(jobsDb, run.id, { outcome: "failed", error: message }, clock.now());
          }
        },
      );
    }
    return 1000;
  };
}
