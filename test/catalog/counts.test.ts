import { readFile } from "node:fs/promises";
import { sql } from "drizzle-orm";
import { describe, expect, inject, it } from "vitest";
import { readCategories, keepCounts, readMost } from "../../src/catalog/counts.ts";
import { settleAbsences } from "../../src/catalog/observing/deletions.ts";
import { observeSearch } from "../../src/catalog/observing/observe.ts";
import { readBiggestShops } from "../../src/catalog/shops.ts";
import { readCatalogStatus } from "../../src/catalog/status/status.ts";
import type { Tx } from "../../src/db/open.ts";
import { databaseErrorCode, isOutage, transact } from "../../src/db/transact.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { must } from "../../src/lib/must.ts";
import { differingCounts } from "../chaos/checks/counts.ts";
import { fillCatalogue } from "../support/bulk-catalogue.ts";
import { openedForEach } from "../support/opened.ts";
import { createTestDb, openPool, type TestDb } from "../support/postgres.ts";
import { searchItem } from "../support/products.ts";
import { itLong } from "../support/it-long.ts";

/** What operators are told to do to have everything counted anew, without its transaction. */
const operations = await readFile("infra/operations.md", "utf8");
const documentedReset = must(
  /begin;\n(lock table product.*?)commit;/s.exec(operations)?.[1],
  "a reset",
);

const isLong = inject("long");
const test = openedForEach(createTestDb);

const HOUR = 3_600_000;
const start = Date.UTC(2026, 0, 1);
const at = (ms: number) => new Date(start + ms);
/** By a connection of its own: those of the pool may have been killed. */
async function differing(): Promise<object[]> {
  const own = openPool(test.url, { applicationName: "recount", maxConnections: 1 });
  const rows = await own.db.execute(sql.raw(differingCounts));
  await own.close();
  return [...rows];
}

const commitsPerKill = 4;
let committed = 0;

/** Until it has committed, however often it is killed. */
async function commit(work: (tx: Tx) => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await test.db.transaction(work);
      committed += 1;
      return;
    } catch (error) {
      if (databaseErrorCode(error) === null) throw error;
    }
  }
}

/** Six lanes write the same shops and categories: new, changed, moved, deleted and returned products. */
async function write(turns: number): Promise<void> {
  const lane = async (nr: number) => {
    for (let turn = 0; turn < turns; turn += 1) {
      const sentAt = at(turn * HOUR + nr * 1000);
      const ids = Array.from({ length: 20 }, (_, i) => 1 + ((nr * 7 + turn * 11 + i) % 60));
      const items = ids.map((id) =>
        searchItem(id, {
          shopId: `s-${1 + ((id + turn) % 3)}`,
          stock: (id + turn + nr) % 3,
          categories: ["バッグ", `c-${(id + nr + turn) % 4}`, "バッグ"],
        }),
      );
      const shopId = `s-${1 + (turn % 3)}`;
      const [absent = 0] = ids;
      await commit((tx) => observeSearch(tx, { callId: 1, sentAt }, { items, broken: [] }));
      await commit((tx) =>
        settleAbsences(
          tx,
          { callId: 1, sentAt: at(turn * HOUR + nr * 1000 + 500) },
          { shopId, asked: [absent], returned: [], anonymous: false, confirmsEmpty: true },
        ),
      );
    }
  };
  await Promise.all(Array.from({ length: 6 }, (_, nr) => lane(nr)));
}

