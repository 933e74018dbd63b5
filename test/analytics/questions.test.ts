import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { readQuestions, withValues } from "../../src/bench/analytics-data.ts";
import { writeZeroResults, zeroResultVisitors } from "../../src/catalog/visitors/zero-results.ts";
import { must } from "../../src/lib/must.ts";
import { removeItem, seen, storeItems } from "../support/catalog.ts";
import { storeGroup } from "../support/matches.ts";
import { openedForAll } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";
import { searchItem, variation } from "../support/products.ts";
import { addEvents, addWebhook } from "../support/webhooks.ts";

const test = openedForAll(createTestDb);

async function ask(title: string, values: Record<string, string | number>) {
  const question = must(
    (await readQuestions()).find((one) => one.title === title),
    title,
  );
  return [...(await test.db.execute(sql.raw(withValues(question.sql, values))))];
}

it("the cheapest shop of a past day is told of all offers of that day, also of those that are deleted or dearer now", async () => {
  const variations = [variation({ barcode: "4006381333931" })];
  await storeItems(test.db, "2026-01-09T03:00:00Z", [searchItem(1)]);
  const deleted = await seen(test.db, ["2026-01-10T03:00:00Z", { price: 100, variations }]);
  await removeItem(test.db, "2026-01-11T03:00:00Z", deleted);
  const offered = (shopId: string, price: number) => ({ shopId, price, variations });
  await seen(
    test.db,
    ["2026-01-10T04:00:00Z", offered("shop-2", 300)],
    ["2026-01-11T04:00:00Z", offered("shop-2", 150)],
  );
  await seen(
    test.db,
    ["2026-01-10T05:00:00Z", offered("shop-2", 250)],
    ["2026-01-11T05:00:00Z", offered("shop-2", 200)],
  );
  await seen(
    test.db,
    ["2026-01-10T06:00:00Z", offered("shop-3", 260)],
    ["2026-01-11T06:00:00Z", offered("shop-3", 260)],
  );
  const values = { gtin: "4006381333931", until: "2026-01-12" };
  const days = await ask("Which shop was cheapest for a JAN, day by day?", values);
  expect(days.map((row) => [row.shop_id, row.price, row.shops])).toEqual([
    ["shop-1", 100, 3],
    ["shop-2", 150, 2],
  ]);
});

it("shops without what is counted have 0 of it", async () => {
  await test.db.execute(sql`
    insert into shop_day values ('2026-01-10', 'shop-9', 0, 4, 4, 4, 0, 0, 0, 0), ('2026-02-05', 'shop-8', 0, 2, 2, 2, 0, 0, 0, 0)
    on conflict do nothing`);
  const holidays = { holiday: "2026-02-08", second_holiday: "2024-02-11" };
  const cuts = await ask("Which shops discount before holidays?", holidays);
  expect(cuts.map((row) => [row.shop_id, row.before, row.usually, row.times_usual])).toEqual([
    ["shop-9", 0, "1.0", "0.00"],
    ["shop-8", 2, "0.0", null],
  ]);
  await seen(test.db, [new Date().toISOString(), { shopId: "shop-10" }]);
  await seen(test.db, ["2026-01-10T03:00:00Z", { shopId: "shop-11" }]);
  const stale = await ask("Where is the catalogue stale?", {});
  const shares = stale.flatMap((row) =>
    row.shop_id === "shop-10" || row.shop_id === "shop-11"
      ? [[row.shop_id, Number(row.within_a_day), Number(row.over_a_week) > 0]]
      : [],
  );
  expect(shares).toEqual([
    ["shop-11", 0, true],
    ["shop-10", 1, false],
  ]);
});

it("words searched for in vain are told once enough visitors typed them", async () => {
  const counts = new Map([
    ["革の財布", { times: 9, visitors: zeroResultVisitors }],
    ["a private name", { times: 50, visitors: zeroResultVisitors - 1 }],
  ]);
  await writeZeroResults(test.db, counts, new Date("2026-01-10T03:00:00Z"));
  const searched = await ask("What do visitors search for that nothing is found for?", {});
  expect(searched.map((row) => [row.q, row.visitors, row.times])).toEqual([["革の財布", 3, 9]]);
});

it("messages to webhooks are counted by receiver, with the time to the first attempt", async () => {
  const now = new Date("2026-01-10T03:00:00Z");
  const { endpoint, keyId } = await addWebhook(test.db, "https://receiver.example/", now);
  await addEvents(test.db, endpoint.webhookId, now, 3);
  await test.db.execute(sql`
    update webhook_delivery set state = case when event_id % 3 = 0 then 'dead' else 'delivered' end,
      first_attempt_at = created_at + interval '2 seconds'`);
  const title = "How soon do webhooks get what alerts tell?";
  expect(await ask(title, { until: "2026-01-12" })).toEqual([
    {
      key_id: keyId,
      webhook_id: endpoint.webhookId,
      messages: 3,
      delivered: 2,
      given_up: 1,
      first_attempt_p95: "00:00:02",
    },
  ]);
  expect(await ask(title, { until: "2026-02-12" })).toEqual([]);
});

it("used offers are not compared with new ones", async () => {
  const variations = [variation({ barcode: "4548736134386" })];
  const at = "2026-01-10T03:00:00Z";
  const items = [500, 400, 100].map((price, i) =>
    searchItem(7001 + i, { shopId: `shop-7${i}`, price, variations }),
  );
  await storeItems(test.db, at, items);
  await test.db.execute(
    sql`insert into product_attribute (item_id, models, colours, condition) values (7003, '{}', '{}', 'used')`,
  );
  await storeGroup(test.db, [[7001], [7002], [7003]]);
  const values = { gtin: "4548736134386", until: "2026-01-10" };
  const [day] = await ask("Which shop was cheapest for a JAN, day by day?", values);
  expect(day).toMatchObject({ price: 400, shops: 2 });
  const far = await ask("How far apart are shops for the same product?", {});
  expect(far.find((row) => row.gtin === "04548736134386")).toMatchObject({ shops: 2, lowest: 400 });
  const [group] = await ask("Which comparable products differ most in price between shops?", {});
  expect(group).toMatchObject({ lowest: 400, highest: 500, difference: 100 });
});
