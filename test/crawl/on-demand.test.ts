import { sql } from "drizzle-orm";
import { afterEach, describe, expect, it } from "vitest";
import { settleWithoutCall } from "../../src/crawl/products/refresh-requests.ts";
import { readCalls } from "../support/calls.ts";
import { startRun, updateJob } from "../../src/crawl/budget/jobs.ts";
import { readProduct } from "../../src/catalog/products.ts";
import { calendarDay } from "../../src/lib/calendar.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { must } from "../../src/lib/must.ts";
import { createTestApi, type TestApi } from "../support/api.ts";
import { createTestCrawl, type TestCrawl, type TestCrawlOptions } from "../support/crawl.ts";
import { until } from "../support/until.ts";
import { itLong } from "../support/it-long.ts";

let crawl: TestCrawl;
let api: TestApi;

/** All products are found, and none has been checked for an hour. */
async function open(options: TestCrawlOptions = {}): Promise<void> {
  // The days of the ledger are those of the rules.
  const discovered = options.rules === undefined;
  crawl = await createTestCrawl({ sandbox: { products: 100 }, ...options, discovered });
  api = createTestApi(crawl.db, { budget: crawl.rules });
  if (!discovered) await crawl.run("discover");
  await crawl.db.execute(sql`
    update product set checked_at = checked_at - interval '1 hour',
      first_seen_at = first_seen_at - interval '1 hour'`);
  await crawl.db.execute(sql`
    update product_schedule set checked_at = checked_at - interval '1 hour', due_at = due_at + interval '30 days'`);
  await crawl.db.execute(sql`update shop set due_at = now() + interval '30 days'`);
}
afterEach(() => crawl.close());

const visible = () => crawl.sandbox.control.items().filter((item) => item.visible === 1);
const refreshes = () =>
  crawl.sandbox.control.calls.all().filter((call) => call.operation === "refresh");
const refresh = (itemId: unknown, query = "") =>
  api.request(`/v1/products/${String(itemId)}/refresh${query}`, { method: "POST" });

/** The shop with most products, and their ids. */
function largestShop(): { shopId: string; itemIds: number[] } {
  const shops = new Map<string, number[]>();
  for (const item of visible()) {
    const shopId = String(item.shop_id);
    shops.set(shopId, [...(shops.get(shopId) ?? []), Number(item.item_id)]);
  }
  const [largest] = [...shops].toSorted((a, b) => b[1].length - a[1].length);
  const [shopId, itemIds] = must(largest, "a shop");
  return { shopId, itemIds };
}

async function outcomes(): Promise<Record<string, unknown>[]> {
  return [
    ...(await crawl.db.execute(sql`
      select item_id, outcome, call_id is not null as by_call from refresh_request order by item_id`)),
  ];
}

