import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { must } from "../../src/lib/must.ts";
import { createTestApi, type TestApi } from "../support/api.ts";
import { createTestCrawl } from "../support/crawl.ts";
import { openedForAll } from "../support/opened.ts";

const crawl = openedForAll(() =>
  createTestCrawl({ sandbox: { products: inject("long") ? 600 : 300 } }),
);
let api: TestApi;

beforeAll(async () => {
  api = createTestApi(crawl.db, { budget: crawl.rules });
  await crawl.run("discover");
});

type Line = {
  item_id: number;
  variation_id: number;
  shop_id: string;
  price: number;
  stock: number;
};

/** What plain SQL over the stored variations says, without a word of the code under test. */
async function bySql(jan: string): Promise<Line[]> {
  const rows = await crawl.db.execute<Line>(sql`
    select p.item_id, (v ->> 'variation_id')::bigint as variation_id, p.shop_id, p.price,
      (v ->> 'variation_stock')::bigint as stock
    from product p, jsonb_array_elements(p.variations) v
    where v ->> 'barcode' = ${jan} and p.state = 'live' and p.price > 0
    order by ((v ->> 'variation_stock')::bigint > 0 and p.stock > 0) desc, p.price, p.item_id, 2`);
  return [...rows];
}

/** What the upstream itself sells under the code, as a set. */
function upstream(jan: string): Line[] {
  return crawl.sandbox.control.items().flatMap((item) => {
    if (item.visible !== 1 || !Array.isArray(item.variations)) return [];
    return item.variations
      .filter((v) => v.barcode === jan)
      .map((v) => ({
        item_id: Number(item.item_id),
        variation_id: Number(v.variation_id),
        shop_id: String(item.shop_id),
        price: Number(item.price),
        stock: Number(v.variation_stock),
      }));
  });
}

async function byApi(path: string): Promise<Line[]> {
  const { offers } = await api.json<{
    offers: {
      item_id: number;
      variation: { variation_id: number };
      shop: { shop_id: string };
      price: number;
      stock: number;
    }[];
  }>(path);
  return offers.map((offer) => ({
    item_id: offer.item_id,
    variation_id: offer.variation.variation_id,
    shop_id: offer.shop.shop_id,
    price: offer.price,
    stock: offer.stock,
  }));
}

async function sharedJans(): Promise<string[]> {
  const rows = await crawl.db.execute<{ barcode: string }>(sql`
    select v ->> 'barcode' as barcode from product p, jsonb_array_elements(p.variations) v
    where v ->> 'barcode' is not null and p.state = 'live' and p.price > 0
    group by 1 having count(distinct p.shop_id) >= 2 order by 1`);
  return rows.map((row) => row.barcode);
}

const byItem = (lines: Line[]) =>
  lines.toSorted((a, b) => a.item_id - b.item_id || a.variation_id - b.variation_id);

describe("offers of goods sold in several shops", () => {
  it("equal what plain SQL says, and what the upstream sells, for every shared code", async () => {
    const jans = await sharedJans();
    expect(jans.length).toBeGreaterThan(10);
    for (const jan of jans) {
      const offers = await byApi(`/v1/offers/${jan}`);
      expect(offers).toEqual(await bySql(jan));
      expect(byItem(offers)).toEqual(byItem(upstream(jan)));
    }
  });

  it("do so after a price changes on one side, from the moment that is observed", async () => {
    const jans = await sharedJans();
    const isOrdinary = (lines: Line[]) => new Set(lines.map((line) => line.price)).size > 1;
    const jan = must(
      jans.find((code) => isOrdinary(upstream(code))),
      "a code with two prices",
    );
    const before = await byApi(`/v1/offers/${jan}`);
    expect(before).toEqual(await bySql(jan));
    const dearest = must(before.toSorted((a, b) => b.price - a.price)[0], "an offer");
    crawl.sandbox.control.edit(dearest.item_id, { price: 1 }, { silent: true });
    const refreshed = await api.request(`/v1/products/${dearest.item_id}/refresh?min_age_s=1`, {
      method: "POST",
    });
    expect(refreshed.status).toBe(200);
    for (const path of [`/v1/offers/${jan}`, `/v1/products/${dearest.item_id}/offers`]) {
      const after = (await byApi(path)).filter((line) =>
        before.some((other) => other.variation_id === line.variation_id),
      );
      expect(after).toEqual(await bySql(jan));
      expect(byItem(after)).toEqual(byItem(upstream(jan)));
      expect(after.find((line) => line.item_id === dearest.item_id)?.price).toBe(1);
    }
    const drops = await api.get("/v1/price-drops?sort=biggest&per_page=1");
    expect(await drops.json()).toMatchObject({
      items: [{ price: 1, price_before: dearest.price, product: { item_id: dearest.item_id } }],
    });
  });
});
