import { setTimeout as pause } from "node:timers/promises";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import {
  endAccountPause,
  pauseAccount,
  type AccountRules,
} from "../../src/crawl/budget/accounts.ts";
import { closeDay, reserveCall, type BudgetRules } from "../../src/crawl/budget/budget.ts";
import { readBudget } from "../../src/crawl/budget/budget-today.ts";
import { openDb, type Db, type OpenDb } from "../../src/db/open.ts";
import { calendarDay } from "../../src/lib/calendar.ts";
import type { Clock } from "../../src/lib/clock.ts";
import { must } from "../../src/lib/must.ts";
import { createTestCrawl } from "../support/crawl.ts";
import { createTestDb, type TestDb } from "../support/postgres.ts";
import { until } from "../support/until.ts";
import { itLong } from "../support/it-long.ts";

let test: TestDb;
const processes: OpenDb[] = [];
function openProcess(applicationName: string): OpenDb {
  return openDb({ url: test.url, applicationName, maxConnections: 4, statementTimeoutMs: 30_000 });
}
beforeAll(async () => {
  test = await createTestDb();
  for (let i = 0; i < 4; i += 1) processes.push(openProcess(`p${i}`));
});
afterAll(async () => {
  await Promise.all(processes.map((p) => p.close()));
  await test.close();
});

const tokyo: AccountRules = { name: "tokyo", dailyLimit: 60, timezone: "Asia/Tokyo" };
const berlin: AccountRules = { name: "berlin", dailyLimit: 25, timezone: "Europe/Berlin" };

function rulesOf(...accounts: AccountRules[]): BudgetRules {
  return {
    dailyLimit: accounts.reduce((sum, { dailyLimit }) => sum + dailyLimit, 0),
    timezone: must(accounts[0], "an account").timezone,
    accounts,
    maxCallsPerSecond: 1000,
    flightMs: 15_000,
    skewMs: 5000,
  };
}
const rules = rulesOf(tokyo, berlin);

const intent = {
  purpose: "discovery",
  operation: "search",
  job: "discover",
  params: { q: "財布" },
  asked: null,
} as const;

function clockAt(at: Date): Clock {
  return { now: () => at, monotonicMs: () => 0, sleep: () => Promise.resolve() };
}

/** Each test has days of its own. */
let dayOfYear = 0;
const freshNoon = () => new Date(Date.UTC(2027, 0, (dayOfYear += 3), 3));

type Granted = Extract<Awaited<ReturnType<typeof reserveCall>>, { granted: true }>;

async function race(noon: Date, attempts: number, by = rules): Promise<Granted[]> {
  const all = await Promise.all(
    Array.from({ length: attempts }, (_, i) => reserveCall(dbOf(i), clockAt(noon), by, intent)),
  );
  return all.filter((reservation) => reservation.granted);
}

const dbOf = (i: number): Db => must(processes[i % processes.length], "a process").db;

const count = (granted: Granted[], name: string) =>
  granted.filter(({ account }) => account === name).length;

