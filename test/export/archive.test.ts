import { rm, truncate } from "node:fs/promises";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { sql } from "drizzle-orm";
import {
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  inject,
  it,
  onTestFinished,
} from "vitest";
import { rememberTimezone } from "../../src/catalog/analytics.ts";
import { readDays, readIntervals } from "../../src/catalog/history/history.ts";
import { readLows } from "../../src/catalog/history/lows.ts";
import { rollUpCalls } from "../../src/catalog/history/roll-ups.ts";
import { backUp, restore } from "../../src/db/backup/backup.ts";
import { makeMonths, monthStart, readPartitions } from "../../src/db/months.ts";
import { archiveMonths } from "../../src/export/archive.ts";
import { readManifest } from "../../src/export/manifest.ts";
import { must } from "../../src/lib/must.ts";
import { clockAt } from "../support/api.ts";
import { storeItems } from "../support/catalog.ts";
import { openTransaction } from "../support/open-transaction.ts";
import { createTestDb, type ClonedDb } from "../support/postgres.ts";
import { searchItem } from "../support/products.ts";
import { until } from "../support/until.ts";
import { itLong } from "../support/it-long.ts";

const timezone = "Asia/Tokyo";
const monthsOfHistory = inject("long") ? 22 : 16;
const items = [1, 2, 3, 4];
const running = new AbortController().signal;

let test: ClonedDb;
let folder: string;
let start: Date;
let count = 0;

const monthsOn = (months: number, days = 0) =>
  new Date(new Date(monthStart(start, months)).getTime() + days * 86_400_000);

/** Which price a product has in a month: one never changes, one was cheapest at first, two move. */
const priceOf = (item: number, month: number) =>
  ({ 1: 5000, 2: 1000 + month * 10 })[item] ?? 3000 + ((month * item * 7) % 11) * 100;

let filled: string;
beforeAll(async () => {
  test = await createTestDb();
  start = new Date((await readPartitions(test.db, "price_interval"))[0]?.until ?? "");
  await rememberTimezone(test.db, timezone, start);
  for (let month = -2; month < monthsOfHistory; month += 1) {
    await makeMonths(test.db, monthsOn(month));
    for (const day of [0, 13]) {
      const at = monthsOn(month, day).toISOString();
      await storeItems(
        test.db,
        at,
        items.map((id) => searchItem(id, { price: priceOf(id, month), properPrice: 9000 })),
      );
      await test.db.execute(sql`
        insert into api_call (account, day, purpose, operation, job, params, reserved_at, finished_at, outcome, created)
        values (${day === 0 ? "default" : "second"}, ${at}::timestamptz::date, 'discovery', 'search', 'discover',
          '{"q":"財布"}', ${at}, ${at}, 'ok', 1)`);
    }
  }
  await test.db.execute(sql`
    update product set state = 'gone', deleted_at = checked_at,
      deleted_call_id = (select min(id) from api_call) where item_id = 4`);
  await rollUpCalls(test.db, now());
  filled = await test.keep();
});
beforeEach(async () => {
  test = await createTestDb(filled);
  folder = join(inject("runDir"), `archive-${(count += 1)}`);
});
afterEach(async () => {
  await test.close();
  await rm(folder, { recursive: true, force: true });
});

const now = () => monthsOn(monthsOfHistory);
const keepMonths = 13;
/** From when on everything is kept. */
const seam = () => monthsOn(monthsOfHistory - keepMonths);

const archive = (signal = running) =>
  archiveMonths(
    { db: test.db, databaseUrl: test.url, clock: clockAt(now().toISOString()), folder },
    keepMonths,
    signal,
  );

async function readAll(from: Date) {
  const [intervals, days, prices] = [[], [], []] as unknown[][];
  for (const id of items) {
    intervals?.push(await readIntervals(test.db, id, { since: from, limit: 1000 }));
    const product = { itemId: id, firstSeenAt: monthsOn(-2), checkedAt: now() };
    days?.push((await readDays(test.db, product, { since: from, limit: 400, timezone })).rows);
    for (let at = from; at < now(); at = new Date(at.getTime() + 20 * 86_400_000))
      prices?.push(
        await test.db.execute(
          sql`select * from analytics.price_at(${id}, ${at.toISOString()}::timestamptz)`,
        ),
      );
  }
  const lows = await readLows(test.db, items, now());
  const withoutSample = [...lows].map(([id, { all, ...periods }]) => [
    id,
    { ...periods, all: all && { price: all.price, at: all.at } },
  ]);
  const reductions = await test.db.execute(
    sql`select * from analytics.reductions order by item_id`,
  );
  return { intervals, days, prices, lows: withoutSample, reductions };
}

async function countRows({ db } = test) {
  const [row] = await db.execute<{ intervals: number; calls: number }>(sql`
    select (select count(*)::int from price_interval) as intervals, (select count(*)::int from api_call) as calls`);
  return must(row, "counts");
}

