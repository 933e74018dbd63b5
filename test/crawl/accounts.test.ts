import { setTimeout as pause } from "node:timers/promises";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import type { AccountRules } from "../../src/crawl/budget/accounts.ts";
import { closeDay, reserveCall, type Reservation } from "../../src/crawl/budget/budget.ts";
import { readBudget } from "../../src/crawl/budget/budget-today.ts";
import type { Db } from "../../src/db/open.ts";
import { calendarDay } from "../../src/lib/calendar.ts";
import { must } from "../../src/lib/must.ts";
import {
  budgetsForAll,
  berlin,
  clockAt,
  count,
  intent,
  rules,
  rulesOf,
  tokyo,
} from "../support/budgets.ts";
import { itLong } from "../support/it-long.ts";

const { test, openProcess, freshNoon, race, raceForCalls } = budgetsForAll();

describe("the budgets of several accounts", () => {
  it("grant each account exactly its limit to any number of racing processes", async () => {
    const noon = freshNoon();
    const granted = await raceForCalls(noon, 160);
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
      const all = await race(160, (db, i) => naive(db, i % 2 === 0 ? tokyo : berlin));
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
            if (!reserved) continue;
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
      const granted: Reservation[] = [];
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
              if (!reserved) return;
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

  it("keep the calls of each account apart by its own ceiling", async () => {
    const noon = freshNoon();
    const slow = { ...berlin, name: "slow", maxCallsPerSecond: 2 };
    const quick = { ...tokyo, name: "quick", maxCallsPerSecond: 50 };
    const granted = await raceForCalls(noon, 85, rulesOf(quick, slow));
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
