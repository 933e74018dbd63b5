import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { rememberTimezone } from "../../src/catalog/analytics.ts";
import { barcodes, productTexts, rewriteInSlices } from "../../src/catalog/upkeep/slices.ts";
import { unitPrices } from "../../src/catalog/unit-price/unit-prices.ts";
import { keepMaximumAge } from "../../src/crawl/learning/max-age.ts";
import { ensureJobs, readLastRuns, startRun, updateJob } from "../../src/crawl/budget/jobs.ts";
import type { OpenDb } from "../../src/db/open.ts";
import { systemClock, type Clock } from "../../src/lib/clock.ts";
import { silentLogger as logger } from "../../src/lib/logger.ts";
import { runTasks, type Task } from "../../src/service/worker/run-tasks.ts";
import { createTaskLoop } from "../../src/service/worker/worker.ts";
import { runMaintenance } from "../support/maintenance.ts";
import { storeItems } from "../support/catalog.ts";
import { createTestDb, openPool, type TestDb } from "../support/postgres.ts";
import { searchItem } from "../support/products.ts";

const rules = { dailyLimit: 10_000, timezone: "Asia/Tokyo" };
const dayMs = 86_400_000;
const running = new AbortController().signal;

let test: TestDb;
let jobs: OpenDb;
let today: Date;
/** Days pass by hand; the pause before another try is short. */
const clock: Clock = {
  ...systemClock,
  now: () => today,
  sleep: (ms, signal) => systemClock.sleep(ms === 30_000 ? 10 : ms, signal),
};

beforeEach(async () => {
  test = await createTestDb();
  jobs = openPool(test.url, {
    applicationName: "jobs",
    maxConnections: 1,
    statementTimeoutMs: 2000,
  });
  today = new Date("2026-06-10T03:00:00Z");
  await rememberTimezone(test.db, "Asia/Tokyo", today);
  await ensureJobs(test.db, today);
  await updateJob(test.db, "housekeeping", { settings: { keep_calls_days: 30 } }, today);
});
afterEach(async () => {
  await jobs.close();
  await test.close();
});

/** What one day leaves behind for each task. */
async function liveOneDay(): Promise<void> {
  const at = today.toISOString();
  const old = new Date(today.getTime() - 60 * dayMs).toISOString();
  await storeItems(test.db, at, [searchItem(1, { price: 1000 + today.getUTCDate() })]);
  await test.db.execute(sql`
    update product_schedule set due_at = checked_at + interval '900 days' where item_id = 1`);
  await test.db.execute(sql`
    insert into job_run (job, trigger, started_at, finished_at, outcome)
    values ('feed', 'cron', ${old}, ${old}, 'done')`);
  await test.db.execute(sql`
    insert into refresh_request (item_id, requested_at, due_at, done_at, outcome)
    values (1, ${old}, ${old}, ${old}, 'answered')`);
  await test.db.execute(sql`
    insert into mirror_batch (index_uid, lease_epoch, operation, rows, state, created_at, updated_at)
    values ('products_v1', 1, 'replace', '[]', 'succeeded', ${old}, ${old})`);
  await test.db.execute(sql`
    insert into api_call (day, purpose, operation, job, params, reserved_at, finished_at, outcome, duration_ms, changed)
    values (${old}::timestamptz::date, 'revalidation', 'refresh', 'revalidate', '{}', ${old}, ${old}, 'ok', 5, 0)`);
  await test.db.execute(sql`
    insert into demand (item_id, score, updated_at) values (99, 0.001, ${old})
    on conflict (item_id) do update set updated_at = excluded.updated_at`);
  await test.db.execute(sql`
    insert into click (day, key_id, src, item_id, clicks)
    select ${at}::timestamptz::date - age, 0, '', 1, 1 from (values (0), (500)) x(age)`);
}

