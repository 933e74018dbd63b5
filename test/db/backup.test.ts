import { randomBytes } from "node:crypto";
import { appendFile, cp, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from "vitest";
import { deleteSavedSearch } from "../../src/alerts/saved-searches.ts";
import { type DayRules, callsToday } from "../../src/crawl/budget/accounts.ts";
import { readBudget } from "../../src/crawl/budget/budget-today.ts";
import { backUp, restore, type BackupManifest } from "../../src/db/backup/backup.ts";
import { makeMonths } from "../../src/db/months.ts";
import type { Db } from "../../src/db/open.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { silentLogger } from "../../src/lib/logger.ts";
import { verifyMirror } from "../../src/search/mirror/proof/verify.ts";
import { createOwner, save } from "../support/alerts.ts";
import { createTestCrawl, type TestCrawl } from "../support/crawl.ts";
import { createTestMirror, drain, fillProducts, setPrice } from "../support/mirror.ts";
import { openTransaction } from "../support/open-transaction.ts";
import { until } from "../support/until.ts";
import { itLong } from "../support/it-long.ts";

const newFolder = () => `${inject("runDir")}/backup-${randomBytes(6).toString("hex")}`;

async function crawled(): Promise<TestCrawl> {
  const crawl = await createTestCrawl({ discovered: true });
  if (inject("long")) await crawl.run("revalidate");
  return crawl;
}

const tables = [
  "product",
  "shop",
  "variation",
  "price_interval",
  "api_call",
  "budget_day",
  "crawl_query",
  "job",
  "product_text",
  "confirmation",
];

/** Every row of what is kept, as text. */
async function contents(db: Db): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const table of tables) {
    const rows = await db.execute<{ n: number; hash: string }>(sql`
      select count(*) as n, md5(string_agg(t::text, '|' order by t::text)) as hash from ${sql.identifier(table)} t`);
    found[table] = rows[0];
  }
  return found;
}

