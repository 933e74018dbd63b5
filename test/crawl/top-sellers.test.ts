import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { createKeywordCaller } from "../../src/crawl/keywords/keyword-call.ts";
import { createTopSellers } from "../../src/crawl/keywords/top-sellers.ts";
import { createPlannerState } from "../../src/crawl/learning/planner-state.ts";
import { must } from "../../src/lib/must.ts";
import { failureAt } from "../support/backoffs.ts";
import { openedForEach } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";

const test = openedForEach(createTestDb);

const began = new Date("2026-03-01T00:00:00Z");
const later = (hours: number) => new Date(began.getTime() + hours * 3_600_000);

it("a position that the upstream refuses is not requested again, and the pages before it are", async () => {
  const { db } = test;
  await db.execute(sql`
    with keyword as (
      insert into crawl_query (q, source, found, scanned_at, created_at)
      values ('財布', 'seed', 400, ${began.toISOString()}, ${began.toISOString()}) returning id)
    insert into crawl_page (query_id, start, item_ids, due_at)
    select id, start, '[]', ${began.toISOString()} from keyword, unnest(array[0, 50, 100, 150]) start`);
  const state = createPlannerState(db, { dailyLimit: 1000, timezone: "Asia/Tokyo" });
  await state.refresh(began.getTime());
  const topSellers = createTopSellers(db, createKeywordCaller(state), state);
  const pagesAt = async (at: Date) => {
    const { calls } = await topSellers(at);
    return new Map(calls.map((call) => [call.params.start ?? 0, call]));
  };
  const deep = must((await pagesAt(began)).get(100), "the third page");
  await db.transaction((tx) => deep.failed(tx, failureAt(began, { kind: "refused" })));
  expect([...(await pagesAt(later(48))).keys()].toSorted((a, b) => a - b)).toEqual([0, 50]);
});