describe("the budgets of several accounts", () => {
  it("grant each account exactly its limit to any number of racing processes", async () => {
    const noon = freshNoon();
    const granted = await race(noon, 160);
    expect(count(granted, "tokyo")).toBe(60);
    expect(count(granted, "berlin")).toBe(25);
    expect(await readBudget(test.db, noon, rules)).toMatchObject({
      limit: 85,
      used: 85,
      remaining: 0,
      byPurpose: { discovery: 85 },
      accounts: [
        { account: tokyo, used: 60 },
        { account: berlin, used: 25 },
      ],
    });
    const ledger = await test.db.execute(sql`
      select account, count(*) as n from api_call
      where reserved_at between ${noon.toISOString()} and ${new Date(noon.getTime() + 60_000).toISOString()}
      group by 1 order by 1`);
    expect(ledger).toEqual([
      { account: "berlin", n: 25 },
      { account: "tokyo", n: 60 },
    ]);
  });

  itLong(
    "control: counting an account's calls first and inserting then exceeds its limit",
    async () => {
      const day = "2031-01-01";
      const naive = async (db: Db, { name, dailyLimit }: AccountRules) => {
        const [row] = await db.execute<{ n: number }>(sql`
        select count(*) as n from api_call where day = ${day} and account = ${name}`);
        if ((row?.n ?? 0) >= dailyLimit) return null;
        await db.execute(sql`
        insert into api_call (day, account, purpose, operation, job, params, reserved_at)
        values (${day}, ${name}, 'discovery', 'search', 'discover', '{}', now())`);
        return name;
      };
      const all = await Promise.all(
        Array.from({ length: 160 }, (_, i) => naive(dbOf(i), i % 2 === 0 ? tokyo : berlin)),
      );
      expect(all.filter((name) => name === "berlin").length).toBeGreaterThan(berlin.dailyLimit);
    },
  );

  it("are never exceeded on any day of arrival, whatever the zones, limits, skew and flight", async () => {
    const zones = ["Asia/Tokyo", "Europe/Berlin", "America/New_York", "Pacific/Kiritimati"];
    let round = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            dailyLimit: fc.integer({ min: 1, max: 6 }),
            zone: fc.constantFrom(...zones),
          }),
          { minLength: 2, maxLength: 3 },
        ),
        fc.array(
          fc.record({
            minutes: fc.integer({ min: 0, max: 36 * 60 }),
            arrivalMs: fc.integer({ min: -5000, max: 20_000 }),
            refused: fc.integer({ min: 0, max: 15 }),
          }),
          { minLength: 10, maxLength: 30 },
        ),
        async (kinds, calls) => {
          round += 1;
          const accounts = kinds.map(({ dailyLimit, zone }, i) => ({
            name: `r${round}-${i}`,
            dailyLimit,
            timezone: zone,
          }));
          const from = Date.UTC(2029, 0, 4 * round);
          const arrived = new Map<string, number>();
          for (const call of calls.toSorted((a, b) => a.minutes - b.minutes)) {
            const at = new Date(from + call.minutes * 60_000);
            const reserved = await reserveCall(test.db, clockAt(at), rulesOf(...accounts), intent);
            if (!reserved.granted) continue;
            const account = must(
              accounts.find(({ name }) => name === reserved.account),
              "its account",
            );
            const day = calendarDay(
              new Date(reserved.sendAt.getTime() + call.arrivalMs),
              account.timezone,
            );
            const key = `${account.name} ${day}`;
            arrived.set(key, (arrived.get(key) ?? 0) + 1);
            expect(arrived.get(key)).toBeLessThanOrEqual(account.dailyLimit);
            if (call.refused > 0) continue;
            await test.db.transaction((tx) => closeDay(tx, rules, reserved.callId, at));
            const today = await readBudget(test.db, at, rulesOf(...accounts));
            const closed = today.accounts.find((one) => one.account.name === account.name);
            expect(closed).toMatchObject({ remaining: 0 });
          }
        },
      ),
      { numRuns: inject("long") ? 12 : 2 },
    );
  });

  itLong(
    "hold while connections are killed again and again between the steps of reservations",
    async () => {
      const noon = freshNoon();
      const over = new AbortController();
      const granted: Granted[] = [];
      const victims = [1, 2, 3, 4].map(() => openProcess("victim"));
      let kills = 0;
      const killing = (async () => {
        while (!over.signal.aborted) {
          const rows = await test.db.execute(sql`
          select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and application_name = 'victim'
            and xact_start is not null and random() < 0.5`);
          kills += rows.length;
          await pause(25);
        }
      })();
      await Promise.all(
        [...victims, ...victims].map(async ({ db }) => {
          for (let tries = 0; tries < 400; tries += 1) {
            try {
              const reserved = await reserveCall(db, clockAt(noon), rules, intent);
              if (!reserved.granted) return;
              granted.push(reserved);
            } catch {
              // A killed connection: whether the call was counted is unknown, so it is not sent.
            }
          }
        }),
      );
      over.abort();
      await killing;
      await Promise.all(victims.map((victim) => victim.close()));
      expect(kills).toBeGreaterThan(0);
      expect(count(granted, "tokyo")).toBeLessThanOrEqual(60);
      expect(count(granted, "berlin")).toBeLessThanOrEqual(25);
      const { accounts } = await readBudget(test.db, noon, rules);
      expect(accounts.map(({ used }) => used)).toEqual([60, 25]);
    },
  );

  it("close alone: the refusal of one account ends only its day", async () => {
    const noon = freshNoon();
    const first = must((await race(noon, 1))[0], "a call");
    await test.db.transaction((tx) => closeDay(tx, rules, first.callId, noon));
    const granted = await race(noon, 120);
    expect(count(granted, first.account)).toBe(0);
    const other = first.account === "tokyo" ? berlin : tokyo;
    expect(count(granted, other.name)).toBe(other.dailyLimit);
    expect(await readBudget(test.db, noon, rules)).toMatchObject({ refusedAt: null });
  });

  it("leave out a paused account, and let exactly one call try it after its pause", async () => {
    const noon = freshNoon();
    const ends = new Date(noon.getTime() + 60_000);
    const refusal = { until: ends, code: "auth_error", failures: 1, reason: "refused" };
    await test.db.transaction((tx) => pauseAccount(tx, "berlin", refusal, noon));
    expect(count(await race(noon, 20), "berlin")).toBe(0);
    const onlyBerlin = rulesOf({ ...tokyo, dailyLimit: 1 }, berlin);
    const tries = await race(ends, 20, onlyBerlin);
    expect(tries.filter(({ isTry }) => isTry)).toHaveLength(1);
    expect(count(tries, "berlin")).toBe(1);
    await test.db.transaction((tx) => endAccountPause(tx, "berlin"));
    expect(count(await race(ends, 5, onlyBerlin), "berlin")).toBe(5);
  });

  it("keep the calls of each account apart by its own ceiling", async () => {
    const noon = freshNoon();
    const slow = { ...berlin, name: "slow", maxCallsPerSecond: 2 };
    const quick = { ...tokyo, name: "quick", maxCallsPerSecond: 50 };
    const granted = await race(noon, 85, rulesOf(quick, slow));
    const least = (name: string) => {
      const times = granted
        .flatMap(({ account, sendAt }) => (account === name ? [sendAt.getTime()] : []))
        .toSorted((a, b) => a - b);
      return Math.min(...times.slice(1).map((at, i) => at - must(times[i], "a time before")));
    };
    expect(least("slow")).toBeGreaterThanOrEqual(499);
    expect(least("quick")).toBeGreaterThanOrEqual(19);
  });
});