describe("backup and restore", () => {
  let crawl: TestCrawl;
  const folder = newFolder();
  const now = systemClock.now();
  let manifest: BackupManifest;
  let before: Record<string, unknown>;
  let deletedSearch: number;
  beforeAll(async () => {
    crawl = await crawled();
    // Unlike a new place, this one has made its months.
    await makeMonths(crawl.db, new Date(now.getTime() + 300 * 86_400_000));
    const { ownerId } = await createOwner(crawl.db);
    await save(crawl.db, ownerId, {});
    deletedSearch = await save(crawl.db, ownerId, {});
    await crawl.db.transaction((tx) => deleteSavedSearch(tx, deletedSearch));
    before = await contents(crawl.db);
    manifest = await backUp(crawl.url, folder, now);
  });
  afterAll(() => crawl.close());

  it("a new place has the same catalogue, history, ledger and budget, and its index is rebuilt and proven", async () => {
    expect(manifest.tables.find((table) => table.name === "product")?.rows).toBeGreaterThan(50);

    const place = await createTestMirror();
    onTestFinished(place.close);
    await restore(place.url, folder);
    expect(await contents(place.db)).toEqual(before);
    const budget = await readBudget(place.db, now, crawl.rules);
    expect(budget.used).toBeGreaterThan(0);
    expect(budget).toEqual(await readBudget(crawl.db, now, crawl.rules));
    const headOf = async (db: Db) => (await db.execute(sql`select epoch from change_head`))[0];
    expect(await headOf(place.db)).not.toEqual(await headOf(crawl.db));
    const silent = sql`select from saved_search, change_head where judges_after > position`;
    expect(await place.db.execute(silent)).toHaveLength(0);

    await drain(place.db, place.start(), place.indexPrefix);
    const proof = await verifyMirror({
      ...place,
      clock: systemClock,
      logger: silentLogger,
    });
    const [live] = await place.db.execute<{ n: number }>(
      sql`select count(*) as n from product where state <> 'gone'`,
    );
    expect(proof).toMatchObject({ documents: live?.n, missing: 0, stale: 0, stray: 0 });

    // Numbers go on where they ended, and triggers are awake again.
    const [row] = await place.db.execute<{ id: number; last: number }>(sql`
      insert into api_call (day, purpose, operation, job, params, reserved_at)
      values ('2026-01-01', 'discovery', 'search', 'discover', '{}', now())
      returning id, (select max(id) from api_call) as last`);
    expect(row?.id).toBeGreaterThan(row?.last ?? Infinity);
    // The feed of a new saved search would show the events of a deleted one with its number.
    const { ownerId } = await createOwner(place.db);
    expect(await save(place.db, ownerId, {})).toBeGreaterThan(deletedSearch);
    await place.db.execute(
      sql`update product set ver = ver + 1 where item_id = (select min(item_id) from product)`,
    );
    const [dirty] = await place.db.execute(
      sql`select count(*) as n from mirror where desired_version > indexed_version`,
    );
    expect(dirty).toEqual({ n: 1 });
  });

  itLong(
    "counts calls of today that were made after the backup, or all that may have been",
    async () => {
      const { used, limit } = await readBudget(crawl.db, now, crawl.rules);
      const accounts = ["a", "b"].map((name, i) => ({
        name,
        dailyLimit: 1000 * (i + 1),
        timezone: "Asia/Tokyo",
      }));
      const usedAfter = async (calls: number | null, rules: DayRules = crawl.rules) => {
        const place = await createTestMirror();
        onTestFinished(place.close);
        await restore(place.url, folder, callsToday(now, rules, calls));
        return (await readBudget(place.db, now, rules)).accounts.map((day) => day.used);
      };
      expect(used).toBeGreaterThan(0);
      // Fewer than the backup knows of cannot be right.
      expect(await usedAfter(0)).toEqual([used]);
      expect(await usedAfter(limit + 1)).toEqual([limit + 1]);
      expect(await usedAfter(null, { ...crawl.rules, accounts })).toEqual([1000, 2000]);
    },
  );

  itLong(
    "takes its time whatever limits the role has, as behind a pooler, and is restored in spite of them",
    async () => {
      const [old, place] = [await createTestMirror(), await createTestMirror()];
      onTestFinished(old.close);
      onTestFinished(place.close);
      await fillProducts(old.db, 1, 5);
      for (const { db } of [old, place]) {
        const [database] = await db.execute<{ name: string }>(
          sql`select current_database() as name`,
        );
        const name = sql.identifier(database?.name ?? "");
        await db.execute(sql`alter database ${name} set statement_timeout = '1ms'`);
        await db.execute(sql`alter database ${name} set transaction_timeout = '100ms'`);
        await db.execute(
          sql`alter database ${name} set idle_in_transaction_session_timeout = '1ms'`,
        );
      }
      const short = newFolder();
      await backUp(old.url, short, now);
      await restore(place.url, short);
      expect(await contents(place.db)).toEqual(await contents(old.db));
    },
  );

  itLong("that is cut off leaves the former one in the folder as it was", async () => {
    const [old, place] = [await createTestMirror(), await createTestMirror()];
    onTestFinished(old.close);
    onTestFinished(place.close);
    await fillProducts(old.db, 1, 5);
    const twice = newFolder();
    await backUp(old.url, twice, now);
    await setPrice(old.db, 1, 77);
    const unwritable = `${twice}/webhook_delivery.copy.gz.part`;
    await mkdir(unwritable);
    await expect(backUp(old.url, twice, now)).rejects.toThrow("EISDIR");
    await rm(unwritable, { recursive: true });
    expect((await readdir(twice)).filter((name) => name.endsWith(".part"))).toEqual([]);
    await restore(place.url, twice);
    const [first] = await place.db.execute(sql`select price from product where item_id = 1`);
    expect(first?.price).toBe(1001);
  });

  it("are ended by a signal, whatever they wait for", async () => {
    const place = await createTestMirror();
    onTestFinished(place.close);
    const leave = await openTransaction(place.db, (tx) =>
      tx.execute(sql`lock table product in access exclusive mode`),
    );
    for (const [name, work] of [
      ["backup", (signal: AbortSignal) => backUp(place.url, newFolder(), now, signal)],
      ["restore", (signal: AbortSignal) => restore(place.url, folder, [], signal)],
    ] as const) {
      const stop = new AbortController();
      const ended = work(stop.signal).then(
        () => "done",
        (error: unknown) => error,
      );
      const waits = () =>
        place.db.execute(sql`
          select from pg_locks l join pg_stat_activity a using (pid)
          where not l.granted and a.datname = current_database() and a.application_name = 'kurabe:backup'`);
      await until(async () => (await waits()).length > 0, { what: `the ${name} to wait` });
      stop.abort(name);
      expect(await ended).toBe(name);
      await until(async () => (await waits()).length === 0, { what: `the ${name}'s end` });
    }
    await leave();
    if (inject("long")) await restore(place.url, folder);
  });

  itLong(
    "is refused while another one is being written to the same folder, and may go to another",
    async () => {
      const old = await createTestMirror();
      onTestFinished(old.close);
      const [first, second] = [newFolder(), newFolder()];
      const leave = await openTransaction(old.db, (tx) =>
        tx.execute(sql`lock table product in access exclusive mode`),
      );
      const writing = [backUp(old.url, first, now), backUp(old.url, second, now)];
      const waiting = () =>
        old.db.execute(sql`
        select from pg_stat_activity where datname = current_database() and application_name = 'kurabe:backup'
          and wait_event_type = 'Lock'`);
      await until(async () => (await waiting()).length === 2, { what: "both backups to wait" });
      await expect(backUp(old.url, first, now)).rejects.toThrow("another backup");
      await leave();
      await Promise.all(writing);
    },
  );

  it("refuses a changed file, a database in use, and another version's schema, and then changes nothing", async () => {
    await expect(restore(crawl.url, folder)).rejects.toThrow("in use");
    const place = await createTestMirror();
    onTestFinished(place.close);
    await place.db.execute(sql`
      update drizzle.__drizzle_migrations set created_at = created_at + 1
      where created_at = (select max(created_at) from drizzle.__drizzle_migrations)`);
    await expect(restore(place.url, folder)).rejects.toThrow("another version");
    const changed = newFolder();
    await cp(folder, changed, { recursive: true });
    await appendFile(`${changed}/product.copy.gz`, "x");
    await expect(restore(place.url, changed)).rejects.toThrow("differs from the file");
    await rm(`${changed}/product.copy.gz`);
    await expect(restore(place.url, changed)).rejects.toThrow("product.copy.gz is missing");
    await writeFile(`${changed}/manifest.json`, "{");
    await expect(restore(place.url, changed)).rejects.toThrow("no readable backup");
    await rm(`${changed}/manifest.json`);
    await expect(restore(place.url, changed)).rejects.toThrow(`${changed} has no backup`);
    expect(await place.db.execute(sql`select from product`)).toHaveLength(0);
  });
});