describe("refresh on demand", () => {
  it("answers with what the upstream says now, within the wait", async () => {
    await open();
    const [id = 0] = largestShop().itemIds;
    crawl.sandbox.control.edit(id, { price: 123, stock: 7 }, { silent: true });
    const response = await refresh(id);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ item_id: id, price: 123, stock: 7 });
    expect(await outcomes()).toEqual([{ item_id: id, outcome: "answered", by_call: true }]);
    const [call] = await readCalls(crawl.db, { limit: 1, purpose: "on_demand" });
    expect(call).toMatchObject({ operation: "refresh", outcome: "ok", changed: 1 });
    expect((await refresh(id, "?min_age_s=600")).status).toBe(200);
    expect(refreshes()).toHaveLength(1);
  });

  it("callers for one shop share a call, filled up with the shop's most overdue products", async () => {
    await open();
    const { shopId, itemIds } = largestShop();
    const asked = itemIds.slice(0, 4);
    const overdue = itemIds.slice(4).toReversed();
    for (const [i, id] of overdue.entries()) {
      await crawl.db.execute(sql`
        update product_schedule set due_at = now() + ${`${i + 1} days`}::interval where item_id = ${id}`);
    }
    const responses = await Promise.all([...asked, ...asked].map((id) => refresh(id)));
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
    expect(refreshes()).toHaveLength(1);
    const [call] = refreshes();
    expect(call?.params.shop_id).toBe(shopId);
    expect(call?.asked).toHaveLength(Math.min(50, itemIds.length));
    expect(new Set(call?.asked)).toEqual(
      new Set([...asked, ...overdue.slice(0, 50 - asked.length)]),
    );
  });

  it("a deleted product is answered as gone, with the call that proves it", async () => {
    await open();
    const [id = 0] = largestShop().itemIds;
    crawl.sandbox.control.remove(id);
    expect((await refresh(id)).status).toBe(410);
    expect(await outcomes()).toEqual([{ item_id: id, outcome: "absent", by_call: true }]);
  });

  itLong(
    "U19: an empty answer proves nothing: the crawl's second check decides, and no other call is spent",
    async () => {
      await open();
      const { shopId, itemIds } = largestShop();
      const [first = 0, second = 0] = itemIds;
      const stateOf = async (id: number) => (await readProduct(crawl.db, id))?.state;
      crawl.sandbox.control.faults.fail("empty_refresh", 1);
      // No run of `revalidate` is open yet, so the second check cannot happen.
      expect((await refresh(first)).status).toBe(202);
      expect(await stateOf(first)).toBe("live");
      await startRun(crawl.db, "revalidate", "cron", systemClock.now());
      await until(async () => (await refresh(first)).status === 200, { what: "a second look" });
      await crawl.db.execute(sql`update job_run set finished_at = now(), outcome = 'done'`);

      await crawl.db.execute(sql`
      update product set checked_at = checked_at - interval '1 hour' where shop_id = ${shopId}`);
      crawl.sandbox.control.removeShop(shopId);
      expect((await refresh(second)).status).toBe(202);
      expect(await stateOf(second)).toBe("live");
      await startRun(crawl.db, "revalidate", "manual", systemClock.now());
      await until(async () => (await refresh(second)).status === 410, { what: "the proof" });
      const calls = await readCalls(crawl.db, { limit: 1000, purpose: "on_demand" });
      expect(calls).toHaveLength(2);
    },
  );

  it("U1: a failed call is made again for those who wait, and they get the answer", async () => {
    await open();
    const [id = 0] = largestShop().itemIds;
    crawl.sandbox.control.faults.fail("http_503", 1);
    expect([200, 202]).toContain((await refresh(id)).status);
    await until(async () => (await refresh(id)).status === 200, { what: "an answer" });
    expect((await outcomes())[0]).toMatchObject({ outcome: "answered" });
  });

  itLong(
    "U25: a refused request is settled as such instead of being repeated for ever",
    async () => {
      await open();
      const [id = 0] = largestShop().itemIds;
      crawl.sandbox.control.faults.fail("bad_params", 1);
      const response = await refresh(id);
      expect(response.status).toBe(503);
      expect(await response.json()).toMatchObject({ code: "refresh_unanswered" });
      expect(refreshes()).toHaveLength(1);
      expect(await outcomes()).toEqual([{ item_id: id, outcome: "refused", by_call: true }]);
    },
  );

  it("what another call has shown meanwhile needs no call of its own", async () => {
    await open();
    const id = Number(must(visible()[0], "a product").item_id);
    const now = systemClock.now();
    const ago = (ms: number) => new Date(now.getTime() - ms).toISOString();
    // Not due yet, so that the crawler leaves it to this test.
    const later = new Date(now.getTime() + 60_000).toISOString();
    await crawl.db.execute(sql`
      insert into refresh_request (item_id, requested_at, due_at) values (${id}, ${ago(5000)}, ${later})`);
    await crawl.db.execute(sql`update product set checked_at = ${ago(1000)} where item_id = ${id}`);
    await settleWithoutCall(crawl.db, now);
    expect(await outcomes()).toEqual([{ item_id: id, outcome: "answered", by_call: false }]);
    expect(refreshes()).toHaveLength(0);
  });

  itLong(
    "P8: a check while the clock was nine hours ahead answers none once it is set right",
    async () => {
      await open();
      const [id = 0] = largestShop().itemIds;
      const now = systemClock.now();
      const at = (ms: number) => new Date(now.getTime() + ms).toISOString();
      await crawl.db.execute(
        sql`update product set checked_at = ${at(9 * 3_600_000)} where item_id = ${id}`,
      );
      await crawl.db.execute(sql`
      insert into refresh_request (item_id, requested_at, due_at) values (${id}, ${at(0)}, ${at(0)})`);
      await until(async () => (await outcomes())[0]?.outcome, { what: "the request is settled" });
      expect(await outcomes()).toEqual([{ item_id: id, outcome: "answered", by_call: true }]);
    },
  );

  it("a crashed process's requests are taken up by the next", async () => {
    await open();
    const [id = 0] = largestShop().itemIds;
    const now = systemClock.now().toISOString();
    await crawl.db.execute(sql`
      insert into refresh_request (item_id, requested_at, due_at) values (${id}, ${now}, ${now})`);
    const done = async () => (await outcomes())[0]?.outcome === "answered";
    await until(done, { what: "the request is settled" });
  });
});

