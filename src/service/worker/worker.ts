import { setMaxListeners } from "node:events";
import { randomUUID } from "node:crypto";
import { createJudging } from "../../alerts/judging/judging.ts";
import { confirmJumps } from "../../alerts/judging/jumps.ts";
import { createSavedSearches } from "../../alerts/judging/searches-in-memory.ts";
import { transact } from "../../db/transact.ts";
import { queueDigests } from "../../alerts/mail/address.ts";
import { createMailing } from "../../alerts/mail/mailing.ts";
import { createSmtp } from "../../alerts/mail/smtp.ts";
import { createReach } from "../../alerts/delivery/addresses.ts";
import { createDeliveries } from "../../alerts/delivery/deliveries.ts";
import { createOutgoing, resolveName } from "../../alerts/delivery/outgoing.ts";
import type { LossBounds } from "../../catalog/observing/loss-guard.ts";
import { orderChanges } from "../../catalog/changes/change-order.ts";
import { keepCounts } from "../../catalog/counts.ts";
import { followShopRename } from "../../catalog/upkeep/shop-renames.ts";
import type { Config } from "../../config.ts";
import {
  finishRun,
  isCrawlJob,
  jobNames,
  readActiveRuns,
  readJobSettings,
} from "../../crawl/budget/jobs.ts";
import type { BudgetRules } from "../../crawl/budget/budget.ts";
import type { DayRules } from "../../crawl/budget/accounts.ts";
import { keepForecasts } from "../../crawl/forecasts.ts";
import { keepMaximumAge } from "../../crawl/learning/max-age.ts";
import { hasKeywords, seedKeywords, withoutKeywords } from "../../crawl/learning/keywords.ts";
import { noteUpstreamSettings } from "../../crawl/safety/upstream-settings.ts";
import { createCrawler } from "../../crawl/run.ts";
import { underLease } from "../../db/lease.ts";
import type { Db } from "../../db/open.ts";
import { maintenanceTasks } from "./maintenance.ts";
import type { Clock } from "../../lib/clock.ts";
import { runLoop, type LoopWatch } from "../../lib/loop.ts";
import { toErrorMessage } from "../../lib/logged-error.ts";
import type { Logger } from "../../lib/logger.ts";
import { estimateCategories } from "../../matching/upkeep/category-estimates.ts";
import { orderReview } from "../../matching/review/review.ts";
import { createMatching } from "../../matching/upkeep/step.ts";
import type { Publish } from "./public-exports.ts";
import { runTasks, type Task } from "./run-tasks.ts";
import { createSchedule } from "./schedule.ts";
import type { StorefrontClient } from "../../storefront/client.ts";

export interface WorkerOptions {
  crawlDb: Db;
  jobsDb: Db;
  clock: Clock;
  logger: Logger;
  loops: LoopWatch;
  config: Config;
  rules: BudgetRules;
  /** The client of each upstream account by its name. */
  clientOf(account: string): StorefrontClient;
  keywords: readonly string[];
  lossBounds: LossBounds;
  mirrorStep(signal: AbortSignal): Promise<number>;
  verifyMirror(signal: AbortSignal): Promise<void>;
  publishSnapshot: Publish;
  /** Archives and drops what is older than so many months. */
  archiveMonths(keepMonths: number, signal: AbortSignal): Promise<void>;
}

/** Concurrent calls. The ledger keeps the rate limit; this only hides latency. */
const lanes = 4;
/** A run of a job may take hours, and is due again after a day. */
const jobBoundMs = 24 * 60 * 60_000;

/** Crawls, mirrors and runs the scheduled jobs until the signal aborts. */
export async function runWorker(options: WorkerOptions, signal: AbortSignal): Promise<void> {
  // One for each loop; Node takes more than ten for a leak.
  setMaxListeners(0, signal);
  const { crawlDb, jobsDb, clock, logger, loops: watch, config, rules } = options;
  await seed(options, signal);
  const crawler = createCrawler({
    db: crawlDb,
    clock,
    logger,
    clientOf: options.clientOf,
    rules,
    pacing: config.crawl.pacing,
    lossBounds: options.lossBounds,
    onWait: () => watch.waits("crawl"),
  });
  const alerts = {
    db: jobsDb,
    clock,
    logger,
    timezone: rules.timezone,
    searches: createSavedSearches(logger),
  };
  const reach = createReach(config.webhookNetworks);
  const send = createOutgoing({ reach, resolve: resolveName, clock });
  const deliveries = createDeliveries({ db: jobsDb, clock, logger, send });
  const loop = (name: string, step: (signal: AbortSignal) => Promise<number>, boundMs?: number) =>
    runLoop({ name, clock, logger, signal, step, watch, boundMs });
  const mailing = openMailing(options);
  await Promise.all([
    ...Array.from({ length: lanes }, () => loop("crawl", crawler.step)),
    loop("mirror", options.mirrorStep),
    ...jobsWithoutCalls.map((name) => loop(name, createTaskLoop(options, name), jobBoundMs)),
    loop("shop names", () => followShopRename({ db: jobsDb, clock, logger })),
    loop("matching", createMatching({ db: jobsDb, clock, logger })),
    loop("changes", () => orderChanges(jobsDb, clock)),
    loop("alerts", createJudging(alerts)),
    loop("price confirmations", () => confirmJumps(alerts)),
    loop("counts", () => keepCounts(jobsDb, clock)),
    loop("webhooks", deliveries.step),
    ...(mailing ? [loop("mails", mailing.send), loop("digests", mailing.queue)] : []),
    loop("schedule", createSchedule({ db: jobsDb, clock, timezone: rules.timezone, logger })),
  ]);
  await deliveries.ended();
  // A lease that cannot be released expires.
  await Promise.allSettled([crawler.release()]);
}

