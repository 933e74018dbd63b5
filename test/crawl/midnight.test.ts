import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readBudget } from "../../src/crawl/budget/budget-today.ts";
import type { BudgetRules } from "../../src/crawl/budget/budget.ts";
import { readCalls } from "../support/calls.ts";
import { ensureJobs, startRun } from "../../src/crawl/budget/jobs.ts";
import { addKeyword } from "../../src/crawl/learning/keywords.ts";
import { createCrawler, type Crawler } from "../../src/crawl/run.ts";
import { systemClock, type Clock } from "../../src/lib/clock.ts";
import { silentLogger as logger } from "../../src/lib/logger.ts";
import type { StorefrontClient } from "../../src/storefront/client.ts";
import { StopForHour, StopForToday } from "../../src/storefront/errors.ts";
import { createTestApi } from "../support/api.ts";
import { createTestDb, type TestDb } from "../support/postgres.ts";

const midnight = Date.UTC(2026, 2, 1, 15);
const rules: BudgetRules = {
  dailyLimit: 100,
  timezone: "Asia/Tokyo",
  maxCallsPerSecond: 5,
  flightMs: 15_000,
  skewMs: 5000,
};

/** What happens between a call's reservation and its answer; both last for the whole test. */
interface World {
  nowMs: number;
  /** How long the process is stopped after each reservation. */
  stallMs: number;
  answer(): never;
  /** When each call reached the upstream. */
  sent: number[];
}

let test: TestDb;
let world: World;
let crawler: Crawler;
const clock: Clock = {
  now: () => new Date(world.nowMs),
  monotonicMs: () => world.nowMs,
  async sleep(ms) {
    world.nowMs += Math.max(0, ms) + world.stallMs;
  },
};

beforeEach(async () => {
  test = await createTestDb();
  world = { nowMs: midnight, stallMs: 0, sent: [], answer: refuse };
  await ensureJobs(test.db, clock.now());
  await addKeyword(test.db, { q: "財布", source: "seed" }, clock.now());
  crawler = openCrawler(rules.dailyLimit);
});
afterEach(async () => {
  await crawler.release();
  await test.close();
});

function openCrawler(dailyLimit: number): Crawler {
  const call = async () => {
    world.sent.push(world.nowMs);
    return world.answer();
  };
  const client: StorefrontClient = { search: call, refresh: call };
  const limited = { ...rules, dailyLimit };
  return createCrawler({
    db: test.db,
    clock,
    logger,
    clientOf: () => client,
    rules: limited,
    pacing: "burst",
  });
}

function refuse(): never {
  throw new StopForToday("day_api_limit", "too many calls today");
}

async function step(atMs: number): Promise<void> {
  world.nowMs = atMs;
  await startRun(test.db, "discover", "manual", clock.now());
  await crawler.step(new AbortController().signal);
}

/** Earlier on that day a call was answered: a day without any tells of no limit. */
async function noteAnswer(day: string): Promise<void> {
  await test.db.execute(sql`
    insert into api_call (day, purpose, operation, job, params, reserved_at, outcome)
    values (${day}, 'discovery', 'search', 'discover', '{}', ${day}::date, 'ok')`);
}

const budgetAt = (ms: number) => readBudget(test.db, new Date(ms), rules);

