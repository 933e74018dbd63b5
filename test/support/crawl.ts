import { sql } from "drizzle-orm";
import { ensureJobs, startRun, readLastRuns, type CrawlJob } from "../../src/crawl/budget/jobs.ts";
import type { BudgetRules } from "../../src/crawl/budget/budget.ts";
import { addKeyword } from "../../src/crawl/learning/keywords.ts";
import { createCrawler } from "../../src/crawl/run.ts";
import type { Db } from "../../src/db/open.ts";
import { systemClock, type Clock } from "../../src/lib/clock.ts";
import { runLoop } from "../../src/lib/loop.ts";
import { silentLogger as logger } from "../../src/lib/logger.ts";
import {
  startSandbox,
  type RunningSandbox,
  type SandboxOptions,
} from "../../src/sandbox/server.ts";
import { createStorefrontClient, type StorefrontClient } from "../../src/storefront/client.ts";
import { must } from "../../src/lib/must.ts";
import { createTestDb, openPool, type TestDb } from "./postgres.ts";
import { until } from "./until.ts";

export interface TestCrawl extends TestDb {
  sandbox: RunningSandbox;
  rules: BudgetRules;
  /** Runs a job once, by hand, and waits for its end. */
  run(job: CrawlJob): Promise<void>;
  /** The crawling process that is there from the start. */
  first: { stop(): Promise<void> };
  /** Stops everything and keeps the database, whose name is the answer. */
  keep(): Promise<string>;
  /** Starts another crawling process (in this one), with pools of its own. */
  addProcess(through?: Between): { stop(): Promise<void> };
}

export interface TestCrawlOptions {
  sandbox?: Partial<SandboxOptions>;
  rules?: Partial<BudgetRules>;
  /** The credentials that crawling processes use for each account of `rules`. */
  accounts?: readonly { name: string; clientId: string; clientSecret: string }[];
  clock?: Clock;
  pacing?: "smooth" | "burst";
  timeoutMs?: number;
  /** Stands between the crawler and the sandbox. */
  through?: Between;
  /** Changes the sandbox before anything is crawled; uses nothing of its surroundings that differs from call to call. */
  arrange?: (sandbox: RunningSandbox) => void;
  /** So many of the sandbox's keywords are searched; all by default. */
  keywords?: number;
  /** It begins where a run of `discover` over such a sandbox has ended, without calls of its own. */
  discovered?: boolean;
}

/** What stands between a crawling process and the upstream. */
type Between = (client: StorefrontClient) => StorefrontClient;

/** Of a crawling process between two steps: what a test has changed is noticed soon. */
const longestPauseMs = 150;

/** A database in which all of a sandbox has been found, and the address of that sandbox. */
interface Discovery {
  database: string;
  url: string;
}
const discoveries = new Map<string, Promise<Discovery>>();

/** What was discovered of such a sandbox; crawled once a worker. */
function discoveryOf({ sandbox, arrange }: TestCrawlOptions): Promise<Discovery> {
  const key = `${JSON.stringify(sandbox)} ${arrange?.toString()}`;
  const made =
    discoveries.get(key) ?? discover({ ...(sandbox && { sandbox }), ...(arrange && { arrange }) });
  discoveries.set(key, made);
  return made;
}

async function discover(options: TestCrawlOptions): Promise<Discovery> {
  const crawl = await createTestCrawl(options);
  await crawl.run("discover");
  return { database: await crawl.keep(), url: crawl.sandbox.url };
}

/** A sandbox serves pictures itself: what was found at another one has them at this one. */
async function movePictures(db: Db, from: string, to: string): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(sql`update product set images = replace(images::text, ${from}, ${to})::jsonb`);
  });
}

/** A still sandbox with its keywords, a database, and one crawling process between them. */
export async function createTestCrawl(options: TestCrawlOptions = {}): Promise<TestCrawl> {
  const clock = options.clock ?? systemClock;
  const found = options.discovered ? await discoveryOf(options) : null;
  const test = await createTestDb(found?.database);
  const sandbox = await startSandbox({ clock, live: false, products: 60, ...options.sandbox });
  options.arrange?.(sandbox);
  if (found) await movePictures(test.db, found.url, sandbox.url);
  const rules = {
    dailyLimit: 10_000,
    timezone: "Asia/Tokyo",
    maxCallsPerSecond: 1000,
    flightMs: 5000,
    skewMs: 1000,
    ...options.rules,
  };
  await ensureJobs(test.db, clock.now());
  for (const q of sandbox.keywords.slice(0, options.keywords))
    await addKeyword(test.db, { q, source: "seed" }, clock.now());
  const stops: (() => Promise<void>)[] = [];

  function addProcess(through = options.through ?? ((direct) => direct)): {
    stop(): Promise<void>;
  } {
    const { db, close } = openPool(test.url, { applicationName: "crawl", maxConnections: 6 });
    const { credentials } = sandbox;
    const accounts = options.accounts ?? [{ name: "default", ...credentials }];
    const clients = new Map(
      accounts.map(({ name, clientId, clientSecret }) => {
        const access = { baseUrl: sandbox.url, clientId, clientSecret };
        const client = createStorefrontClient({ ...access, timeoutMs: options.timeoutMs ?? 5000 });
        return [name, through(client)];
      }),
    );
    const crawler = createCrawler({
      db,
      clock,
      logger,
      clientOf: (account) => must(clients.get(account), "a client for each account"),
      rules,
      pacing: options.pacing ?? "burst",
    });
    const stopping = new AbortController();
    const lane = () =>
      runLoop({
        name: "crawl",
        clock,
        logger,
        signal: stopping.signal,
        step: async (stop) => Math.min(await crawler.step(stop), longestPauseMs),
      });
    const lanes = Promise.all([lane(), lane()]);
    const stop = async () => {
      stopping.abort();
      await lanes;
      await crawler.release();
      await close();
    };
    stops.push(stop);
    return {
      async stop() {
        stops.splice(stops.indexOf(stop), 1);
        await stop();
      },
    };
  }

  async function end(): Promise<void> {
    await Promise.all(stops.map((stop) => stop()));
    await sandbox.close();
  }

  const first = addProcess();
  return {
    ...test,
    first,
    sandbox,
    rules,
    addProcess,
    async run(job) {
      await startRun(test.db, job, "manual", clock.now());
      await until(async () => (await readLastRuns(test.db, job)).active === null, {
        what: `${job} is done`,
      });
    },
    async keep() {
      await end();
      return test.keep();
    },
    async close() {
      await end();
      await test.close();
    },
  };
}
