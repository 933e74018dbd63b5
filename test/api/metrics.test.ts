import { setTimeout as pause } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { readBlockingTransaction } from "../../src/api/status/state.ts";
import { forAll, setBlock } from "../../src/crawl/safety/pause.ts";
import type { Db } from "../../src/db/open.ts";
import { databaseErrorCode } from "../../src/db/transact.ts";
import { createTestApi } from "../support/api.ts";
import { createTestClock } from "../support/clock.ts";
import { kurabeEnv } from "../support/kurabe-env.ts";
import { freePort } from "../support/free-port.ts";
import { onceStarted } from "../support/once-started.ts";
import { createTestDb, openPool } from "../support/postgres.ts";
import { killStarted, spawnKurabe } from "../support/processes.ts";
import { until } from "../support/until.ts";
import { itLong } from "../support/it-long.ts";

afterEach(killStarted);

/** NaN where it has no value. */
function valueOf(metrics: string, name: string): number {
  return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(metrics)?.[1]);
}

describe("metrics", () => {
  itLong("D11: tell of a transaction that stays open, until it ends", async () => {
    const test = await createTestDb();
    onTestFinished(test.close);
    const api = createTestApi(test.db);
    const ageSeconds = async () =>
      valueOf(
        await (await api.get("/metrics")).text(),
        "kurabe_database_oldest_transaction_seconds",
      );
    expect(await ageSeconds()).toBeLessThan(2);
    await test.db.transaction(async (tx) => {
      await tx.execute(sql`select 1`);
      await until(async () => (await ageSeconds()) > 2, { what: "its age" });
    });
    await until(async () => (await ageSeconds()) < 2, { what: "its end" });
  });

  it("tell of a transaction only while others wait for its locks, who give up after the time of their pool", async () => {
    const test = await createTestDb();
    onTestFinished(test.close);
    const patient = openPool(test.url, { applicationName: "patient" });
    onTestFinished(patient.close);
    const hasty = openPool(test.url, { applicationName: "hasty", lockTimeoutMs: 50 });
    onTestFinished(hasty.close);
    const { db } = patient;
    const ageSeconds = () => readBlockingTransaction(db);
    const write = sql`delete from revoked_session`;
    const held = await test.db.transaction(async (tx) => {
      await tx.execute(sql`lock table revoked_session in share mode`);
      expect(await ageSeconds()).toBe(0);
      const waiting = Promise.resolve(db.execute(write));
      await until(async () => (await ageSeconds()) > 0, { what: "its age" });
      expect(await hasty.db.execute(write).catch(databaseErrorCode)).toBe("55P03");
      return { waiting };
    });
    await held.waiting;
    expect(await ageSeconds()).toBe(0);
  });

  it("tell of a transaction that keeps all others from a table also between their tries", async () => {
    const test = await createTestDb();
    onTestFinished(test.close);
    await test.db.transaction(async (tx) => {
      await tx.execute(sql`lock table job_run in access exclusive mode`);
      expect(await readBlockingTransaction(test.db)).toBeGreaterThan(0);
    });
    expect(await readBlockingTransaction(test.db)).toBe(0);
  });

  it("are read one statement after another: a scrape leaves connections to operators", async () => {
    const test = await createTestDb();
    onTestFinished(test.close);
    expect((await createTestApi(test.db).get("/metrics")).status).toBe(200);
    // A pool opens a connection for a statement that finds none idle.
    const [opened] = await test.db.execute<{ n: number }>(sql`
      select count(*) as n from pg_stat_activity where datname = current_database()
        and backend_type = 'client backend'`);
    expect(opened?.n).toBeLessThanOrEqual(2);
  });

  it("lack only what a locked table has, and say that the database is up", async () => {
    const test = await createTestDb();
    onTestFinished(test.close);
    const hasty = openPool(test.url, { applicationName: "ops", lockTimeoutMs: 50 });
    onTestFinished(hasty.close);
    const read = async () =>
      (await createTestApi(test.db, { opsDb: hasty.db }).get("/metrics")).text();
    const namesIn = (metrics: string) => new Set(metrics.match(/^kurabe_\w+/gm));
    const whole = namesIn(await read());
    const lackingWith = async (table: string) => {
      const metrics = await test.db.transaction(async (tx) => {
        await tx.execute(sql`lock table ${sql.identifier(table)} in access exclusive mode`);
        return read();
      });
      expect(valueOf(metrics, "kurabe_database_up")).toBe(1);
      const found = namesIn(metrics);
      return [...whole].filter((name) => !found.has(name));
    };
    expect(await lackingWith("backoff")).toEqual(["kurabe_backoffs"]);
    const ofBudget = await lackingWith("budget_day");
    expect(ofBudget).toHaveLength(6);
    expect(ofBudget.filter((name) => !/^kurabe_(budget|account)_/.test(name))).toEqual([]);
  });

  it("tell in time that the database hangs", async () => {
    const clock = createTestClock();
    const hanging = { execute: () => new Promise(() => {}) } as unknown as Db;
    let answer: Response | null = null;
    const api = createTestApi(hanging, { clock });
    void api.get("/metrics").then((given) => (answer = given));
    await until(() => clock.sleepers() > 0, { what: "the request's limit" });
    const text = await until(
      async () => {
        await clock.advance(1000);
        return answer?.text();
      },
      { what: "the answer" },
    );
    expect(valueOf(text, "kurabe_database_up")).toBe(0);
    expect(clock.monotonicMs()).toBeLessThan(10_000);
  });

  it("tell that the upstream fails, also between two tries for which the pace lets wait", async () => {
    const test = await createTestDb();
    onTestFinished(test.close);
    const blocked = async (failures: number, untilMs: number) => {
      const span = forAll(new Date(Date.now() + untilMs));
      const block = { ...span, code: "network", failures, reason: "no answer" };
      await setBlock(test.db, block, new Date());
      const metrics = await (await createTestApi(test.db).get("/metrics")).text();
      return valueOf(metrics, "kurabe_crawl_blocked");
    };
    expect(await blocked(1, 60_000)).toBe(1);
    // One failure that was waited for is forgotten, however late the next call is.
    expect(await blocked(1, -60_000)).toBe(0);
    expect(await blocked(2, -60_000)).toBe(1);
    await test.db.execute(sql`insert into setting values ('crawl_paused', 'true', now())`);
    expect(await blocked(2, -60_000)).toBe(0);
  });

  it("tell for how long a product has been waiting to be matched", async () => {
    const test = await createTestDb();
    onTestFinished(test.close);
    const api = createTestApi(test.db);
    await test.db.execute(sql`
      insert into match_due (item_id, since, attempts)
      values (1, now() - interval '90 s', 0), (2, now() - interval '900 s', 3)`);
    const metrics = await (await api.get("/metrics")).text();
    expect(valueOf(metrics, "kurabe_matching_due_products")).toBe(2);
    expect(valueOf(metrics, "kurabe_matching_failing_products")).toBe(1);
    expect(Math.floor(valueOf(metrics, "kurabe_matching_lag_seconds"))).toBe(90);
  });

  itLong("P5: tell of an event loop that stalls", async () => {
    const test = await createTestDb();
    onTestFinished(test.close);
    const port = await freePort();
    const stalls = `setInterval(() => {
      const began = performance.now();
      while (performance.now() - began < 1200);
    }, 5000)`;
    spawnKurabe(["api"], {
      env: {
        ...onceStarted(stalls),
        ...(await kurabeEnv(test.url)),
        PORT: String(port),
      },
    });
    const metrics = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    // Each reading begins the next one's span anew: like a monitoring system, ask seldom, and for both.
    const isTold = async () => {
      await pause(4000);
      const text = await metrics();
      return (
        valueOf(text, "nodejs_eventloop_lag_max_seconds") > 1 &&
        valueOf(text, "nodejs_eventloop_lag_p99_seconds") > 0
      );
    };
    await until(isTold, { what: "the stall" });
  });
});
