import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import {
  endAccountPause,
  pauseAccount,
  readAccountPauses,
} from "../../src/crawl/budget/accounts.ts";
import { closeDay } from "../../src/crawl/budget/budget.ts";
import { readBudget } from "../../src/crawl/budget/budget-today.ts";
import { anomalyBlock } from "../../src/crawl/safety/failure-policy.ts";
import { notePageFailure } from "../../src/crawl/safety/keyword-backoffs.ts";
import { forAll, readCrawlState, setBlock } from "../../src/crawl/safety/pause.ts";
import { noteUpstreamSettings } from "../../src/crawl/safety/upstream-settings.ts";
import { failureAt } from "../support/backoffs.ts";
import { must } from "../../src/lib/must.ts";
import { budgetsForAll, berlin, count, rules, rulesOf, tokyo } from "../support/budgets.ts";
import { createTestCrawl } from "../support/crawl.ts";
import { itLong } from "../support/it-long.ts";
import { until } from "../support/until.ts";

const { test, freshNoon, raceForCalls } = budgetsForAll();

describe("the budgets of several accounts", () => {
  itLong("close alone: the refusal of one account ends only its day", async () => {
    const noon = freshNoon();
    const first = must((await raceForCalls(noon, 1))[0], "a call");
    await test.db.transaction((tx) => closeDay(tx, rules, first.callId, noon));
    const granted = await raceForCalls(noon, 120);
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
    expect(count(await raceForCalls(noon, 20), "berlin")).toBe(0);
    const onlyBerlin = rulesOf({ ...tokyo, dailyLimit: 1 }, berlin);
    const tries = await raceForCalls(ends, 20, onlyBerlin);
    expect(tries.filter(({ isTry }) => isTry)).toHaveLength(1);
    expect(count(tries, "berlin")).toBe(1);
    await test.db.transaction((tx) => endAccountPause(tx, "berlin"));
    expect(count(await raceForCalls(ends, 5, onlyBerlin), "berlin")).toBe(5);
  });
});

it("P8: an account whose pause began while the clock was nine hours ahead makes calls again once it is set right", async () => {
  const noon = freshNoon();
  const ahead = new Date(noon.getTime() + 9 * 3_600_000);
  const until = new Date(ahead.getTime() + 60_000);
  const refusal = { until, code: "http_429", failures: 1, reason: "" };
  await test.db.transaction((tx) => pauseAccount(tx, "berlin", refusal, ahead));
  const onlyBerlin = rulesOf({ ...tokyo, dailyLimit: 1 }, berlin);
  expect(count(await raceForCalls(noon, 20, onlyBerlin), "berlin")).toBe(1);
  await test.db.transaction((tx) => endAccountPause(tx, "berlin"));
});

it("other credentials or another address end the waits of the former ones, the same ones and those of earlier failures stay", async () => {
  const { db } = test;
  const given = {
    baseUrl: "https://one.example",
    clientId: "id",
    clientSecret: "the-wrong-one",
    accounts: null,
  };
  const now = freshNoon();
  const starts = (over: Partial<typeof given> = {}) =>
    noteUpstreamSettings(db, { ...given, ...over }, now);
  const fail = async (queryId: number, at: Date) => {
    const until = new Date(at.getTime() + 3_600_000);
    const block = { ...forAll(until), code: "auth_error", failures: 9, reason: "refused" };
    await db.transaction(async (tx) => {
      const list = { queryId, order: "id-ascending" } as const;
      await notePageFailure(tx, list, { start: 0, size: 50 }, failureAt(at));
      await setBlock(tx, block, at);
      await pauseAccount(tx, "berlin", block, at);
    });
  };
  const left = async () => ({
    keys: (await db.execute<{ key: string }>(sql`select key from backoff order by key`)).map(
      ({ key }) => key,
    ),
    isBlocked: (await readCrawlState(db)).block !== null,
    isPaused: (await readAccountPauses(db, ["berlin"])).size > 0,
  });
  expect(await starts()).toBe(false);
  await fail(1, new Date(now.getTime() - 60_000));
  await db.execute(sql`
    insert into api_call (day, purpose, operation, job, params, reserved_at, finished_at, outcome)
    values ('2027-01-01', 'discovery', 'search', 'discover', '{}', ${now.toISOString()}, ${now.toISOString()}, 'ok')`);
  const after = new Date(now.getTime() + 60_000);
  const others = [
    { clientSecret: "the-right-one" },
    { clientId: "another" },
    { baseUrl: "https://two.example" },
  ];
  for (const other of others) {
    await fail(2, after);
    expect(await starts()).toBe(false);
    const both = ["1:id-ascending", "2:id-ascending"];
    expect(await left()).toEqual({ keys: both, isBlocked: true, isPaused: true });
    expect(await starts(other)).toBe(true);
    expect(await left()).toEqual({ keys: ["1:id-ascending"], isBlocked: false, isPaused: false });
    expect(await starts()).toBe(true);
  }
  await setBlock(db, anomalyBlock("far fewer products", null, now), now);
  expect(await starts({ clientId: "another" })).toBe(true);
  expect((await left()).isBlocked).toBe(true);
  const [kept] = await db.execute<{ all: string }>(sql`
    select string_agg(value::text, ' ') as all from setting`);
  expect(kept?.all).not.toMatch(/the-(wrong|right)-one/);
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
