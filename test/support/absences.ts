import { sql } from "drizzle-orm";
import { beforeEach } from "vitest";
import { settleAbsences, type AbsenceVerdict } from "../../src/catalog/observing/deletions.ts";
import { observeSearch } from "../../src/catalog/observing/observe.ts";
import type { SearchItem } from "../../src/storefront/product.ts";
import { openedForAll } from "./opened.ts";
import { createTestDb } from "./postgres.ts";
import { searchItem } from "./products.ts";

export const HOUR = 3600;
export const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
export const changedAt = (second: number, unit = 1) => ({
  modified: (at(second).getTime() / 1000) * unit,
});

/** Searches that show products, and refreshes that lack some, in one database for all tests of the file. */
export function absencesForAll() {
  const test = openedForAll(createTestDb);
  // What other tests have deleted counts in none.
  beforeEach(async () => {
    await test.db.execute(sql`delete from deletion_count`);
    await test.db.execute(sql`delete from api_call`);
    await test.db.execute(sql`update loss_guard set tripped_at = null`);
  });

  async function store(
    second: number,
    ids: number[],
    over: Partial<SearchItem> = {},
  ): Promise<void> {
    const items = ids.map((id) => searchItem(id, over));
    await test.db.transaction((tx) =>
      observeSearch(tx, { callId: second, sentAt: at(second) }, { items, broken: [] }),
    );
  }

  function settle(
    second: number,
    answer: {
      asked: number[];
      returned: number[];
      shopId?: string;
      anonymous?: boolean;
      absentBefore?: number;
      confirmsEmpty?: boolean;
    },
  ): Promise<AbsenceVerdict> {
    return test.db.transaction((tx) =>
      settleAbsences(
        tx,
        { callId: 1000 + second, sentAt: at(second) },
        { shopId: "shop-1", anonymous: false, confirmsEmpty: false, ...answer },
      ),
    );
  }

  /** A refresh of the ledger that showed so many of five products of shop-1. */
  async function record(second: number, returned: number): Promise<void> {
    await test.db.execute(sql`
      insert into api_call (id, day, purpose, operation, job, params, reserved_at, outcome, asked, returned)
      values (${1000 + second}, '2026-01-01', 'revalidation', 'refresh', 'revalidate', '{"shop_id": "shop-1"}',
        now(), 'ok', 5, ${returned})`);
  }

  return { test, store, settle, record };
}
