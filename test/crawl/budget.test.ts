import { sql } from "drizzle-orm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rememberTimezone } from "../../src/catalog/analytics.ts";
import {
  closeDay,
  reserveCall,
  type BudgetRules,
  type Reservation,
} from "../../src/crawl/budget/budget.ts";
import { readBudget } from "../../src/crawl/budget/budget-today.ts";
import type { Db } from "../../src/db/open.ts";
import { calendarDay } from "../../src/lib/calendar.ts";
import { silentLogger } from "../../src/lib/logger.ts";
import { must } from "../../src/lib/must.ts";
import { createUpstreamClock } from "../../src/storefront/upstream-clock.ts";
import { budgetsForAll, clockAt, intent } from "../support/budgets.ts";
import { createTestClock } from "../support/clock.ts";
import { itLong } from "../support/it-long.ts";

const { test, freshNoon, race } = budgetsForAll();

const rules: BudgetRules = {
  dailyLimit: 100,
  timezone: "Asia/Tokyo",
  maxCallsPerSecond: 1000,
  flightMs: 15_000,
  skewMs: 5000,
};

const granted = (reservation: Reservation | null | undefined) =>
  must(reservation, "a granted call");

const grants = (all: (Reservation | null)[]) => all.filter((r) => r !== null).length;

