import { sql } from "drizzle-orm";
import { describe, expect, inject, it, onTestFinished } from "vitest";
import { observeSearch } from "../../src/catalog/observing/observe.ts";
import { reserveCall } from "../../src/crawl/budget/budget.ts";
import { settleCall } from "../../src/crawl/budget/call-log.ts";
import { executePrepared, type Db, type DbOptions, type OpenDb } from "../../src/db/open.ts";
import { databaseErrorCode, isOutage, isRefusal, transact } from "../../src/db/transact.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { silentLogger } from "../../src/lib/logger.ts";
import { allotPools, fewestConnections } from "../../src/service/pools.ts";
import { openReads, type Reads } from "../../src/service/reads.ts";
import type { PoolLimits } from "../../src/service/resources.ts";
import { authorised, createTestApi } from "../support/api.ts";
import { intent } from "../support/budgets.ts";
import { openFaultProxy, type FaultProxy } from "../support/fault-proxy.ts";
import { createTestDb, openPool, type TestDb } from "../support/postgres.ts";
import { searchItem } from "../support/products.ts";
import { until } from "../support/until.ts";
import { itLong } from "../support/it-long.ts";

const rules = {
  dailyLimit: 1000,
  timezone: "Asia/Tokyo",
  maxCallsPerSecond: 1000,
  flightMs: 1000,
  skewMs: 1000,
};

async function database(): Promise<TestDb> {
  const test = await createTestDb();
  onTestFinished(test.close);
  return test;
}

function pool(url: string, over: Partial<DbOptions> = {}): OpenDb {
  const opened = openPool(url, { applicationName: "faults", statementTimeoutMs: 10_000, ...over });
  onTestFinished(opened.close);
  return opened;
}

async function proxyOf(test: TestDb): Promise<{ proxy: FaultProxy; url: string }> {
  const url = new URL(test.url);
  const proxy = await openFaultProxy({ host: url.hostname, port: Number(url.port) });
  onTestFinished(proxy.close);
  url.port = String(proxy.port);
  return { proxy, url: url.href };
}

async function throughProxy(
  test: TestDb,
  over: Partial<DbOptions> = {},
): Promise<{ proxy: FaultProxy; db: Db }> {
  const { proxy, url } = await proxyOf(test);
  return { proxy, db: pool(url, over).db };
}

