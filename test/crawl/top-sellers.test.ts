import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { createKeywordCaller } from "../../src/crawl/keywords/keyword-call.ts";
import { createTopSellers, openFirstPages } from "../../src/crawl/keywords/top-sellers.ts";
import { createPlannerState } from "../../src/crawl/learning/planner-state.ts";
import { must } from "../../src/lib/must.ts";
import { failureAt } from "../support/backoffs.ts";
import { whileHeld } from "../support/held-rows.ts";
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

it("D5: while somebody holds a page's or a keyword's row for long, the other pages are opened and postponed", async () => {
  const { db } = test;
  const at = began.toISOString();
  await db.execute(sql`
    insert into crawl_query (q, source, found, scanned_at, created_at)
    select q, 'seed', 400, ${at}, ${at} from unnest(array['財布', 'バッグ', '陶器']) q`);
  const starts = async (where = sql`true`) =>
    [
      ...(await db.execute<{ q: string }>(sql`
      select q from crawl_page p join crawl_query k on k.id = p.query_id where ${where} order by k.id`)),
    ].map((row) => row.q);
  await whileHeld(test, "select from crawl_query where q = '財布'", () =>
    openFirstPages(db, began),
  );
  expect(await starts()).toEqual(["バッグ", "陶器"]);
  await openFirstPages(db, began);
  expect(await starts()).toEqual(["財布", "バッグ", "陶器"]);

  await db.execute(sql`update crawl_page set start = 50`);
  const state = createPlannerState(db, { dailyLimit: 1000, timezone: "Asia/Tokyo" });
  await state.refresh(began.getTime());
  state.follow(1e9);
  const topSellers = createTopSellers(db, createKeywordCaller(state), state);
  const held = "select from crawl_page p join crawl_query k on k.id = p.query_id where q = '財布'";
  await whileHeld(test, held, async () => {
    const { calls, postpone } = await topSellers(began);
    expect(calls).toEqual([]);
    await postpone();
  });
  expect(await starts(sql`p.due_at > ${at}`)).toEqual(["バッグ", "陶器"]);
});

it("P8: after the clock was hours ahead, first pages are requested to see what they show as often as before", async () => {
  const { db } = test;
  const at = began.toISOString();
  await db.execute(sql`
    with keyword as (
      insert into crawl_query (q, source, found, scanned_at, created_at)
      values ('財布', 'seed', 400, ${at}, ${at}) returning id)
    insert into crawl_page (query_id, start, item_ids, due_at) select id, 0, '[]', ${at} from keyword`);
  const state = createPlannerState(db, { dailyLimit: 1000, timezone: "Asia/Tokyo" });
  await state.refresh(began.getTime());
  state.follow(1e9);
  const topSellers = createTopSellers(db, createKeywordCaller(state), state);
  const firstPage = async (now: Date) => (await topSellers(now)).calls[0];
  const call = must(await firstPage(later(9)), "a page that is due");
  const none = { items: [], broken: [], unknownFields: [], truncatedFields: 0 };
  const tally = {
    returned: 0,
    created: 0,
    changed: 0,
    unchanged: 0,
    quarantined: 0,
    duplicates: 0,
  };
  await db.transaction((tx) =>
    call.settle(
      tx,
      { callId: 1, sentAt: later(9) },
      { ...none, found: 400, start: 0 },
      { tally, observed: [] },
    ),
  );
  await db.execute(sql`update crawl_page set due_at = ${at}`);
  expect(await firstPage(later(9.1))).toBeUndefined();
  expect(await firstPage(later(1))).toBeDefined();
});
