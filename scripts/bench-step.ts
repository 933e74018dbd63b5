import { sql } from "drizzle-orm";
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
 * What one step of the crawler costs in the database, for planning and settling, at two sizes of
 * the catalogue in one run: a plan without a scan costs the same at both.
 *
 *   npx tsx scripts/bench-step.ts [--products 10000000 --steps 300]
 */
const { products: full, steps } = readArguments({ products: 10_000_000, steps: 300 });
const CHUNK = 200_000;
const KEYWORDS = 300;

/** Products `from`..`to`, in shops of heavy-tailed size, last checked over the past month. */
async function fill(db: Db, from: number, to: number): Promise<void> {
  await db.execute(sql`
    insert into shop (shop_id, shop_name, shop_url, first_seen_at, checked_at, due_at, rate_changes, rate_days, loss_days)
    select 'shop-' || n, 'shop ' || n, 'https://example.com', now(), now(), now() + (random() * 10 - 1) * interval '1 hour', 50, 500, 500
    from generate_series(0, ${Math.floor(to / 100)}) n on conflict do nothing`);
  for (let low = from; low < to; low += CHUNK) {
    await db.transaction(async (tx) => {
      // Generated rows need neither checks of foreign keys nor a mirror.
      await tx.execute(sql`set local session_replication_role = replica`);
      await tx.execute(sql`
      insert into product (item_id, shop_id, ver, state, title, detail, price, stock, visible, list_order, images,
        variations, categories, modified, first_seen_at, checked_at, changed_at, price_since,
        last_call_id)
      select n, 'shop-' || floor(${Math.floor(to / 100)} * power(random(), 3))::bigint, 1, 'live', 'product ' || n,
        'a detail of some words', 100 + n % 5000, n % 9, 1, 0, '[null,null,null,null,null]', '[]', '["things"]', 1700000000,
        t, t, t, t, 1
      from generate_series(${low + 1}::bigint, ${Math.min(low + CHUNK, to)}::bigint) n,
        lateral (select now() - random() * interval '30 days' - (n * interval '0 s') as t) at`);
      await tx.execute(sql`
      insert into product_schedule (item_id, shop_id, checked_at, due_at, weight, rate_changes, rate_days, query_id)
      select item_id, shop_id, checked_at, now() + (random() * 20 - 1) * interval '1 day', 0.2 + random() * 3,
        random() * 3, 1 + random() * 30, item_id % ${KEYWORDS} + 1
      from product where item_id between ${low + 1} and ${Math.min(low + CHUNK, to)}`);
    });
    process.stderr.write(`\r${Math.min(low + CHUNK, to).toLocaleString("en")} products`);
  }
  process.stderr.write("\n");
  await db.execute(sql`vacuum analyze`);
}

const whole = { broken: [], unknownFields: [], truncatedFields: 0 };

async function settle(db: Db, call: RunCall, callId: number): Promise<void> {
  const sighting = { callId, sentAt: systemClock.now() };
  await (call.operation === "refresh"
    ? db.transaction(async (tx) => {
        const records = await readProducts(tx, call.itemIds);
        const items = [...records.values()].map((p): RefreshItem => ({
          ...p,
          shopId: p.shop.shopId,
          shopName: p.shop.shopName,
          shopUrl: p.shop.shopUrl,
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
      await planner.next(systemClock.now(), { onPace: true, mayHurry: true }),
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

await withDatabase(
  async (db) => {
    await db.execute(sql`
    insert into crawl_query (q, source, created_at, scanned_at, newest_checked_at, feed_checked_at, found)
    select 'keyword ' || n, 'ops', now(), now(), now(), now(), 1000 from generate_series(1, ${KEYWORDS}) n`);
    await ensureJobs(db, systemClock.now());
    for (const name of crawlJobs) {
      await updateJob(db, name, { settings: { window_minutes: 1440 } }, systemClock.now());
      await startRun(db, name, "startup", systemClock.now());
    }
    const small = Math.max(10_000, Math.round(full / 100));
    await fill(db, 0, small);
    say(`${small.toLocaleString("en")} products: ${await measure(db)}`);
    await fill(db, small, full);
    say(`${full.toLocaleString("en")} products: ${await measure(db)}`);
  },
  { max_wal_size: "8GB", shared_buffers: "2GB" },
);
