import { sql } from "drizzle-orm";
import { afterEach, expect, it } from "vitest";
import { readBackoffs } from "../../src/crawl/backoff-list.ts";
import { noteUnanswered } from "../../src/crawl/safety/backoff.ts";
import { startRun } from "../../src/crawl/budget/jobs.ts";
import { noteBatchFailure } from "../../src/crawl/safety/product-backoffs.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { must } from "../../src/lib/must.ts";
import { RetryLater } from "../../src/storefront/errors.ts";
import { createTestApi } from "../support/api.ts";
import { failureAt } from "../support/backoffs.ts";
import { createTestCrawl, type TestCrawl } from "../support/crawl.ts";
import { until } from "../support/until.ts";

let crawl: TestCrawl;
afterEach(() => crawl.close());

const listed = async () => (await readBackoffs(crawl.db, { limit: 200 })).items;
const keyOf = async (key: string) =>
  must(
    (await listed()).find(({ subject }) =>
      subject.kind === "product" ? String(subject.itemId) === key : subject.shop?.shopId === key,
    ),
    `${key} to be backing off`,
  );
const asked = () =>
  crawl.sandbox.control.calls
    .all()
    .filter((call) => call.operation === "refresh")
    .map((call) => call.asked);

async function retry(key: string): Promise<void> {
  const { id } = await keyOf(key);
  const api = createTestApi(crawl.db);
  expect((await api.ops("POST", `/ops/v1/backoffs/${id}/retry`)).status).toBe(204);
}

it("B1: what ops retry is asked for again, and waits longer where it fails again; nothing else is asked for", async () => {
  const failing = new Set<number>();
  let failed = 0;
  crawl = await createTestCrawl({
    through: (client) => ({
      ...client,
      async refresh(request, signal) {
        if (!request.itemIds.some((id) => failing.has(id))) return client.refresh(request, signal);
        failed += 1;
        throw new RetryLater("http_500", "the storefront answered 500");
      },
    }),
  });
  await crawl.run("discover");
  const shops = await crawl.db.execute<{ shop_id: string; ids: number[] }>(sql`
    select shop_id, json_agg(item_id order by item_id) as ids from product
    group by 1 having count(*) > 1 order by 1 limit 4`);
  const [alone, control, together, unanswered] = shops;
  const ids = [alone, control, together, unanswered].map((shop) => must(shop?.ids[0], "a product"));
  const [aloneId = 0, controlId = 0, , unansweredId = 0] = ids;
  const shopId = must(together, "a shop").shop_id;
  const now = systemClock.now();
  await crawl.db.transaction(async (tx) => {
    for (const shop of [alone, control]) {
      const one = must(shop, "a shop");
      const batch = { shopId: one.shop_id, itemIds: one.ids.slice(0, 1) };
      await noteBatchFailure(tx, batch, failureAt(now));
    }
    await tx.execute(sql`delete from backoff where kind = 'shop'`);
    await noteBatchFailure(tx, { shopId, itemIds: must(together, "a shop").ids }, failureAt(now));
    const note = { code: "held", reason: "not shown", callId: 1, at: now };
    await noteUnanswered(tx, [unansweredId], note);
    await tx.execute(
      sql`update backoff set retry_at = ${now.toISOString()}::timestamptz + interval '1 day'`,
    );
    await tx.execute(
      sql`update product_schedule set due_at = ${now.toISOString()}::timestamptz + interval '1 day'`,
    );
    await tx.execute(
      sql`update shop set due_at = ${now.toISOString()}::timestamptz + interval '1 day'`,
    );
  });
  failing.add(aloneId);
  await startRun(crawl.db, "revalidate", "cron", systemClock.now());
  await retry(String(aloneId));
  await until(() => failed === 1, { what: "the product is asked for" });
  await until(async () => (await keyOf(String(aloneId))).failures === 2, { what: "its failure" });
  expect((await keyOf(String(aloneId))).retryAt.getTime()).toBeGreaterThan(now.getTime() + 50_000);
  failing.clear();
  for (const key of [String(aloneId), shopId, String(unansweredId)]) {
    const isFree = async () =>
      !(await listed()).some(({ subject }) =>
        subject.kind === "product" ? String(subject.itemId) === key : subject.shop?.shopId === key,
      );
    // An unanswered product is part of other calls about its shop, and may have been answered already.
    if (!(await isFree())) await retry(key);
    await until(isFree, { what: `${key} is asked for and answered` });
  }
  expect(asked()).toContainEqual([aloneId]);
  expect(asked().flat()).not.toContain(controlId);
  expect((await keyOf(String(controlId))).failures).toBe(1);
});