/** Prepares the database for a start; repeated until it succeeds. */
async function seed(options: WorkerOptions, signal: AbortSignal): Promise<void> {
  const { jobsDb, clock, logger, config, keywords } = options;
  const opened = new AbortController();
  const step = async () => {
    const seeded = await seedKeywords(jobsDb, keywords, clock.now());
    if (seeded > 0) logger.info({ keywords: seeded }, `discovery starts from ${seeded} keyword(s)`);
    if (!(await hasKeywords(jobsDb))) logger.warn(withoutKeywords);
    if (await noteUpstreamSettings(jobsDb, config.storefront, clock.now()))
      logger.info("other settings of the upstream than before: what failed is tried again at once");
    opened.abort();
    return 0;
  };
  const ended = AbortSignal.any([signal, opened.signal]);
  await runLoop({ name: "start", clock, logger, signal: ended, step });
}

const jobsWithoutCalls = jobNames.filter((name) => !isCrawlJob(name));

/** Performs the runs of a job without calls. A lease lets one process do it. */
export function createTaskLoop(
  options: Pick<
    WorkerOptions,
    "jobsDb" | "clock" | "logger" | "verifyMirror" | "publishSnapshot" | "archiveMonths"
  > & {
    rules: DayRules;
  },
  name: (typeof jobsWithoutCalls)[number],
): (signal: AbortSignal) => Promise<number> {
  const { jobsDb, clock, logger } = options;
  const holder = randomUUID();

  /** Throws if the run failed. */
  async function perform(signal: AbortSignal): Promise<void> {
    switch (name) {
      case "verify-mirror":
        return options.verifyMirror(signal);
      case "public-exports": {
        const { keep_snapshots: kept } = await readJobSettings(jobsDb, name);
        return options.publishSnapshot(kept, signal);
      }
      case "housekeeping":
        return maintain(signal);
    }
  }

  /** If a task fails, the others still run. */
  async function maintain(signal: AbortSignal): Promise<void> {
    const settings = await readJobSettings(jobsDb, "housekeeping");
    const floor = settings.match_precision;
    const tasks: Task[] = [
      { name: "maximum-age", run: (stop) => keepMaximumAge(jobsDb, clock, options.rules, stop) },
      { name: "forecasts", run: () => keepForecasts(jobsDb, clock.now(), options.rules) },
      { name: "match-review", run: (stop) => orderReview(jobsDb, clock.now(), stop) },
      {
        name: "match-estimates",
        run: (stop) =>
          estimateCategories(jobsDb, { now: clock.now(), floor, logger, signal: stop }),
      },
      ...maintenanceTasks(jobsDb, clock.now(), settings),
      { name: "archive", run: (stop) => options.archiveMonths(settings.keep_history_months, stop) },
    ];
    const failures = await runTasks(tasks, { clock, logger }, signal);
    if (failures.size > 0) {
      const names = [...failures.keys()].join(", ");
      const causes = [...failures].map(([task, message]) => `${task}: ${message}`).join("; ");
      throw new Error(`failed of ${tasks.length} tasks: ${names} (${causes})`);
    }
  }

  return async (signal) => {
    const run = (await readActiveRuns(jobsDb)).find(({ job }) => job === name);
    if (!run) return 1000;
    const request = { name: `job:${name}`, holder, ttlMs: 30_000 };
    await underLease(jobsDb, clock, request, async (_lease, lost) => {
      const stopped = AbortSignal.any([signal, lost]);
      try {
        await perform(stopped);
        if (stopped.aborted) return;
        await finishRun(jobsDb, run.id, { outcome: "done" }, clock.now());
      } catch (error) {
        if (stopped.aborted) return;
        logger.error({ err: error, job: name }, `${name} failed`);
        const message = toErrorMessage(error);
        await finishRun(jobsDb, run.id, { outcome: "failed", error: message }, clock.now());
      }
    });
    return 1000;
  };
}

const digestsMs = 10_000;

/** null: no mail server is set. */
function openMailing({ jobsDb: db, clock, logger, config, rules }: WorkerOptions) {
  const { smtp, publicUrl } = config;
  if (smtp === null || publicUrl === null) return null;
  const site = { publicUrl, currency: config.storefront.currency };
  return {
    send: createMailing({ db, clock, logger, send: createSmtp(smtp), site }),
    async queue(): Promise<number> {
      await transact(db, clock, (tx) => queueDigests(tx, clock.now(), rules.timezone));
      return digestsMs;
    },
  };
}