describe("the archive", () => {
  it("takes whole months, and what is asked of the kept months has the same answers as before", async () => {
    const before = await readAll(seam());
    const all = await countRows();
    const dropped = await test.db.execute<{ intervals: number; calls: number }>(sql`
      select (select count(*)::int from price_interval where first_seen < ${seam().toISOString()}) as intervals,
        (select count(*)::int from api_call where day < ${seam().toISOString()}::timestamptz::date) as calls`);
    await archive();
    expect(await readAll(seam())).toEqual(before);
    const { intervals = 0, calls = 0 } = dropped[0] ?? {};
    // Of each product the value at the seam stays, and the call that proves the deletion.
    expect(await countRows()).toEqual({
      intervals: all.intervals - intervals + items.length,
      calls: all.calls - calls + 1,
    });
    const { files } = await readManifest(folder);
    const rowsOf = (table: string) =>
      files.filter(({ dataset }) => dataset === table).reduce((sum, { rows }) => sum + rows, 0);
    expect([rowsOf("price_interval"), rowsOf("api_call")]).toEqual([intervals, calls]);
    const duck = await (await DuckDBInstance.create(":memory:")).connect();
    const read = await duck.runAndReadAll(`
      select count(*)::int, count(distinct item_id)::int, min(price)::int from '${folder}/price_interval-*.parquet'`);
    expect(read.getRowsJson()).toEqual([[intervals, items.length, 980]]);
    const accounts = await duck.runAndReadAll(`
      select account, count(*)::int from '${folder}/api_call-*.parquet' group by all order by all`);
    expect(accounts.getRowsJson()).toEqual([
      ["default", calls / 2],
      ["second", calls / 2],
    ]);
    const [first] = await readPartitions(test.db, "price_interval");
    expect(first?.until).toBe(seam().toISOString());
  });

  it("is written by one process at a time, also if another took over while it went on", async () => {
    const before = await test.db.execute(sql`
      select count(*)::int, min(price)::int from price_interval where first_seen < ${seam().toISOString()}`);
    const ends = await Promise.allSettled([archive(), archive()]);
    const failures = ends.flatMap((end) => (end.status === "rejected" ? [String(end.reason)] : []));
    expect(failures.filter((text) => text !== "Error: another process is archiving")).toEqual([]);
    await archive();
    const duck = await (await DuckDBInstance.create(":memory:")).connect();
    const read = await duck.runAndReadAll(
      `select count(*)::int as count, min(price)::int as min from '${folder}/price_interval-*.parquet'`,
    );
    expect(read.getRowObjectsJson()).toEqual([...before]);
  });

  itLong("does not call a product unseen whose history it took", async () => {
    await archive();
    const at = monthsOn(1, 3).toISOString();
    const [row] = await test.db.execute(
      sql`select * from analytics.price_at(2, ${at}::timestamptz)`,
    );
    expect(row).toMatchObject({ state: "unknown", price: null });
  });

  itLong(
    "goes on where it was stopped, writes lost files again, and does nothing twice",
    async () => {
      const stopped = new AbortController();
      stopped.abort();
      const all = await countRows();
      const before = await readAll(seam());
      await archive(stopped.signal);
      expect(await countRows()).toEqual(all);
      // A swap that cannot get its lock leaves files and copies behind.
      const leave = await openTransaction(test.db, (tx) =>
        tx.execute(sql`select from price_interval limit 1`),
      );
      await expect(archive()).rejects.toThrow();
      expect(await countRows()).toEqual(all);
      await leave();
      const { files } = await readManifest(folder);
      await truncate(join(folder, must(files[0], "a file").file), 4);
      await archive();
      expect(await readAll(seam())).toEqual(before);
      const done = await readManifest(folder);
      await archive();
      expect(await readManifest(folder)).toEqual(done);
      expect(await readAll(seam())).toEqual(before);
    },
  );

  itLong("loses nothing to a backup that began before it and ends after it", async () => {
    const leave = await openTransaction(test.db, (tx) =>
      tx.execute(sql`lock table alert_event in access exclusive mode`),
    );
    const copy = join(folder, "backup");
    const backup = backUp(test.url, copy, now());
    const waiting = () =>
      test.db.execute(sql`
        select from pg_stat_activity where datname = current_database() and application_name = 'kurabe:backup'
          and wait_event_type = 'Lock'`);
    await until(async () => (await waiting()).length > 0, {
      what: "the backup to wait",
      timeoutMs: 20_000,
    });
    await archive();
    await leave();
    await backup;
    const kept = await countRows();
    const place = await createTestDb();
    onTestFinished(place.close);
    await restore(place.url, copy);
    expect(await countRows(place)).toEqual(kept);
  });

  it("keeps calls until they are summed", async () => {
    await test.db.execute(sql`delete from call_day`);
    await expect(archive()).rejects.toThrow("not summed");
  });
});