/** What is left to do of each task's work. */
async function readLeft(): Promise<Record<string, number>> {
  const yesterday = new Date(today.getTime() - dayMs + 9 * 3_600_000).toISOString().slice(0, 10);
  const [row] = await test.db.execute<Record<string, number>>(sql`
    select
      (select count(*) from product_schedule where due_at > checked_at + interval '40 days') as "maximum-age",
      (select count(*) from api_call where finished_at < ${today.toISOString()}::timestamptz - interval '30 days') as calls,
      (select (not exists (select from shop_day where day = ${yesterday}::date))::int) as "shop-days",
      (select count(*) from job_run where finished_at < ${today.toISOString()}::timestamptz - interval '30 days') as "job-runs",
      (select count(*) from refresh_request) as "refresh-requests",
      (select count(*) from mirror_batch) as "mirror-batches",
      (select count(*) from click where day < ${today.toISOString()}::timestamptz::date - 400) as clicks,
      (select count(*) from demand) as demand`);
  return row ?? {};
}

const nothingLeft = {
  "maximum-age": 0,
  calls: 0,
  "shop-days": 0,
  "job-runs": 0,
  "refresh-requests": 0,
  "mirror-batches": 0,
  clicks: 0,
  demand: 0,
};

async function keepDaily(): Promise<void> {
  await startRun(test.db, "housekeeping", "manual", today);
  const unused = async () => {};
  const chore = createTaskLoop(
    {
      jobsDb: jobs.db,
      clock,
      logger,
      rules,
      verifyMirror: unused,
      publishSnapshot: unused,
      archiveMonths: unused,
    },
    "housekeeping",
  );
  await chore(running);
}

