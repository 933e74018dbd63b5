import { noteUnanswered, type CallFailure } from "../../src/crawl/safety/backoff.ts";
import { notePageFailure } from "../../src/crawl/safety/keyword-backoffs.ts";
import { noteBatchFailure } from "../../src/crawl/safety/product-backoffs.ts";
import type { Db } from "../../src/db/open.ts";

/** A failure of a call at this moment, as the failure policy tells it. */
export function failureAt(at: Date, over: Partial<CallFailure> = {}): CallFailure {
  return {
    code: "http_500",
    message: "the storefront answered 500",
    callId: 1,
    at,
    kind: "broken",
    found: null,
    callsPerDay: 10_000,
    notBefore: null,
    ...over,
  };
}

/**
 * Subjects of every kind that have failed at this moment: two lists of the keyword and a position of
 * one of them, shop-1 with four products, its product 1001 alone, and 1002 that no answer shows.
 */
export async function storeBackoffs(db: Db, queryId: number, at: Date): Promise<void> {
  await db.transaction(async (tx) => {
    const failure = failureAt(at);
    const popular = { queryId, order: "popular" } as const;
    await notePageFailure(tx, popular, { start: 0, size: 50 }, failure);
    const modified = { queryId, order: "modified" } as const;
    await notePageFailure(tx, modified, { start: 37, size: 1 }, failure);
    await noteBatchFailure(tx, { shopId: "shop-1", itemIds: [1001] }, failure);
    const others = [1003, 1004, 1005, 1006];
    await noteBatchFailure(tx, { shopId: "shop-1", itemIds: others }, failure);
    const note = { code: "held", reason: "the upstream does not show it", callId: 2, at };
    await noteUnanswered(tx, [1002], note);
  });
}
