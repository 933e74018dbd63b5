import { sql, type SQL } from "drizzle-orm";
import { describe, expect, inject, it, onTestFinished } from "vitest";
import { createDemandBuffer } from "../../src/catalog/visitors/demand.ts";
import { readPriceDrops } from "../../src/catalog/history/price-drops.ts";
import type { Db } from "../../src/db/open.ts";
import { demand as demandTable } from "../../src/db/schema.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { createTestApi } from "../support/api.ts";
import { storeItems } from "../support/catalog.ts";
import { openFaultProxy } from "../support/fault-proxy.ts";
import { createTestDb, openPool, type TestDb } from "../support/postgres.ts";
import { searchItem } from "../support/products.ts";
import { until } from "../support/until.ts";
import { itLong } from "../support/it-long.ts";

async function database(): Promise<TestDb> {
  const test = await createTestDb();
  onTestFinished(test.close);
  return test;
}

/** The same database, and how many statements were sent to it. */
function counting(db: Db): { db: Db; sent: () => number } {
  let statements = 0;
  const counted = new Proxy(db, {
    get(target, name, receiver) {
      if (name === "execute" || name === "select") statements += 1;
      return Reflect.get(target, name, receiver);
    },
  });
  return { db: counted, sent: () => statements };
}

describe("what anybody may ask as often as they like", () => {
  it.each([
    ["/readyz", 0],
    ["/v1/shops", 2],
  ])("B26: %s asks once for all who ask together", async (path, each) => {
    const test = await database();
    await storeItems(test.db, "2026-01-01T00:00:00.000Z", [searchItem(1)]);
    const { db, sent } = counting(test.db);
    // A moment that does not pass: what is remembered stays young.
    const clock = { ...systemClock, monotonicMs: () => 0 };
    const api = createTestApi(db, { clock });
    const crowd = async () => {
      const answers = await Promise.all(Array.from({ length: 100 }, () => api.get(path)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    };
    for (let i = 0; i < 3; i += 1) await crowd();
    // A page of shops is read by kept counts and ids; what is counted or proven is so once.
    expect(sent()).toBeLessThanOrEqual(1 + each * 300);
  });

  it("B26: a plan is read once for all operators who ask together", async () => {
    const test = await database();
    await storeItems(test.db, "2026-01-01T00:00:00.000Z", [searchItem(1)]);
    const { db, sent } = counting(test.db);
    const api = createTestApi(db);
    const ask = async () => {
      const answer = await api.ops("GET", "/ops/v1/plan");
      expect(answer.status).toBe(200);
      return answer.json();
    };
    await ask();
    const once = sent();
    await Promise.all(Array.from({ length: 20 }, ask));
    expect(once).toBeGreaterThan(0);
    expect(sent()).toBeLessThanOrEqual(2 * once);
  });

  it("B26: /metrics and /v1/status count the whole catalogue a few times a minute at most", async () => {
    const test = await database();
    let nowMs = 0;
    let counts = 0;
    const api = createTestApi(test.db, {
      clock: { ...systemClock, monotonicMs: () => nowMs },
      mirrorStatus: async () => {
        counts += 1;
        return { serving: null, building: null, lastVerify: null };
      },
    });
    for (; nowMs < 60_000; nowMs += 3000) {
      expect((await api.get("/metrics")).status).toBe(200);
      expect((await api.get("/v1/status")).status).toBe(200);
    }
    expect(counts).toBeLessThanOrEqual(2 * 4);
  });

  itLong("B26: a list of shops follows each change at once, without reading products", async () => {
    const test = await database();
    const items = Array.from({ length: 30 }, (_, i) =>
      searchItem(i + 1, { shopId: `shop-${i % 3 === 0 ? 1 : i}` }),
    );
    await storeItems(test.db, "2026-01-01T00:00:00.000Z", items);
    const api = createTestApi(test.db);
    type List = { found: number; items: { shop_id: string; products: number }[] };
    const list = (query = "") => api.json<List>(`/v1/shops${query}`);
    const first = await list("?per_page=2");
    expect(first.items[0]).toMatchObject({ shop_id: "shop-1", products: 11 });
    const seen = new Set<string>();
    for (let page = 1; page <= 7; page += 1) {
      for (const shop of (await list(`?per_page=3&page=${page}`)).items) seen.add(shop.shop_id);
    }
    expect(seen.size).toBe(first.found);
    await test.db.execute(sql`update product set shop_id = 'shop-2' where shop_id = 'shop-1'`);
    expect((await list()).items[0]).toMatchObject({ shop_id: "shop-2", products: 12 });
    expect((await api.get("/v1/shops?page=501&per_page=100")).status).toBe(400);
  });

  itLong(
    "B26: readiness notices a database that hangs, or is gone, in about two seconds",
    async () => {
      const test = await database();
      const url = new URL(test.url);
      const proxy = await openFaultProxy({ host: url.hostname, port: Number(url.port) });
      onTestFinished(proxy.close);
      url.port = String(proxy.port);
      const pool = openPool(url.href, { statementTimeoutMs: 2000, silenceMs: 4000 });
      onTestFinished(pool.close);
      const api = createTestApi(pool.db);
      const ready = async () => (await api.get("/readyz")).status;
      expect(await ready()).toBe(200);
      for (const fault of [{ mode: "half-open" }, { mode: "refuse" }] as const) {
        await proxy.set(fault);
        const startedMs = performance.now();
        await until(async () => (await ready()) === 503, { what: "503", timeoutMs: 10_000 });
        expect(performance.now() - startedMs).toBeLessThan(4000);
        // Load balancers keep the process, which goes on telling visitors why.
        expect((await api.get("/readyz?exclude=database")).status).toBe(200);
        await proxy.set({ mode: "pass" });
        await until(async () => (await ready()) === 200, { what: "200", timeoutMs: 20_000 });
      }
    },
  );
});

describe("price drops", () => {
  it("B26: judge a bounded number of rows, however early `since` and whatever the filter", async () => {
    const drops = inject("long") ? 400_000 : 200_000;
    const test = await database();
    await storeItems(test.db, "2026-01-01T00:00:00.000Z", [searchItem(1)]);
    await test.db.transaction(async (tx) => {
      await tx.execute(sql`set local session_replication_role = replica`);
      await tx.execute(sql`
        insert into product (item_id, shop_id, ver, state, title, detail, price, stock, visible,
          list_order, images, variations, categories, modified, first_seen_at, checked_at, changed_at,
          price_since, last_call_id)
        select n, case when n % 3 = 0 then 'shop-big' else 'shop-' || n % 50 end, ver, state, title,
          detail, price, stock, visible, list_order, images, variations, categories, modified,
          first_seen_at, checked_at, changed_at, price_since, last_call_id
        from product p, generate_series(2, 20000) n where p.item_id = 1`);
      await tx.execute(sql`
        insert into price_interval (item_id, first_seen, price, stock, prev_confirmed_at, prev_price, prev_stock, call_id)
        select 1 + n % 19999, at, 900, 1, at, 901 + n % 700, 1, 1
        from generate_series(1, ${drops}::int) n,
          lateral (select '2020-01-01'::timestamptz + interval '46 days' * n / ${drops}::int) x(at)`);
    });
    await test.db.execute(sql`analyze product, price_interval`);
    const all = {
      since: new Date(0),
      minPercent: 0,
      onlyCurrent: false,
      shopIds: [],
      categories: [],
      sort: "newest" as const,
      limit: 21,
      offset: 0,
    };
    for (const [name, over] of Object.entries({
      newest: {},
      biggest: { sort: "biggest" as const },
      noSuchCategory: { categories: ["nothing"] },
      aBigShop: { shopIds: ["shop-big"] },
      aShopThatSellsNothing: { shopIds: ["nothing"] },
      manyShops: { shopIds: Array.from({ length: 40 }, (_, i) => `shop-${i}`) },
    })) {
      const { db, rows } = explaining(test.db);
      await readPriceDrops(db, { ...all, ...over });
      // Half of the drops at most: each row counts once for every step of the plan that it passes.
      expect([name, rows() < 100_000]).toEqual([name, true]);
    }
    const since = new Date("2020-02-01T00:00:00Z");
    const of = { ...all, since, shopIds: ["shop-7"], limit: 5000 };
    const small = await readPriceDrops(test.db, of);
    const [expected] = await test.db.execute<{ n: number }>(sql`
      select count(*) as n from price_interval i join product p using (item_id)
      where p.shop_id = 'shop-7' and i.price < i.prev_price and i.first_seen >= ${since.toISOString()}`);
    expect(small.isComplete).toBe(true);
    expect(small.drops).toHaveLength(expected?.n ?? -1);
  });
});

/** Explains each statement before it runs, and adds up the rows that all its nodes produced. */
function explaining(db: Db): { db: Db; rows: () => number } {
  let total = 0;
  interface Plan {
    "Actual Rows": number;
    "Actual Loops": number;
    "Rows Removed by Filter"?: number;
    Plans?: Plan[];
  }
  const add = (plan: Plan) => {
    total += (plan["Actual Rows"] + (plan["Rows Removed by Filter"] ?? 0)) * plan["Actual Loops"];
    for (const inner of plan.Plans ?? []) add(inner);
  };
  const explained = new Proxy(db, {
    get(target, name, receiver) {
      if (name !== "execute") return Reflect.get(target, name, receiver);
      return async (query: SQL) => {
        const [row] = await target.execute<{ "QUERY PLAN": { Plan: Plan }[] }>(
          sql`explain (analyze, format json) ${query}`,
        );
        for (const { Plan: plan } of row?.["QUERY PLAN"] ?? []) add(plan);
        return target.execute(query);
      };
    },
  });
  return { db: explained, rows: () => total };
}

describe("demand", () => {
  it("B25: of numbers that are no product nothing is kept, of products it is", async () => {
    const test = await database();
    await storeItems(test.db, "2026-01-01T00:00:00.000Z", [searchItem(1)]);
    const demand = createDemandBuffer(test.db, systemClock);
    const api = createTestApi(test.db, { demand });
    for (let id = 1000; id < 1025; id += 1) {
      expect((await api.get(`/products/${id}`)).status).toBe(404);
      await api.get(`/v1/products/${id}`);
      await api.request(`/products/${id}/check`, { method: "POST" });
      await api.request(`/v1/products/${id}/refresh`, { method: "POST" });
    }
    await demand.flush();
    expect(await test.db.select().from(demandTable)).toEqual([]);
    expect((await api.get("/products/1")).status).toBe(200);
    await demand.flush();
    expect(await test.db.select().from(demandTable)).toMatchObject([{ itemId: 1 }]);
  });
});
