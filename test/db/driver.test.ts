import { sql } from "drizzle-orm";
import { describe, expect, inject, it, onTestFinished } from "vitest";
import type { Db } from "../../src/db/open.ts";
import { isOutage, transact } from "../../src/db/transact.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { createRandom } from "../../src/lib/random.ts";
import { openedForAll } from "../support/opened.ts";
import { createTestDb, openPool } from "../support/postgres.ts";
import { until } from "../support/until.ts";

const rounds = inject("long") ? 100 : 12;
const writers = 24;

const test = openedForAll(createTestDb);
const pool = openedForAll(async () => {
  await test.db.execute(sql`create table written (writer int, n int, primary key (writer, n))`);
  return openPool(test.url, { applicationName: "victim", maxConnections: 8 });
});

/** Writes on until told, remembers what was acknowledged, and counts how often the database went away. */
async function write(
  writer: number,
  signal: AbortSignal,
): Promise<{ acknowledged: number; outages: number }> {
  let outages = 0;
  let n = 0;
  while (!signal.aborted) {
    try {
      await transact(pool.db, systemClock, async (tx) => {
        await tx.execute(sql`insert into written values (${writer}, ${n}) on conflict do nothing`);
        await tx.execute(sql`select count(*) from written where writer = ${writer}`);
      });
      n += 1;
    } catch (error) {
      if (!isOutage(error)) throw error;
      outages += 1;
    }
  }
  return { acknowledged: n, outages };
}

describe("the driver", () => {
  it("D2, D6, D8: rounds of killed sessions under load lose no write, hang nothing, and the pool is well again at once", async () => {
    const random = createRandom(7);
    const over = new AbortController();
    const writing = Array.from({ length: writers }, (_, writer) => write(writer, over.signal));
    let slowestMs = 0;
    let killed = 0;
    for (let round = 0; round < rounds; round += 1) {
      const share = random.pick([0.15, 0.4, 0.7, 1]);
      const rows = await test.db.execute(sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'victim' and datname = current_database() and random() < ${share}`);
      killed += rows.length;
      const began = performance.now();
      await Promise.all(Array.from({ length: 8 }, () => answers(pool.db)));
      slowestMs = Math.max(slowestMs, performance.now() - began);
    }
    over.abort();
    const done = await Promise.all(writing);
    const acknowledged = done.reduce((sum, one) => sum + one.acknowledged, 0);
    const [row] = await test.db.execute<{ n: number }>(sql`select count(*) as n from written`);
    expect(killed).toBeGreaterThan(rounds);
    expect(slowestMs).toBeLessThan(5000);
    expect(row?.n).toBeGreaterThanOrEqual(acknowledged);
    expect(row?.n).toBeLessThanOrEqual(acknowledged + writers);
  });

  it.each([false, true])(
    "D2, D6: a transaction that is cut fails with all its statements, and its connection is opened anew (pooled: %s)",
    async (pooled) => {
      const { db, close } = openPool(test.url, {
        applicationName: "cut",
        maxConnections: 1,
        pooled,
      });
      onTestFinished(close);
      for (let round = 0; round < 3; round += 1) {
        const settled: string[] = [];
        const transaction = db.transaction(async (tx) => {
          const sleeping = sql`select pg_sleep(300)`;
          const all = await Promise.allSettled([tx.execute(sleeping), tx.execute(sql`select 1`)]);
          settled.push(...all.map(({ status }) => status));
          return tx.execute(sql`select 2`);
        });
        const cut = Promise.allSettled([transaction]);
        const kill = async () =>
          test.db.execute(sql`
            select pg_terminate_backend(pid) from pg_stat_activity
            where application_name = 'cut' and datname = current_database() and query like '%pg_sleep(300)%'`);
        await until(async () => (await kill()).length > 0, { what: "a session to end" });
        const [outcome] = await cut;
        expect(outcome.status === "rejected" && isOutage(outcome.reason)).toBe(true);
        await until(() => settled.length > 0, { what: "its statements" });
        expect(settled).toEqual(["rejected", "rejected"]);
        expect([...(await answers(db))]).toEqual([{ n: 1 }]);
      }
    },
  );

  it("D12: lets no statement wait behind a slow one while another connection is free", async () => {
    const { db, close } = openPool(test.url, { maxConnections: 2 });
    onTestFinished(close);
    let ended: string[] = [];
    const ask = async (name: string, seconds: number) => {
      await db.execute(sql.raw(`select pg_sleep(${seconds})`));
      ended.push(name);
    };
    const quick = Array.from({ length: 9 }, (_, n) => `quick ${n}`);
    await Promise.all([ask("to open it", 0.1), ask("and the other", 0.1)]);
    ended = [];
    await Promise.all([ask("slow", 1), ...quick.map((name) => ask(name, 0))]);
    expect(ended).toEqual([...quick, "slow"]);
  });

  it("answers with its own rows alone after a statement that failed amid its rows", async () => {
    const { db, close } = openPool(test.url, { applicationName: "failing", maxConnections: 1 });
    onTestFinished(close);
    for (const failing of [
      sql`select 1 / (x - 500) from generate_series(1, 1000) x`,
      sql`select case when x = 500 then pg_terminate_backend(pg_backend_pid()) end from generate_series(1, 100000) x`,
    ]) {
      await expect(db.execute(failing)).rejects.toThrow();
      expect([...(await answers(db))]).toEqual([{ n: 1 }]);
    }
  });
});

/** A query of somebody who asks again when the session dies under it. */
async function answers(db: Db) {
  for (;;) {
    try {
      return await db.execute(sql`select 1 as n`);
    } catch (error) {
      if (!isOutage(error)) throw error;
    }
  }
}