const secretOf = (name: string) => ({ clientId: `id-${name}`, clientSecret: `secret-${name}` });

// That an account closes alone is shown above.
itLong(
  "a crawl with several accounts goes on with the others while one has wrong credentials and one is refused early",
  async () => {
    const accounts = [
      { ...tokyo, name: "right", dailyLimit: 30 },
      { ...berlin, name: "early", dailyLimit: 20 },
      { ...berlin, name: "wrong", dailyLimit: 50 },
    ];
    const crawl = await createTestCrawl({
      rules: rulesOf(...accounts),
      sandbox: {
        products: 1600,
        accounts: accounts.map(({ name, timezone, dailyLimit }) => ({
          name,
          ...secretOf(name),
          timezone,
          dailyLimit: name === "early" ? 8 : dailyLimit,
        })),
      },
      accounts: accounts.map(({ name }) => ({
        name,
        ...secretOf(name),
        ...(name === "wrong" && { clientSecret: "another" }),
      })),
    });
    try {
      crawl.addProcess();
      await crawl.db.execute(
        sql`update job set settings = settings || '{"on_demand_share": 0}' where name = 'revalidate'`,
      );
      const today = () => readBudget(crawl.db, new Date(), crawl.rules);
      const one = async (name: string) =>
        must(
          (await today()).accounts.find(({ account }) => account.name === name),
          "the account",
        );
      void crawl.run("discover").catch(() => undefined);
      await until(async () => (await one("wrong")).pause !== null, { what: "a pause" });
      await until(async () => (await one("early")).refusedAt !== null, { what: "a refusal" });
      await until(async () => (await one("right")).used > 20, { what: "calls of the other" });
      expect((await one("wrong")).pause).toMatchObject({ code: "auth_error" });
      expect((await one("wrong")).used).toBeLessThan(10);
      const { calls } = crawl.sandbox.control;
      const most = (name: string) => Math.max(0, ...Object.values(calls.countedByDay(name)));
      expect(most("right")).toBeLessThanOrEqual(30);
      expect(most("early")).toBeLessThanOrEqual(20);
      expect(most("wrong")).toBe(0);
      const kept = await crawl.db.execute<{ all: string }>(sql`
        select coalesce(string_agg(value::text, ' '), '') as all from setting`);
      expect(kept[0]?.all).not.toMatch(/secret-|another/);
    } finally {
      await crawl.close();
    }
  },
);
