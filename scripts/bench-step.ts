import { fillScale } from "../src/bench/scale/fill.ts";
import { observeRefresh, observeSearch } from "../src/catalog/observing/observe.ts";
import { readProducts } from "../src/catalog/products.ts";
import { createPlanner } from "../src/crawl/planner.ts";
import type { RunCall } from "../src/crawl/safety/planned-call.ts";
import { crawlJobs, ensureJobs, startRun, updateJob } from "../src/crawl/budget/jobs.ts";
import { createPlannerState } from "../src/crawl/learning/planner-state.ts";
import type { Db } from "../src/db/open.ts";
import { systemClock } from "../src/lib/clock.ts";
import { must } from "../src/lib/must.ts";
import type { RefreshItem } from "../src/storefront/product.ts";
import { readArguments } from "./support/arguments.ts";
import { quantileOf } from "../src/lib/quantile.ts";
import { withDatabase } from "./support/scratch.ts";
import { say } from "./support/servers.ts";

/**
 * What one step of the crawler costs in the database, for planning and settling, at two sizes of the catalogue that
 * `kurabe bench scale` invents: a plan without a scan costs the same at both. 10,000,000 products take 40 GB of disk.
 *
 *   npx tsx scripts/bench-step.ts [--products 10000000 --steps 300]
 */
const { products: full, steps } = readArguments({ products: 10_000_000, steps: 300 });
const note = (line: string) => void process.stderr.write(`${line}\n`);
const whole = { broken: [], unknownFields: [], truncatedFields: 0 };

async function settle(db: Db, call: RunCall, callId: number): Promise<void> {
  const sighting = { callId, sentAt: systemClock.now() };
  await (call.operation === "refresh"
    ? db.transaction(async (tx) => {
        const records = await readProducts(tx, call.itemIds);
        const items = [...records.values()].map((p): RefreshItem => ({
          ...p,
          ...p.shop,
        }));
        const page = { items, ...whole };
        const result = await observeRefresh(tx, sighting, { ...page, asked: call });
        return call.settle(tx, sighting, page, result);
      })
    : db.transaction(async (tx) => {
        const page = { found: 1000, start: 0, items: [], ...whole };
        return call.settle(tx, sighting, page, await observeSearch(tx, sighting, page));
      }));
}

async function measure(db: Db): Promise<string> {
  const state = createPlannerState(db, { dailyLimit: 10_000, timezone: "Asia/Tokyo" });
  const planner = createPlanner(db, state);
  const planMs: number[] = [];
  const settleMs: number[] = [];
  const warmUp = 30;
  for (let step = 0; step < steps + warmUp; step += 1) {
    const startMs = systemClock.monotonicMs();
    const call = must(
      await planner.next(systemClock.now(), { onPace: true, mayHurry: true, afterSilence: false }),
      "a call",
    );
    const plannedMs = systemClock.monotonicMs();
    await settle(db, call, step + 2);
    call.release();
    if (step < warmUp) continue;
    planMs.push(plannedMs - startMs);
    settleMs.push(systemClock.monotonicMs() - plannedMs);
  }
  const heap = Math.round(process.memoryUsage().heapUsed / 1e6);
  const show = (ms: number[]) =>
    `p50 ${quantileOf(ms, 0.5).toFixed(1)} ms, p95 ${quantileOf(ms, 0.95).toFixed(1)} ms`;
  return `plan ${show(planMs)}; settle ${show(settleMs)}; heap ${heap} MB`;
}

for (const products of [Math.max(10_000, Math.round(full / 100)), full]) {
  await withDatabase(
    async (db) => {
      await fillScale(db, products, systemClock.now(), note);
      await ensureJobs(db, systemClock.now());
      for (const name of crawlJobs) {
        await updateJob(db, name, { settings: { window_minutes: 1440 } }, systemClock.now());
        await startRun(db, name, "startup", systemClock.now());
      }
      say(`${products.toLocaleString("en")} products: ${await measure(db)}`);
    },
    { max_wal_size: "8GB", shared_buffers: "2GB" },
  );
}