describe("the budget", () => {
  it("grants exactly the limit to any number of racing processes, and counts each in the ledger", async () => {
    const noon = freshNoon();
    const all = await race(180, (db) => reserveCall(db, clockAt(noon), rules, intent));
    expect(grants(all)).toBe(100);
    const [row] = await test.db.execute(sql`
      select count(*) as n from api_call where day = ${calendarDay(noon, rules.timezone)}`);
    expect(row).toEqual({ n: 100 });
  });

  itLong("control: counting first and inserting then grants more than the limit", async () => {
    const day = "2030-01-01";
    const naive = async (db: Db): Promise<Reservation | null> => {
      const [row] = await db.execute<{ n: number }>(
        sql`select count(*) as n from api_call where day = ${day}`,
      );
      if ((row?.n ?? 0) >= 100) return null;
      await db.execute(sql`
        insert into api_call (day, purpose, operation, job, params, reserved_at)
        values (${day}, 'discovery', 'search', 'discover', '{}', now())`);
      return { callId: 0, account: "default", isTry: false, day, sendAt: new Date(0) };
    };
    expect(grants(await race(180, naive))).toBeGreaterThan(100);
  });

  it("U23: a call that may arrive on either side of midnight is counted in both days", async () => {
    const midnight = new Date(Date.UTC(2027, 5, 1, 15)).getTime();
    const near = clockAt(new Date(midnight - 4000));
    const reserved = await reserveCall(test.db, near, rules, intent);
    expect(reserved).not.toBeNull();
    const used = async (ms: number) => (await readBudget(test.db, new Date(ms), rules)).used;
    expect(await used(midnight - 1)).toBe(1);
    expect(await used(midnight + 1)).toBe(1);
  });

  it("U23: no arrival day ever exceeds the limit, whatever the skew and flight within the rules", async () => {
    const small = { ...rules, dailyLimit: 5 };
    const call = fc.record({
      offsetMs: fc.integer({ min: -40_000, max: 40_000 }),
      arrivalMs: fc.integer({ min: -5000, max: 20_000 }),
    });
    let round = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(call, { minLength: 12, maxLength: 20 }), async (calls) => {
        const midnight = Date.UTC(2028, 0, (round += 2), 15);
        const arrived = new Map<string, number>();
        for (const { offsetMs, arrivalMs } of calls.toSorted((a, b) => a.offsetMs - b.offsetMs)) {
          const clock = clockAt(new Date(midnight + offsetMs));
          const reserved = await reserveCall(test.db, clock, small, intent);
          if (!reserved) continue;
          const day = calendarDay(new Date(reserved.sendAt.getTime() + arrivalMs), small.timezone);
          arrived.set(day, (arrived.get(day) ?? 0) + 1);
        }
        expect(Math.max(0, ...arrived.values())).toBeLessThanOrEqual(5);
      }),
      { numRuns: 15 },
    );
  });

  it("U23: a process whose clock is a day off spends nothing of a day that the others have spent", async () => {
    const strict = { ...rules, dailyLimit: 5, heedsDatabaseClock: true };
    const dayMs = 86_400_000;
    for (const offMs of [dayMs, -dayMs]) {
      const account = { name: `off ${offMs} ${Date.now()}`, dailyLimit: 5, timezone: "Asia/Tokyo" };
      const by = { ...strict, accounts: [account] };
      const reserve = (off: number) =>
        reserveCall(test.db, clockAt(new Date(Date.now() + off)), by, intent);
      const before = calendarDay(new Date(), by.timezone);
      const all: (Reservation | null)[] = [];
      for (let i = 0; i < 10; i += 1) all.push(await reserve(i < 3 ? 0 : offMs));
      const isOneDay = before === calendarDay(new Date(), by.timezone);
      if (isOneDay) expect(grants(all)).toBe(5);
      // The earlier of the days, which `day_api_limit` would end.
      expect(granted(all[3]).day <= before).toBe(true);
    }
  });

  it("U23: a call counts in the day of the upstream's clock too, where ours and the database's are wrong together", async () => {
    const noon = freshNoon();
    const hours = 3_600_000;
    const account = { name: `both wrong ${noon.getTime()}`, dailyLimit: 5, timezone: "UTC" };
    const reserve = (at: Date, upstreamAheadMs: number) =>
      reserveCall(
        test.db,
        clockAt(at),
        { ...rules, accounts: [account], upstreamAheadMs: () => Promise.resolve(upstreamAheadMs) },
        intent,
      );
    // The upstream's day has 5 calls; then our clock is put right.
    for (let i = 0; i < 3; i += 1)
      granted(await reserve(new Date(noon.getTime() + 13 * hours), -13 * hours));
    const all: (Reservation | null)[] = [];
    for (let i = 0; i < 5; i += 1) all.push(await reserve(noon, 0));
    expect(grants(all)).toBe(2);
  });

  it("U23: a day that begins because all our clocks are set forward has no calls while the upstream's day, which is spent, goes on", async () => {
    const noon = freshNoon();
    const account = { name: `set forward ${noon.getTime()}`, dailyLimit: 5, timezone: "UTC" };
    const clock = createTestClock(noon.toISOString());
    const date = () => new Date(noon.getTime() + clock.monotonicMs()).toUTCString();
    const upstream = createUpstreamClock({ clock, logger: silentLogger }, () =>
      Promise.resolve(new Headers({ date: date() })),
    );
    const by = { ...rules, accounts: [account], upstreamAheadMs: upstream.aheadMs };
    for (const setForwardHours of [0, 13, 30 * 24]) {
      clock.setWall(new Date(noon.getTime() + setForwardHours * 3_600_000).toISOString());
      const all: (Reservation | null)[] = [];
      for (let i = 0; i < 6; i += 1) {
        const reserved = await reserveCall(test.db, clock, by, intent);
        if (reserved) upstream.sending()(new Headers({ date: date() }));
        all.push(reserved);
      }
      expect(grants(all)).toBe(setForwardHours === 0 ? 5 : 0);
      await clock.advance(20_000);
    }
  });

  it("U23: a process that counts the day in another zone than the one before it is told so", async () => {
    const at = new Date();
    await rememberTimezone(test.db, "Asia/Tokyo", at);
    expect(await rememberTimezone(test.db, "Asia/Tokyo", at)).toBeNull();
    expect(await rememberTimezone(test.db, "Asia/Kolkata", at)).toBe("Asia/Tokyo");
    expect(await rememberTimezone(test.db, "Asia/Kolkata", at)).toBeNull();
  });

  it("U22: day_api_limit closes the day for every process, before our own count is reached", async () => {
    const noon = freshNoon();
    const { callId } = granted(await reserveCall(test.db, clockAt(noon), rules, intent));
    await test.db.transaction((tx) => closeDay(tx, rules, callId, noon));
    const all = await race(8, (db) => reserveCall(db, clockAt(noon), rules, intent));
    expect(grants(all)).toBe(0);
    expect(await readBudget(test.db, noon, rules)).toMatchObject({
      used: 1,
      remaining: 0,
      refusedAt: noon,
    });
  });

  it("keeps calls of all processes apart by the politeness ceiling", async () => {
    const noon = freshNoon();
    const polite = { ...rules, maxCallsPerSecond: 5 };
    const all = await race(10, (db) => reserveCall(db, clockAt(noon), polite, intent));
    const times = all.flatMap((r) => (r ? [r.sendAt.getTime()] : [])).toSorted((a, b) => a - b);
    const gaps = times.slice(1).map((time, i) => time - must(times[i], "a time before"));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(199);
    expect(gaps).toHaveLength(9);
  });

  it("P8: a clock that was far ahead once does not hold the calls back afterwards", async () => {
    await reserveCall(test.db, clockAt(new Date("2029-06-01T03:00:00.000Z")), rules, intent);
    const early = new Date("2029-05-01T03:00:00.000Z");
    const reserved = await reserveCall(test.db, clockAt(early), rules, intent);
    expect(reserved).toMatchObject({ sendAt: early });
  });
});
