import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { observeRefresh } from "../../src/catalog/observing/observe.ts";
import { seen } from "../support/catalog.ts";
import { openedForAll } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";
import { searchItem, variation } from "../support/products.ts";

const test = openedForAll(createTestDb);

it("offers one row a GTIN and shop, what is in stock before what is cheaper", async () => {
  const left = (stock: number) => [variation({ variation_stock: stock, barcode: "4006381333931" })];
  const shop = { shopId: "shop-9" };
  await seen(test.db, [
    "2026-01-10T00:00:00Z",
    { ...shop, price: 100, stock: 0, variations: left(0) },
  ]);
  const dear = await seen(test.db, [
    "2026-01-10T00:00:00Z",
    { ...shop, price: 300, variations: left(2) },
  ]);
  const other = await seen(test.db, [
    "2026-01-10T00:00:00Z",
    { shopId: "shop-8", price: 200, variations: left(1) },
  ]);
  const offers = await test.db.execute(sql`
    select shop_id, item_id, price, variations from analytics.offers where gtin = '04006381333931' order by shop_id`);
  expect([...offers]).toEqual([
    { shop_id: "shop-8", item_id: other, price: 200, variations: 1 },
    { shop_id: "shop-9", item_id: dear, price: 300, variations: 2 },
  ]);
});

it("takes a price of 0 for none: it is no discount, and no offer is cheapest by it", async () => {
  const sold = { shopId: "shop-6", variations: [variation({ barcode: "4006381333931" })] };
  const none = await seen(test.db, [
    "2026-01-10T00:00:00Z",
    { ...sold, price: 0, properPrice: 5000 },
  ]);
  const offer = () =>
    test.db.execute(sql`
      select item_id, price from analytics.offers where gtin = '04006381333931' and shop_id = 'shop-6'`);
  expect([...(await offer())]).toEqual([{ item_id: none, price: 0 }]);
  const priced = await seen(test.db, ["2026-01-10T00:00:00Z", { ...sold, price: 300 }]);
  expect([...(await offer())]).toEqual([{ item_id: priced, price: 300 }]);
  const [product] = await test.db.execute(sql`
    select discount_percent from analytics.products where item_id = ${none}`);
  expect(product?.discount_percent).toBe(0);
});

it("has the first image there is, also where the shop left the first places empty", async () => {
  const images = [
    null,
    { "640": "https://img.example.com/2-640.jpg" },
    { origin: "https://img.example.com/3.jpg" },
    null,
    null,
  ];
  const id = await seen(test.db, ["2026-01-10T00:00:00Z", { images }]);
  const [product] = await test.db.execute(
    sql`select image_url from analytics.products where item_id = ${id}`,
  );
  expect(product?.image_url).toBe("https://img.example.com/3.jpg");
});

it("offers nothing as in stock that its last check, a refresh without variations, showed to be sold out", async () => {
  const variations = [variation({ variation_stock: 5, barcode: "4902430698511" })];
  const looked = { shopId: "shop-7", stock: 5, variations };
  const cheap = await seen(test.db, ["2026-01-10T00:00:00Z", { ...looked, price: 100 }]);
  const dear = await seen(test.db, ["2026-01-10T00:00:00Z", { ...looked, price: 200 }]);
  const offers = () =>
    test.db.execute(sql`
    select item_id, in_stock from analytics.offers where gtin = '04902430698511'`);
  expect([...(await offers())]).toEqual([{ item_id: cheap, in_stock: true }]);
  const soldOut = async (itemId: number) => {
    const item = searchItem(itemId, { shopId: "shop-7", stock: 0 });
    const sighting = { callId: 1, sentAt: new Date("2026-01-11T00:00:00Z") };
    const asked = { shopId: "shop-7", itemIds: [itemId] };
    await test.db.transaction((tx) =>
      observeRefresh(tx, sighting, { asked, items: [item], broken: [] }),
    );
  };
  await soldOut(cheap);
  expect([...(await offers())]).toEqual([{ item_id: dear, in_stock: true }]);
  await soldOut(dear);
  expect([...(await offers())]).toEqual([{ item_id: cheap, in_stock: false }]);
});
