import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { noteUnanswered } from "../../src/crawl/safety/backoff.ts";
import { noteBatchFailure } from "../../src/crawl/safety/product-backoffs.ts";
import { failureAt } from "../support/backoffs.ts";
import { openedForEach } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";

const test = openedForEach(createTestDb);

const shopId = "shop-1";

/** A refresh of these products fails, at the `n`-th minute. */
async function fail(itemIds: readonly number[], n: number): Promise<void> {
  const failure = failureAt(new Date(Date.UTC(2026, 2, 1, 0, n)));
  await test.db.transaction((tx) => noteBatchFailure(tx, { shopId, itemIds }, failure));
}

async function failuresOf(kind: "shop" | "product"): Promise<number> {
  const [row] = await test.db.execute<{ failures: number }>(
    sql`select failures from backoff where kind = ${kind}`,
  );
  return row?.failures ?? 0;
}

it("B1: the other products of a shop do not wait for one that fails again and again by itself", async () => {
  // Each half that was asked for had the product.
  const halves = [[1, 2, 3, 4, 5], [1, 2, 3], [1, 2], [1]];
  for (const [i, half] of halves.entries()) await fail(half, i + 1);
  const found = await failuresOf("shop");
  expect(found).toBe(halves.length);
  for (let n = 5; n < 25; n += 1) await fail([1], n);
  expect(await failuresOf("product")).toBeGreaterThan(5);
  expect(await failuresOf("shop")).toBe(found);
});

it("B1: a product that no answer has shown before is shown to ops as well when it fails by itself", async () => {
  const at = new Date(Date.UTC(2026, 2, 1));
  const unanswered = { code: "held", reason: "the upstream does not show it", callId: 1, at };
  await test.db.transaction((tx) => noteUnanswered(tx, [1], unanswered));
  await fail([1, 2], 1);
  await fail([1], 2);
  await fail([1], 3);
  const rows = await test.db.execute(sql`select item_id from quarantine`);
  expect([...rows]).toEqual([{ item_id: 1 }]);
  expect(await failuresOf("shop")).toBe(2);
});

it("a subject whose failures somebody wrote by hand at the end of their column backs off all the same", async () => {
  const at = new Date(Date.UTC(2026, 2, 1));
  const again = { code: "held", reason: "the upstream does not show it", callId: 1, at };
  await fail([1], 1);
  const spoil = () => test.db.execute(sql`update backoff set failures = 2147483647`);
  await spoil();
  await fail([1], 2);
  await spoil();
  await test.db.transaction((tx) => noteUnanswered(tx, [1, 2], again));
  const rows = await test.db.execute(sql`
    select from backoff where kind = 'product' and retry_at > ${at.toISOString()}::timestamptz + interval '1 h'`);
  expect(rows).toHaveLength(2);
});