/** Ends a transaction somewhere in its middle after every few that have committed, until it is told to stop; returns how many. */
async function kill(stop: AbortSignal): Promise<number> {
  const own = openPool(test.url, {
    applicationName: "killer",
    maxConnections: 1,
    statementTimeoutMs: 5000,
  });
  let killed = 0;
  let next = committed + commitsPerKill;
  while (!stop.aborted) {
    await systemClock.sleep(5, stop);
    if (committed < next) continue;
    next = committed + commitsPerKill;
    const rows = await own.db.execute(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'kurabe:test' and xact_start is not null
      order by random() limit 1`);
    killed += rows.length;
  }
  await own.close();
  return killed;
}

/** As often as a worker does that is busy; without the pause two of them would be all that the machine does. */
async function keep(stop: AbortSignal, limit: number): Promise<void> {
  while (!stop.aborted) {
    await keepCounts(test.db, systemClock, limit).catch(() => {});
    await systemClock.sleep(isLong ? 0 : 10, stop);
  }
}

async function sumAll(): Promise<void> {
  for (;;) {
    try {
      if ((await keepCounts(test.db, systemClock, 100)) > 0) return;
    } catch (error) {
      if (!isOutage(error)) throw error;
    }
  }
}

describe("kept counts", () => {
  it("equal a recount under concurrent writers, several who sum, and kills in the middle", async () => {
    const stop = new AbortController();
    const others = Promise.all([keep(stop.signal, 7), keep(stop.signal, 50), kill(stop.signal)]);
    await write(isLong ? 40 : 4);
    stop.abort();
    expect((await others)[2]).toBeGreaterThan(0);
    expect(await differing()).toEqual([]);
    await sumAll();
    expect(await differing()).toEqual([]);
    const [left] = await test.db.execute(sql`
      select (select count(*) from count_change) as changes,
        (select json_agg(k) from kept_count k where n = 0 and name not in ('shop', 'table')) as zeros`);
    expect(left).toEqual({ changes: 0, zeros: null });
  });

  itLong("control: sums taken in two statements lose what is written between them", async () => {
    const stop = new AbortController();
    const naive = async () => {
      while (!stop.signal.aborted) {
        await test.db.execute(sql`
          insert into kept_count as k (name, key, n)
          select name, key, sum(n) from count_change group by 1, 2 order by 1, 2
          on conflict (name, md5(key)) do update set n = k.n + excluded.n`);
        await test.db.execute(sql`delete from count_change`);
      }
    };
    const summing = naive();
    await write(8);
    stop.abort();
    await summing;
    expect(await differing()).not.toEqual([]);
  });

  it("keep no writer of a category waiting for an open transaction that wrote it", async () => {
    const lists = { broken: [] };
    await transact(test.db, systemClock, (tx) =>
      observeSearch(
        tx,
        { callId: 1, sentAt: at(0) },
        { items: [searchItem(1), searchItem(2, { shopId: "s-2" })], ...lists },
      ),
    );
    const add = (tx: Tx, shopId: string, id: number) =>
      tx.execute(sql`
        update product set categories = '["ほか"]', checked_at = checked_at + interval '1 s' where item_id = ${id} and shop_id = ${shopId}`);
    await test.db.transaction(async (open) => {
      await add(open, "shop-1", 1);
      await test.db.transaction(async (tx) => {
        await tx.execute(sql`set local lock_timeout = '1s'`);
        await add(tx, "s-2", 2);
      });
      expect(await keepCounts(test.db, systemClock)).toBeGreaterThan(0);
    });
    expect(await differing()).toEqual([]);
  });

  itLong(
    "of products from before are made in slices while others write, also after a stop",
    async () => {
      await test.db.execute(sql`alter table product disable trigger product_counts_inserted`);
      await fillCatalogue(test.db, { shops: 3, each: isLong ? 500 : 120, at: at(-HOUR) });
      await test.db.execute(sql`alter table product enable trigger product_counts_inserted`);
      await write(1);
      expect(await differing()).not.toEqual([]);
      await test.db.transaction((tx) => tx.execute(sql.raw(documentedReset)));
      const stop = new AbortController();
      const others = Promise.all([keep(stop.signal, 40), keep(stop.signal, 30), kill(stop.signal)]);
      await write(isLong ? 4 : 2);
      stop.abort();
      await others;
      await sumAll();
      expect(await differing()).toEqual([]);
      expect(await test.db.execute(sql`select counted_to from count_head`)).toEqual([
        { counted_to: null },
      ]);
    },
  );
});

describe("what is read of kept counts", () => {
  it("is the same before and after changes are summed", async () => {
    const read = async () => ({
      status: await readCatalogStatus(test.db, at(50 * HOUR)),
      shops: await readBiggestShops(test.db, { limit: 2, offset: 1 }),
      categories: await readCategories(test.db, { limit: 10, offset: 0 }),
    });
    await write(isLong ? 3 : 1);
    await sumAll();
    await write(isLong ? 5 : 2);
    const before = await read();
    expect(before.categories.map(({ category }) => category)).toContain("バッグ");
    await sumAll();
    expect(await read()).toEqual(before);
    const [status] = await test.db.execute<{ p50: number; p95: number; oldest: number }>(sql`
      select percentile_disc(0.5) within group (order by age)::float8 as p50,
        percentile_disc(0.95) within group (order by age)::float8 as p95, max(age)::float8 as oldest
      from (select extract(epoch from ${at(50 * HOUR).toISOString()}::timestamptz - checked_at) as age
        from product where state <> 'gone') p`);
    const { freshness } = before.status;
    const spread = [
      (freshness?.p50Seconds ?? 0) - (status?.p50 ?? 0),
      (freshness?.p95Seconds ?? 0) - (status?.p95 ?? 0),
      (freshness?.oldestSeconds ?? 0) - (status?.oldest ?? 0),
    ];
    for (const error of spread) expect(error).toBeGreaterThanOrEqual(0);
    for (const error of spread) expect(error).toBeLessThan(1);
  });

  it("costs no scan of products, whatever their number", async () => {
    await fillCatalogue(test.db, { shops: 50, each: isLong ? 200 : 20, at: at(-HOUR) });
    await sumAll();
    await test.db.execute(sql`analyze kept_count, count_change`);
    await test.db.transaction(async (tx) => {
      const db = tx as unknown as TestDb["db"];
      const looks = async () => {
        const [row] = await db.execute<{ n: number }>(sql`
          select sum(seq_scan + coalesce(idx_scan, 0))::bigint as n from pg_stat_xact_user_tables
          where relname in ('product', 'product_schedule', 'mirror', 'shop', 'quarantine', 'held_deletion')`);
        return row?.n ?? 0;
      };
      const before = await looks();
      await readCatalogStatus(db, at(0));
      await readMost(db, "shop", { limit: 20, offset: 0 });
      await readCategories(db, { limit: 20, offset: 0 });
      expect(await looks()).toBe(before);
    });
  });
});
