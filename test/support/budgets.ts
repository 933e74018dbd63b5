import { afterAll, beforeAll } from "vitest";
import type { AccountRules } from "../../src/crawl/budget/accounts.ts";
import { reserveCall, type BudgetRules, type Reservation } from "../../src/crawl/budget/budget.ts";
import type { Db, OpenDb } from "../../src/db/open.ts";
import type { Clock } from "../../src/lib/clock.ts";
import { must } from "../../src/lib/must.ts";
import { openedForAll } from "./opened.ts";
import { createTestDb, openPool } from "./postgres.ts";

export const tokyo: AccountRules = { name: "tokyo", dailyLimit: 60, timezone: "Asia/Tokyo" };
export const berlin: AccountRules = { name: "berlin", dailyLimit: 25, timezone: "Europe/Berlin" };

export function rulesOf(...accounts: AccountRules[]): BudgetRules {
  return {
    dailyLimit: accounts.reduce((sum, { dailyLimit }) => sum + dailyLimit, 0),
    timezone: must(accounts[0], "an account").timezone,
    accounts,
    maxCallsPerSecond: 1000,
    flightMs: 15_000,
    skewMs: 5000,
  };
}
export const rules = rulesOf(tokyo, berlin);

export const intent = {
  purpose: "discovery",
  operation: "search",
  job: "discover",
  params: { q: "財布" },
  asked: null,
} as const;

export function clockAt(at: Date): Clock {
  return { now: () => at, monotonicMs: () => 0, sleep: () => Promise.resolve() };
}

export const count = (granted: Reservation[], name: string) =>
  granted.filter(({ account }) => account === name).length;

/** Four processes with one database of the file's own, for all its tests. */
export function budgetsForAll() {
  const test = openedForAll(createTestDb);
  const processes: OpenDb[] = [];
  beforeAll(async () => {
    for (let i = 0; i < 4; i += 1) processes.push(openProcess(`p${i}`));
  });
  afterAll(() => Promise.all(processes.map((p) => p.close())));

  function openProcess(applicationName: string): OpenDb {
    return openPool(test.url, { applicationName });
  }

  const dbOf = (i: number): Db => must(processes[i % processes.length], "a process").db;

  /** Each test has days of its own. */
  let dayOfYear = 0;
  const freshNoon = () => new Date(Date.UTC(2027, 0, (dayOfYear += 3), 3));

  /** So many attempts at once, in all processes. */
  function race<T>(attempts: number, attempt: (db: Db, i: number) => Promise<T>): Promise<T[]> {
    return Promise.all(Array.from({ length: attempts }, (_, i) => attempt(dbOf(i), i)));
  }

  async function raceForCalls(noon: Date, attempts: number, by = rules): Promise<Reservation[]> {
    const all = await race(attempts, (db) => reserveCall(db, clockAt(noon), by, intent));
    return all.filter((reservation) => reservation !== null);
  }

  return { test, openProcess, freshNoon, race, raceForCalls };
}
