import { followShopRename } from "../../catalog/upkeep/shop-renames.ts";
import { keepCounts } from "../../catalog/counts.ts";
import { orderChanges } from "../../catalog/changes/change-order.ts";
import { readProducts } from "../../catalog/products.ts";
import {
  crawlJobs,
  ensureJobs,
  readActiveRuns,
  startRun,
  toJobSettings,
} from "../../crawl/budget/jobs.ts";
import { keepForecasts } from "../../crawl/forecasts.ts";
import { keepMaximumAge } from "../../crawl/learning/max-age.ts";
import { seedKeywords } from "../../crawl/learning/keywords.ts";
import { createCrawler } from "../../crawl/run.ts";
import type { Db } from "../../db/open.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Logger } from "../../lib/logger.ts";
import type { Engine } from "../../search/engine/engine.ts";
import { createMirror } from "../../search/mirror/mirror.ts";
import { beforeAll, verifyAfter } from "../../search/mirror/proof/reconcile.ts";
import { maintenanceTasks } from "../../service/worker/maintenance.ts";
import type { StorefrontClient } from "../../storefront/client.ts";
import type { SearchItem } from "../../storefront/product.ts";
import type { Kind } from "./report.ts";

export interface BackgroundOptions {
  db: Db;
  clock: Clock;
  logger: Logger;
  engine: Engine;
  timezone: string;
  pick(): number;
  /** Called with the name and kind of each part before it begins. */
  onPart(name: string, kind: Kind): void;
  /** Shows in which part of the work the bench is, and what of it failed. */
  say(line: string): void;
}

/** A task of the maintenance is stopped after so long; it would go on the next time. */
const taskMs = 20_000;
const going = new AbortController().signal;

export type Background = ReturnType<typeof createBackground>;

/** What a worker does, in parts. */
export function createBackground(options: BackgroundOptions) {
  const { db, clock, logger, engine } = options;
  const part = async (name: string, work: () => Promise<unknown>, kind: Kind = "background") => {
    options.onPart(name, kind);
    const startMs = performance.now();
    const [{ status, ...end }] = await Promise.allSettled([work()]);
    const fault = status === "rejected" && "reason" in end ? `: ${String(end.reason)}` : "";
    options.say(`  ${name}: ${Math.round(performance.now() - startMs)} ms${fault}`);
  };
  const rules = {
    dailyLimit: 1_000_000,
    timezone: options.timezone,
    maxCallsPerSecond: 1000,
    flightMs: 5000,
    skewMs: 1000,
  };
  const client = createBenchStorefront(options);
  const crawler = createCrawler({ ...options, clientOf: () => client, rules, pacing: "burst" });
  const mirror = createMirror(options);
  const stopAfter = () => AbortSignal.timeout(taskMs);
  return {
    start: () =>
      part("start", async () => {
        await ensureJobs(db, clock.now());
        await seedKeywords(db, ["keyword 1"], clock.now());
        for (const name of crawlJobs) await startRun(db, name, "startup", clock.now());
        await readActiveRuns(db);
      }),
    async step() {
      await part("crawl", () => repeat(5, () => crawler.step(going)), "crawl");
      await part("mirror", () => repeat(3, () => mirror.step(going)), "mirror");
    },
    /** The loops and the daily maintenance, in the order in which a worker does them. */
    async rest() {
      await crawler.release();
      await mirror.release();
      await part("kept counts", () => repeat(10, () => keepCounts(db, clock)));
      await part("changes", () => repeat(10, () => orderChanges(db, clock)));
      await part("shop names", () => repeat(5, () => followShopRename({ db, clock, logger })));
      await part("proof of the index", async () => {
        let after: number | null = beforeAll;
        for (let range = 0; range < 5 && after !== null; range += 1) {
          const checks = { db, engine, toDocument: null, maxRepairs: 0 };
          ({ next: after } = await verifyAfter(checks, "products_v1", after));
        }
      });
      await part("maximum age", () => keepMaximumAge(db, clock, rules, stopAfter()));
      await part("forecasts", () => keepForecasts(db, clock.now(), rules));
      const retention = { ...toJobSettings("housekeeping"), keep_calls_days: 90 };
      for (const task of maintenanceTasks(db, clock.now(), retention)) {
        await part(task.name, () => task.run(stopAfter()));
      }
    },
  };
}

async function repeat(times: number, work: () => Promise<unknown>): Promise<void> {
  for (let time = 0; time < times; time += 1) await work();
}

/** An upstream that shows stored products, every tenth with a new price. */
function createBenchStorefront({ db, pick }: BackgroundOptions): StorefrontClient {
  const whole = { broken: [], unknownFields: [], truncatedFields: 0 };
  const read = async (ids: readonly number[]): Promise<SearchItem[]> =>
    [...(await readProducts(db, ids)).values()].map((product) => ({
      ...product,
      ...product.shop,
      price: product.itemId % 10 === 0 ? product.price + 1 : product.price,
    }));
  return {
    async search({ start = 0, size = 50 }) {
      const items = await read(Array.from({ length: size }, pick));
      return { ...whole, found: 1000, start, items };
    },
    refresh: async ({ itemIds }) => ({ ...whole, items: await read(itemIds) }),
  };
}