describe("around midnight", () => {
  it("B6: day_api_limit that arrives after midnight ends the day the call was reserved in, and teaches nothing of the new one", async () => {
    world.answer = () => {
      world.nowMs = midnight + 9000;
      return refuse();
    };
    await noteAnswer("2026-03-01");
    await step(midnight - 4000);
    expect(world.sent).toHaveLength(1);
    expect(await budgetAt(midnight - 4000)).toMatchObject({
      remaining: 0,
      refusedAt: new Date(midnight + 9000),
      observedLimit: { day: "2026-03-01", allowed: 1 },
    });
    expect(await budgetAt(midnight + 9000)).toMatchObject({
      day: "2026-03-02",
      remaining: 99,
      refusedAt: null,
      observedLimit: { day: "2026-03-01" },
    });
    // The crawl goes on with the new day, after the first seconds, which belong to both days.
    await step(midnight + 20_000);
    expect(world.sent).toHaveLength(2);
  });

  it("B6: night after night it ends the day before, and never the new one", async () => {
    await noteAnswer("2026-03-01");
    for (let night = 0; night < 3; night += 1) {
      const midnightMs = midnight + night * 86_400_000;
      world.answer = () => {
        world.nowMs = midnightMs + 9000;
        return refuse();
      };
      await step(midnightMs - 4000);
      expect(world.sent).toHaveLength(night + 1);
      expect((await budgetAt(midnightMs - 4000)).refusedAt).not.toBeNull();
      expect(await budgetAt(midnightMs + 9000)).toMatchObject({ refusedAt: null, remaining: 99 });
    }
  });

  it("B6: of a call reserved just after midnight the day before ends, because no day's limit is reached in its first seconds", async () => {
    await step(midnight + 2000);
    expect((await budgetAt(midnight - 1)).refusedAt).not.toBeNull();
    expect(await budgetAt(midnight + 20_000)).toMatchObject({ refusedAt: null, remaining: 99 });
    await step(midnight + 20_000);
    expect((await budgetAt(midnight + 20_000)).refusedAt).not.toBeNull();
  });

  it("B8: a process that stands still after each reservation sends nothing on the wrong day, and stays within the budget", async () => {
    world.stallMs = 25_000;
    for (let i = 1; i <= 8; i += 1) await step(midnight - 22_000 - i * 60_000);
    expect(world.sent).toEqual([]);
    const calls = await readCalls(test.db, { limit: 100 });
    expect(calls).toHaveLength(8);
    for (const call of calls) {
      expect(call).toMatchObject({ outcome: "not_sent", day: "2026-03-01" });
      expect(call.finishedAt).not.toBeNull();
    }
    expect(await budgetAt(midnight - 1)).toMatchObject({ used: 8, remaining: 92 });
    expect((await budgetAt(midnight + 20_000)).used).toBe(0);
    // None of it counts as a fault of the upstream or of a keyword.
    world.stallMs = 2000;
    await step(midnight + 60_000);
    expect(world.sent).toEqual([midnight + 62_000]);
  });

  it("B8: calls that were never sent are not taken for what the upstream has allowed", async () => {
    world.stallMs = 25_000;
    await noteAnswer("2026-03-02");
    for (let i = 1; i <= 3; i += 1) await step(midnight + i * 60_000);
    world.stallMs = 0;
    await step(midnight + 300_000);
    expect((await budgetAt(midnight + 400_000)).observedLimit).toEqual({
      day: "2026-03-02",
      allowed: 1,
    });
  });
});

describe("another limit", () => {
  it("B12: takes effect at the next call, raised and lowered, and ops see the one that is set", async () => {
    world.answer = () => {
      throw new StopForHour("hour_api_limit", "too many calls this hour");
    };
    const read = async (dailyLimit: number) => {
      const budget = { dailyLimit, timezone: rules.timezone };
      const api = createTestApi(test.db, { clock: { ...systemClock, now: clock.now }, budget });
      return (await api.ops("GET", "/ops/v1/budget")).json();
    };
    /** The calls of one more hour in a process with this limit. */
    const callWith = async (dailyLimit: number) => {
      const before = world.sent.length;
      crawler = openCrawler(dailyLimit);
      await step(world.nowMs + 3_700_000);
      await crawler.release();
      return world.sent.length - before;
    };
    expect([await callWith(2), await callWith(2), await callWith(2)]).toEqual([1, 1, 0]);
    expect(await read(2)).toMatchObject({ limit: 2, used: 2, remaining: 0 });
    expect(await read(4)).toMatchObject({ limit: 4, used: 2, remaining: 2 });
    expect([await callWith(4), await callWith(4), await callWith(4)]).toEqual([1, 1, 0]);
    // A process that still has the lower limit obeys it, whoever made the calls.
    expect(await callWith(2)).toBe(0);
    expect(await read(3)).toMatchObject({ limit: 3, used: 4, remaining: 0 });
    expect(await callWith(3)).toBe(0);
    expect(await callWith(5)).toBe(1);
  });

  it("B12: of a process with a lower one, which leads when it is reached, ends the calls of that process alone", async () => {
    world.answer = () => {
      throw new StopForHour("hour_api_limit", "too many calls this hour");
    };
    const [lower, higher] = [openCrawler(2), openCrawler(3)];
    const stepOf = async (stepping: Crawler) => {
      crawler = stepping;
      await step(world.nowMs + 3_700_000);
      return world.sent.length;
    };
    expect([await stepOf(lower), await stepOf(lower), await stepOf(lower)]).toEqual([1, 2, 2]);
    expect([await stepOf(higher), await stepOf(higher)]).toEqual([3, 3]);
  });
});
