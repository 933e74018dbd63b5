import { sql } from "drizzle-orm";
import postgres from "postgres";
import { describe, expect, it } from "vitest";
import { createPlannerState } from "../../src/crawl/learning/planner-state.ts";
import { createRevalidation } from "../../src/crawl/products/revalidation.ts";
import { must } from "../../src/lib/must.ts";
import { fillCatalogue } from "../support/bulk-catalogue.ts";
import { createTestCrawl } from "../support/crawl.ts";
import { openedForEach } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";
import { until } from "../support/until.ts";
import { itLong } from "../support/it-long.ts";

const test = openedForEach(createTestDb);

/** While somebody else holds the shop's row. */
async function whileLocked(url: string, shopId: string, work: () => Promise<void>): Promise<void> {
  const other = postgres(url, { max: 1, onnotice: () => {} });
  try {
    await other.begin(async (tx) => {
      await tx`select from shop where shop_id = ${shopId} for update`;
      await work();
    });
  } finally {
    await other.end();
  }
}

describe("while somebody holds a shop's row for long", () => {
  it("D5: other shops are valued and planned on", async () => {
    const now = new Date();
    await fillCatalogue(test.db, { shops: 3, each: 5, at: new Date(now.getTime() - 60_000) });
    await test.db.execute(sql`update shop set due_at = checked_at`);
    const state = createPlannerState(test.db, { dailyLimit: 10_000, timezone: "Asia/Tokyo" });
    await state.refresh(now.getTime());
    state.follow(1000);
    const revalidation = createRevalidation(test.db, state);
    const { calls, postpone } = await revalidation.offers(now);
    expect(calls).toEqual([]);
    await whileLocked(test.url, "s-1", postpone);
    const rows = await test.db.execute(sql`
      select shop_id from shop where due_at > ${now.toISOString()} order by 1`);
    expect([...rows]).toEqual([{ shop_id: "s-2" }, { shop_id: "s-3" }]);
  });

  itLong(
    "D5: answers without that shop's products are stored, and its own hold no call up for long",
    async () => {
      const crawl = await createTestCrawl();
      try {
        const visible = crawl.sandbox.control.items().filter((item) => item.visible === 1);
        const shopId = String(must(visible[0], "a product").shop_id);
        const others = visible.filter((item) => item.shop_id !== shopId).length;
        await crawl.db.execute(sql`
        insert into shop (shop_id, shop_name, shop_url, first_seen_at, checked_at)
        values (${shopId}, '', '', now() - interval '1 day', now() - interval '1 day')`);
        await whileLocked(crawl.url, shopId, async () => {
          const running = crawl.run("discover");
          running.catch(() => {});
          await until(
            async () => {
              const [row] = await crawl.db.execute<{ n: number }>(sql`
              select count(*) as n from product where shop_id <> ${shopId}`);
              return row?.n === others;
            },
            { timeoutMs: 110_000, what: "the products of the other shops" },
          );
          const [row] = await crawl.db.execute<{ longest_ms: number }>(
            sql`select max(duration_ms) as longest_ms from api_call`,
          );
          expect(row?.longest_ms).toBeLessThan(25_000);
        });
      } finally {
        await crawl.close();
      }
    },
  );
});
