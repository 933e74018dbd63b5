import { sql } from "drizzle-orm";
import { beforeEach } from "vitest";
import { defaultLossBounds } from "../../src/catalog/observing/loss-guard.ts";
import { observeRefresh, observeSearch } from "../../src/catalog/observing/observe.ts";
import { createKeywordCaller } from "../../src/crawl/keywords/keyword-call.ts";
import { createTopSellers, openFirstPages } from "../../src/crawl/keywords/top-sellers.ts";
import { addKeyword, type Keyword } from "../../src/crawl/learning/keywords.ts";
import { createPlannerState } from "../../src/crawl/learning/planner-state.ts";
import { createRevalidation } from "../../src/crawl/products/revalidation.ts";
import type { PlannedCall } from "../../src/crawl/safety/planned-call.ts";
import type { Tx } from "../../src/db/open.ts";
import { must } from "../../src/lib/must.ts";
import type { SearchItem } from "../../src/storefront/product.ts";
import type { TestDb } from "./postgres.ts";

const MINUTE = 60_000;
const start = Date.UTC(2026, 0, 1);
const nothingIsBelieved = { ...defaultLossBounds, burstCount: 0, burstShare: 0 };

interface Written {
  table: string;
  rows: number;
}

/** The calls of a crawl with one keyword, anew for each test: each is made a minute after the previous one. */
export function settledCalls(test: TestDb) {
  let query: Keyword;
  let state: ReturnType<typeof createPlannerState>;

  const calls = {
    made: 0,
    now: () => new Date(start + calls.made * MINUTE),
    /** A product that was deleted and is shown again: it is published anew. */
    modifiedNow: () => ({ modified: calls.now().getTime() / 1000 }),
    /** What the planner remembers is read anew. */
    forget(): void {
      state = createPlannerState(test.db, { dailyLimit: 10_000, timezone: "Asia/Tokyo" });
    },
    /** The answer of the call shows these items; returns how many rows of each table were written. */
    async make(call: PlannedCall, items: SearchItem[]): Promise<Written[]> {
      calls.made += 1;
      const sighting = { callId: calls.made, sentAt: calls.now() };
      const page = {
        items,
        broken: [],
        unknownFields: [],
        truncatedFields: 0,
      };
      return test.db.transaction(async (tx) => {
        const before = await readWritten(tx);
        if (call.operation === "search") {
          const found = { ...page, found: items.length, start: 0, firstRank: call.firstRank };
          await call.settle(tx, sighting, found, await observeSearch(tx, sighting, found));
        } else {
          const observed = await observeRefresh(tx, sighting, { ...page, asked: call });
          await call.settle(tx, sighting, page, observed);
        }
        return (await readWritten(tx)).map(({ table, rows }, i) => ({
          table,
          rows: rows - (before[i]?.rows ?? 0),
        }));
      });
    },
    /** A page in the order of ids. */
    async newPage(): Promise<PlannedCall> {
      await state.refresh(calls.now().getTime());
      return createKeywordCaller(state).call(query, {
        job: "discover",
        order: "id-ascending",
        start: 0,
        value: 1,
        why: { code: "most_ordered", q: query.q, start: 0, expected: 0 },
        progress: () => ({}),
        giveUp: () => ({}),
      });
    },
    /** The page of the top sellers, which is due and showed `expected` last. */
    async popularPage(expected: readonly number[]): Promise<PlannedCall> {
      await test.db.execute(sql`
        update crawl_page set due_at = ${new Date(start).toISOString()}, item_ids = ${JSON.stringify(expected)}::text::jsonb`);
      await state.refresh(calls.now().getTime());
      const offer = createTopSellers(test.db, createKeywordCaller(state), state);
      const { calls: due } = await offer(calls.now());
      return must(due[0], "a page that is due");
    },
    /** Of products of shop-1; `isHeld`: the loss guard holds every deletion. */
    async refreshOf(itemIds: number[], isHeld = false): Promise<PlannedCall> {
      await state.refresh(calls.now().getTime());
      const bounds = isHeld ? nothingIsBelieved : { ...defaultLossBounds, share: Infinity };
      return createRevalidation(test.db, state, bounds).toCall({
        shopId: "shop-1",
        itemIds,
        value: 1,
        why: { code: "pass", shopId: "shop-1", products: itemIds.length },
      });
    },
  };

  beforeEach(async () => {
    calls.made = 0;
    const now = calls.now();
    query = must(await addKeyword(test.db, { q: "革財布", source: "seed" }, now), "the keyword");
    await test.db.execute(sql`update crawl_query set scanned_at = ${now.toISOString()}`);
    await openFirstPages(test.db, now);
    calls.forget();
  });
  return calls;
}

/** Versions of rows that this connection has made lately, as Postgres itself counts. */
async function readWritten(tx: Tx): Promise<Written[]> {
  const rows = await tx.execute<Written & Record<string, unknown>>(sql`
    select relname as table, n_tup_ins + n_tup_upd as rows from pg_stat_xact_user_tables
    where relname in ('product', 'product_schedule') order by 1`);
  return [...rows];
}