describe("daily upkeep", () => {
  it("B16: a task that always fails and one that never ends in time keep no other from its work, on any day", async () => {
    await test.db.execute(sql`
      create function fail() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$`);
    await test.db.execute(sql`
      create function hang() returns trigger language plpgsql as $$ begin perform pg_sleep(60); return old; end $$`);
    await test.db.execute(sql`
      create trigger fail before insert on shop_day for each row execute function fail()`);
    await test.db.execute(sql`
      create trigger hang before delete on job_run for each row execute function hang()`);
    await liveOneDay();
    const faultyDays = inject("long") ? 3 : 1;
    for (let day = 1; day <= faultyDays; day += 1) {
      today = new Date(today.getTime() + dayMs);
      await liveOneDay();
      await keepDaily();
      expect(await readLeft()).toEqual({ ...nothingLeft, "shop-days": 1, "job-runs": day + 1 });
      const { last } = await readLastRuns(test.db, "housekeeping");
      expect(last).toMatchObject({ outcome: "failed", finishedAt: today });
      expect(last?.error).toMatch(/^failed of 28 tasks: shop-days, job-runs \(/);
    }

    await test.db.execute(sql`drop trigger fail on shop_day`);
    await test.db.execute(sql`drop trigger hang on job_run`);
    await keepDaily();
    expect(await readLeft()).toEqual(nothingLeft);
    expect((await readLastRuns(test.db, "housekeeping")).last).toMatchObject({ outcome: "done" });
    const days = await test.db.execute(sql`select distinct day from shop_day`);
    expect(days).toHaveLength(faultyDays);
  });

  it("B16: a task that takes too long is cut, goes on after the others, and is named", async () => {
    const order: string[] = [];
    const slow: Task = {
      name: "slow",
      async run(signal) {
        order.push("slow");
        while (!signal.aborted) await new Promise(setImmediate);
      },
    };
    const quick: Task = { name: "quick", run: async () => void order.push("quick") };
    const hurried = {
      ...systemClock,
      sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(ms / 10_000, signal),
    };
    const failures = await runTasks([slow, quick], { clock: hurried, logger }, running);
    expect(order).toEqual(["slow", "quick", "slow", "slow"]);
    expect([...failures]).toEqual([
      ["slow", "not finished within 10 min; it continues from there"],
    ]);
  });

  it("B16: no statement reads a whole table of products, or more rows of it than the work needs", async () => {
    const late = inject("long") ? 2500 : 200;
    await fillCatalogue(late);
    // Once after an update that reads titles or barcodes in a new way, and never again.
    for (const rewriting of [unitPrices, productTexts, barcodes])
      await rewriteInSlices(jobs.db, running, rewriting);
    const before = await readScans();
    await keepMaximumAge(jobs.db, clock, rules);
    await runMaintenance(jobs.db, today, { keep_calls_days: 30, keep_confirmations_months: 2 });
    const after = await readScans();
    expect(after.scans - before.scans).toBe(0);
    // Those brought forward, each read a few times over, and as many of a dropped month, joined.
    expect(after.fetched - before.fetched).toBeLessThan(16 * late);
    const [left] = await test.db.execute(sql`
      select (select count(*) from product_schedule where due_at - checked_at > interval '40 days') as late,
        (select count(*) from api_call) as calls, (select count(*) from call_day) as sums`);
    expect(left).toEqual({ late: 0, calls: 1, sums: 1 });
  });
});

/** One of 48 products lies beyond the maximum age, `late` in all; 5,000 calls that may be forgotten, but for one. */
async function fillCatalogue(late: number): Promise<void> {
  const at = today.toISOString();
  await test.db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(sql`
      insert into shop (shop_id, shop_name, shop_url, first_seen_at, checked_at)
      select 'shop-' || s, '店', 'https://example.com/', ${at}::timestamptz - interval '3 days', ${at}
      from generate_series(1, 200) s`);
    await tx.execute(sql`
      insert into product (item_id, shop_id, ver, state, title, detail, price, stock, visible, list_order, images,
        variations, categories, modified, first_seen_at, checked_at, changed_at, price_since, last_call_id, deleted_at, deleted_call_id)
      select i, 'shop-' || 1 + i % 200, 1, case when i % 1000 = 1 then 'gone' else 'live' end, '革財布', '', 1, 1, 1, 1,
        '[]', '[]', '[]', 1, t, t, t, t, 1,
        case when i % 1000 = 1 then t end, case when i % 1000 = 1 then i end
      from generate_series(1, ${48 * late}::int) i, (values (${at}::timestamptz - interval '3 days')) x(t)`);
    await tx.execute(sql`
      insert into product_schedule (item_id, shop_id, checked_at, due_at)
      select item_id, shop_id, checked_at,
        checked_at + case when item_id % 48 = 0 then interval '900 days' else interval '1 day' end
      from product where state <> 'gone'`);
    await tx.execute(sql`
      insert into price_interval (item_id, first_seen, price, stock, call_id)
      select item_id, first_seen_at, 1, 1, 1 from product where item_id <= ${late}::int`);
    await tx.execute(sql`
      insert into api_call (day, purpose, operation, job, params, reserved_at, finished_at, outcome, duration_ms)
      select t::date, 'revalidation', 'refresh', 'revalidate', '{}', t, t, 'ok', 5
      from generate_series(1, 5000) i, (values (${at}::timestamptz - interval '60 days')) x(t)`);
    await tx.execute(
      sql`update product set deleted_call_id = 1000000 + item_id where state = 'gone' and item_id > 1`,
    );
  });
  await test.db.execute(sql`analyze`);
}

/** Of both tables of products, as Postgres itself counts. */
async function readScans(): Promise<{ scans: number; fetched: number }> {
  await jobs.db.execute(sql`select pg_stat_force_next_flush()`);
  await jobs.db.execute(sql`select pg_stat_clear_snapshot()`);
  const [row] = await jobs.db.execute<{ scans: number; fetched: number }>(sql`
    select sum(seq_scan)::int as scans, sum(idx_tup_fetch)::int as fetched from pg_stat_user_tables
    where relname in ('product', 'product_schedule')`);
  return row ?? { scans: -1, fetched: -1 };
}