/** A zone in which it is between six and seven in the morning, whenever the test runs. */
function morningZone(): string {
  const ahead = ((6 - systemClock.now().getUTCHours() + 36) % 24) - 12;
  // These names count westwards.
  return ahead === 0 ? "Etc/GMT" : `Etc/GMT${ahead > 0 ? "-" : "+"}${Math.abs(ahead)}`;
}

describe("the quota for refresh on demand", () => {
  it("is left alone by the greediest jobs, and taken by users until it is spent", async () => {
    await open({ rules: { dailyLimit: 400, timezone: morningZone() } });
    const now = systemClock.now();
    await updateJob(crawl.db, "revalidate", { settings: { on_demand_share: 0.5 } }, now);
    const day = calendarDay(now, crawl.rules.timezone);
    // Of the quota of 200 calls some 140 are still kept: more than the three that are left of the day.
    await crawl.db.execute(sql`update budget_day set used = 397 where day = ${day}`);
    const statuses = [];
    for (const { item_id: id } of visible().slice(0, 4)) {
      statuses.push((await refresh(id)).status);
      // After its first call the crawler can no longer act on the earlier state of the day.
      await startRun(crawl.db, "revalidate", "manual", now);
      await crawl.db.execute(sql`update product set checked_at = checked_at - interval '1 hour'`);
    }
    expect(statuses).toEqual([200, 200, 200, 429]);
    const [row] = await crawl.db.execute(sql`
      select used, on_demand from budget_day where day = ${day}`);
    expect(row).toEqual({ used: 400, on_demand: 3 });
  });

  itLong("control: with nothing kept, the same jobs leave users without a call", async () => {
    await open({ rules: { dailyLimit: 400, timezone: morningZone() } });
    const now = systemClock.now();
    await updateJob(crawl.db, "revalidate", { settings: { on_demand_share: 0 } }, now);
    const day = calendarDay(now, crawl.rules.timezone);
    await crawl.db.execute(sql`update budget_day set used = 394 where day = ${day}`);
    await startRun(crawl.db, "revalidate", "manual", now);
    const [first] = visible();
    expect((await refresh(first?.item_id)).status).toBe(429);
    const spent = async () => {
      const [row] = await crawl.db.execute<{ used: number }>(sql`
        select used from budget_day where day = ${day}`);
      return row?.used === 400;
    };
    await until(spent, { what: "the jobs have taken all" });
  });
});