/** Ends the connections of a pool as an administrator or a failover does. */
async function terminate(test: TestDb, applicationName = "faults"): Promise<void> {
  await test.db.execute(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = ${applicationName}`);
}

class SettledBefore extends Error {}

/** The pools that an API reads from, which wait less long. */
function openHastyReads(url: string, over: Partial<PoolLimits>): Reads {
  const open = (applicationName: string, limits: PoolLimits) =>
    pool(url, { ...limits, applicationName, maxConnections: 2, ...over }).db;
  const runtime = {
    clock: systemClock,
    logger: silentLogger,
    signal: new AbortController().signal,
  };
  const { api, search, ops, ...others } = allotPools(fewestConnections, {
    api: true,
    worker: false,
  });
  const hasty = (limits: PoolLimits) => ({ ...limits, ...over });
  const pools = { ...others, api: hasty(api), search: hasty(search), ops: hasty(ops) };
  const resources = { pool: open, replicaPool: null };
  const reads = openReads({ replicaMaxLagSeconds: 5 }, resources, pools, runtime);
  onTestFinished(reads.close);
  return reads;
}

/** Of the event loop, which a busy machine has no fewer of. */
async function someTurns(): Promise<string> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
  return "no answer";
}

describe("faults of the database", () => {
  it.each(["db", "searchDb"] as const)(
    "reads of a locked table do not take all connections (%s): one tries, the others are refused at once",
    async (name) => {
      const test = await database();
      const reads = openHastyReads(test.url, { lockTimeoutMs: 100 })[name];
      const read = async (n: number) =>
        executePrepared(reads, sql`select ${n}::int as n from shop`).then(() => "", String);
      await test.db.transaction(async (tx) => {
        await tx.execute(sql`lock table shop in access exclusive mode`);
        await read(0);
        const tried = await Promise.all(Array.from({ length: 20 }, (_, n) => read(n)));
        expect(tried.filter((why) => why === "")).toEqual([]);
        const waited = tried.filter((why) => why.includes("lock timeout"));
        expect(waited).toHaveLength(1);
      });
      expect(await Promise.all([read(0), read(1)])).toContain("");
      expect(await Promise.all([read(0), read(1)])).toEqual(["", ""]);
    },
  );

  itLong("D3: a commit whose answer is lost is noticed, not made twice", async () => {
    const test = await database();
    const { proxy, db } = await throughProxy(test);
    const reserved = await reserveCall(db, systemClock, rules, intent);
    if (!reserved) throw new Error("no budget");
    const seen = { callId: reserved.callId, sentAt: systemClock.now() };
    await db.execute(sql`create table naive (n int)`);
    let runs = 0;
    const work = (guarded: boolean) =>
      transact(db, systemClock, async (tx) => {
        runs += 1;
        const page = { items: [searchItem(1)], broken: [] };
        const { tally } = await observeSearch(tx, seen, page);
        if (guarded) {
          const result = { outcome: "ok", finishedAt: seen.sentAt, durationMs: 1, tally };
          if (!(await settleCall(tx, seen.callId, result))) throw new SettledBefore();
        } else await tx.execute(sql`insert into naive values (1)`);
        if (runs === 1) await proxy.set({ mode: "reset", afterBytes: 0 });
        else await proxy.set({ mode: "pass" });
      });
    const heal = setInterval(() => void (runs > 0 && proxy.set({ mode: "pass" })), 300);
    onTestFinished(async () => clearInterval(heal));
    await expect(work(true)).rejects.toThrow(SettledBefore);
    expect(runs).toBe(2);
    const [row] = await test.db.execute(sql`
      select (select count(*) from product) as products, (select count(*) from price_interval) as intervals,
        (select max(ver) from product) as ver, (select outcome from api_call) as outcome`);
    expect(row).toEqual({ products: 1, intervals: 1, ver: 1, outcome: "ok" });
    // The control: the same without the ledger's guard is done twice.
    runs = 0;
    await work(false);
    expect(await test.db.execute(sql`select n from naive`)).toHaveLength(2);
  });

  it("D6: a server that is read-only for a while loses no write", async () => {
    const test = await database();
    const { db } = pool(test.url);
    const name = sql.identifier(new URL(test.url).pathname.slice(1));
    await test.db.execute(sql`alter database ${name} set default_transaction_read_only = on`);
    const written = transact(db, systemClock, (tx) =>
      tx.execute(sql`insert into setting values ('written', 'true', now())`),
    );
    await new Promise((resolve) => setTimeout(resolve, 300));
    await test.db.execute(sql`alter database ${name} reset default_transaction_read_only`);
    await terminate(test);
    await written;
    expect(await test.db.execute(sql`select from setting where key = 'written'`)).toHaveLength(1);
  });

  it("D6: a name that does not resolve is an outage, and is answered as 503", async () => {
    const { db } = pool("postgres://kurabe:none@gone.invalid:5432/kurabe");
    const error = await db.execute(sql`select 1`).catch((reason: unknown) => reason);
    expect(databaseErrorCode(error)).toMatch(/^(ENOTFOUND|EAI_AGAIN)$/);
    expect(isOutage(error)).toBe(true);
    expect((await createTestApi(db).request("/v1/products/1")).status).toBe(503);
  });

  it("D6: a server that lets nobody in, as after its password was changed, is an outage, and is answered as 503", async () => {
    const test = await database();
    const changed = new URL(test.url);
    changed.password = "former";
    const renamed = new URL(test.url);
    renamed.pathname = "renamed";
    for (const { href } of [changed, renamed]) {
      const { db } = pool(href);
      const error = await db.execute(sql`select 1`).catch((reason: unknown) => reason);
      expect([isOutage(error), isRefusal(error)]).toEqual([true, false]);
      expect((await createTestApi(db).request("/v1/products/1")).status).toBe(503);
    }
  });

  it.each(["ENOTFOUND", "EAI_AGAIN", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH"])(
    "D6: %s, as of a machine that is gone, is an outage",
    (code) => {
      expect(isOutage(Object.assign(new Error("connect"), { code }))).toBe(true);
    },
  );

  it("D7: queries on half-open connections fail by themselves, and those that wait and the next ten pass", async () => {
    const test = await database();
    const { proxy, db } = await throughProxy(test, { statementTimeoutMs: 500, silenceMs: 1500 });
    const ask = async () => db.execute(sql`select 1`);
    await Promise.all([ask(), ask(), ask(), ask()]);
    await proxy.set({ mode: "half-open" });
    const asked = Array.from({ length: 8 }, ask);
    const all = Promise.allSettled(asked);
    const sent = await Promise.allSettled(asked.slice(0, 4));
    const codes = sent.map((one) => one.status === "rejected" && databaseErrorCode(one.reason));
    expect(new Set(codes)).toEqual(new Set(["CONNECTION_CLOSED"]));
    // What was open stays dead, as after a failover; new connections get through, and with them what waited for one.
    await proxy.set({ mode: "pass" });
    expect((await all).slice(4).map((one) => one.status)).toEqual(Array(4).fill("fulfilled"));
    for (let i = 0; i < 10; i += 1) expect(await ask()).toHaveLength(1);
  });

  const poolNames = { db: "api", searchDb: "search", opsDb: "ops" } as const;
  it.each(inject("long") ? (["db", "searchDb", "opsDb"] as const) : (["opsDb"] as const))(
    "D7: while the server is silent all are refused at once, until it answers (%s)",
    async (name) => {
      const test = await database();
      const { proxy, url } = await proxyOf(test);
      const reads = openHastyReads(url, { statementTimeoutMs: 500, silenceMs: 300_000 })[name];
      const naive = pool(url, { statementTimeoutMs: 500, silenceMs: 300_000 }).db;
      const ask = (db = reads) =>
        db.execute(sql`select 1`).then(
          () => "answered",
          (error: Error) => (isOutage(error) ? String(error.cause) : "failed"),
        );
      expect(await Promise.all([ask(), ask(), ask(naive)])).toEqual(Array(3).fill("answered"));
      await proxy.set({ mode: "blackhole", afterBytes: 0 });
      let isNaiveRefused = false;
      void ask(naive).then(() => (isNaiveRefused = true));
      const silent = "StillSilent: the database does not answer";
      // Whoever waits already, and whoever comes later.
      expect(await Promise.all(Array.from({ length: 5 }, () => ask()))).toEqual(
        Array(5).fill(silent),
      );
      for (let second = 0; second < (inject("long") ? 30 : 3); second += 1) {
        const refused = Promise.all(Array.from({ length: 20 }, () => ask()));
        expect(await Promise.race([refused, someTurns()])).toEqual(Array(20).fill(silent));
        await systemClock.sleep(1000);
      }
      // The control: without this each would wait until its caller gives up.
      expect(isNaiveRefused).toBe(false);
      await proxy.set({ mode: "pass" });
      // What the server answered meanwhile is lost; the driver need not wait a minute for it.
      await terminate(test, poolNames[name]);
      const asked = () => Promise.all(Array.from({ length: 20 }, () => ask()));
      await until(async () => (await asked()).every((one) => one === "answered"), {
        what: "all to be answered",
      });
    },
  );

  it("D8: idle connections that end, again and again, cost at most seconds and no process", async () => {
    const test = await database();
    const { db } = pool(test.url);
    const ask = () => Promise.all([1, 2, 3, 4].map((n) => db.execute(sql`select ${n}::int as n`)));
    for (let round = 0; round < (inject("long") ? 20 : 6); round += 1) {
      await ask();
      await terminate(test);
      await until(ask, { what: "the pool to be well again" });
    }
  });

  itLong("D12: a crowd of slow searches takes nothing from the crawl and from ops", async () => {
    const test = await database();
    const slow = pool(test.url, { maxConnections: 4, statementTimeoutMs: 4000 }).db;
    const crawlDb = pool(test.url).db;
    const api = createTestApi(slow, {
      opsDb: crawlDb,
      search: async () => {
        await slow.execute(sql`select pg_sleep(30)`);
        throw new Error("a statement without a limit");
      },
    });
    const searches = Array.from({ length: 8 }, () => api.get("/v1/products"));
    for (let i = 0; i < 20; i += 1) {
      const askedMs = performance.now();
      expect(await reserveCall(crawlDb, systemClock, rules, intent)).not.toBeNull();
      expect((await api.get("/ops/v1/budget", authorised)).status).toBe(200);
      expect(performance.now() - askedMs).toBeLessThan(3500);
    }
    for (const answer of await Promise.all(searches)) expect(answer.status).toBe(503);
  });
});
