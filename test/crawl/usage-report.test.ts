import { sql } from "drizzle-orm";
import { beforeAll, expect, it } from "vitest";
import { readPurchases, readSpending, readSpentDays } from "../../src/crawl/budget/usage-report.ts";
import { openedForAll } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";

const test = openedForAll(createTestDb);

beforeAll(async () => {
  await test.db.execute(sql`
    insert into budget_day (day, limit_calls, used, refused_at)
    values ('2026-01-14', 100, 7, '2026-01-14T09:00:00Z'), ('2026-01-15', 100, 4, null)`);
  await test.db.execute(sql`
    insert into api_call (day, purpose, operation, job, params, reserved_at, outcome, created, changed)
    values
      ('2026-01-15', 'discovery', 'search', 'discover', '{}', '2026-01-14T15:01:00Z', 'ok', 5, 1),
      ('2026-01-15', 'discovery', 'search', 'discover', '{}', '2026-01-14T15:09:59Z', 'search_error', null, null),
      ('2026-01-15', 'discovery', 'search', 'discover', '{}', '2026-01-14T15:30:00Z', null, null, null),
      ('2026-01-15', 'on_demand', 'refresh', 'on_demand', '{}', '2026-01-14T15:30:01Z', 'ok', 0, 2)`);
});

it("adds calls up by steps of time", async () => {
  const window = {
    from: new Date("2026-01-14T15:00:00Z"),
    to: new Date("2026-01-14T15:30:01Z"),
    stepMs: 600_000,
  };
  expect(await readSpending(test.db, window)).toEqual([
    { at: new Date("2026-01-14T15:00:00Z"), calls: 2 },
    { at: new Date("2026-01-14T15:30:00Z"), calls: 1 },
  ]);
});

it("tells what a day's calls were spent on and what they found", async () => {
  expect(await readPurchases(test.db, "2026-01-15")).toMatchObject([
    { purpose: "discovery", calls: 3, failed: 1, unknown: 1, created: 5, changed: 1 },
    { purpose: "on_demand", calls: 1, failed: 0, unknown: 0, created: 0, changed: 2 },
  ]);
  expect(await readPurchases(test.db, "2026-01-13")).toEqual([]);
});

it("lists the last days, newest first", async () => {
  expect(await readSpentDays(test.db, 5)).toMatchObject([
    { day: "2026-01-15", used: 4, created: 5, changed: 3, refused: false },
    { day: "2026-01-14", used: 7, limit: 100, refused: true },
  ]);
});
