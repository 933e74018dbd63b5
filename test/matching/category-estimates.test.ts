import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { readCategoryChanges, readMatchCategories } from "../../src/matching/categories.ts";
import { estimateCategories } from "../../src/matching/upkeep/category-estimates.ts";
import { categoryReasons, toBin } from "../../src/matching/comparing/estimates.ts";
import { compareWithinShops } from "../../src/matching/upkeep/same-shop.ts";
import { shippedModel } from "../../src/matching/comparing/model-weights.ts";
import { createPreparedTexts } from "../../src/matching/upkeep/stored/texts.ts";
import { storedAt } from "../support/matches.ts";
import { matchAll } from "../support/matching.ts";
import { storeItems } from "../support/catalog.ts";
import { openedForEach } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";
import { titledItem } from "../support/products.ts";
import { silentLogger } from "../../src/lib/logger.ts";

const now = new Date(storedAt);
const test = openedForEach(createTestDb);

/** Stores so many pairs of two shops in a category, all with this score; each with two products of its own. */
async function storePairs(
  category: string,
  count: number,
  pair: { score: number; rule: "code" | "other_code" | null; vetoes?: string[] },
): Promise<void> {
  const [row] = await test.db.execute<{ last: number }>(
    sql`select coalesce(max(item_id), 0) as last from match_item`,
  );
  const first = (row?.last ?? 0) + 1;
  await test.db.execute(sql`
    insert into match_item (item_id, shop_id, category, codes, words, models, couples, version, steps)
    select id, 'shop-' || id % 2, ${category}, '{}', '{}', '{}', '{}', 1, '{}'
    from generate_series(${first}::bigint, ${first + 2 * count - 1}::bigint) id`);
  await test.db.execute(sql`
    insert into match_pair (a, b, score, tier, kind, vetoes, is_doubtful, shop_a, shop_b, rule, base, shares_model,
      soft_min, same_wording, cosine, best_a, best_b, is_first_a, is_first_b)
    select id, id + 1, ${pair.score}, 'none', 'model', ${sql.raw(`'{${(pair.vetoes ?? []).join(",")}}'`)}, false,
      'shop-1', 'shop-0', ${pair.rule}, 0, true, 1, false, 1, 1, 1, true, true
    from generate_series(${first}::bigint, ${first + 2 * count - 1}::bigint, 2) id`);
}

interface Night {
  floor?: number;
  /** Slices after which the night is stopped. */
  slices?: number;
}

async function estimate({ floor = 0.8, slices = Infinity }: Night = {}): Promise<void> {
  let asked = 0;
  const signal = new AbortController().signal;
  Object.defineProperty(signal, "aborted", { get: () => (asked += 1) > slices });
  await estimateCategories(test.db, { now, floor, signal, logger: silentLogger });
}

const categories = () => readMatchCategories(test.db, { limit: 10 });
const madeDue = async () =>
  (await test.db.execute<{ category: string }>(sql`select category from match_category_due`)).map(
    ({ category }) => category,
  );

describe("the estimates of categories", () => {
  it("refuse a category where pairs with different barcodes would link, and say why", async () => {
    await storePairs("靴", 100, { score: 0.99, rule: "code" });
    await storePairs("靴", 40, { score: 0.99, rule: "other_code" });
    await storePairs("電池", 100, { score: 0.9, rule: "code" });
    await storePairs("電池", 100, { score: 0.99, rule: "other_code", vetoes: ["pack"] });
    await storePairs("手芸", 10, { score: 0.99, rule: "code" });
    await estimate();
    expect(await categories()).toMatchObject([
      {
        category: "電池",
        isLinked: true,
        precisionByCodes: 1,
        labelledPairs: 200,
        reason: categoryReasons.linkedByCodes,
      },
      {
        category: "靴",
        isLinked: false,
        labelledPairs: 140,
        reason: categoryReasons.refusedByCodes,
      },
    ]);
    expect((await categories())[1]?.precisionByCodes).toBeCloseTo(100 / 140);
    expect(await readCategoryChanges(test.db, 10)).toMatchObject([
      { category: "靴", isLinked: false },
    ]);
    // What stays as shipped makes no product due.
    expect(await madeDue()).toEqual(["靴"]);
  });

  it("raise a threshold, and change nothing on the following nights", async () => {
    await storePairs("靴", 200, { score: 0.95, rule: "code" });
    await storePairs("靴", 100, { score: 0.85, rule: "code" });
    await storePairs("靴", 50, { score: 0.85, rule: "other_code" });
    await estimate();
    const [first] = await categories();
    expect(first).toMatchObject({ isLinked: true, precisionByCodes: 1 });
    expect(first?.threshold).toBeCloseTo(0.86);
    await test.db.execute(sql`delete from match_category_due`);
    for (let night = 0; night < 3; night += 1) await estimate();
    expect((await categories())[0]?.threshold).toBe(first?.threshold);
    expect(await readCategoryChanges(test.db, 10)).toHaveLength(1);
    expect(await madeDue()).toEqual([]);
  });

  it("follow the floor that ops set", async () => {
    await storePairs("靴", 90, { score: 0.99, rule: "code" });
    await storePairs("靴", 10, { score: 0.99, rule: "other_code" });
    await estimate({ floor: 0.95 });
    expect(await categories()).toMatchObject([{ isLinked: false }]);
    await estimate({ floor: 0.8 });
    expect(await categories()).toMatchObject([{ isLinked: true }]);
    expect(await readCategoryChanges(test.db, 10)).toMatchObject([
      { isLinked: true },
      { isLinked: false },
    ]);
  });

  it("continue where a night was stopped, and count every pair once", async () => {
    await storePairs("靴", 450, { score: 0.9, rule: "code" });
    await estimate({ slices: 1 });
    await estimate({ slices: 2 });
    const read = async () => {
      const [row] = await test.db.execute<{ n: number; pass: number; after: number }>(sql`
        select (select same[${toBin(0.9) + 1}] from match_evidence) as n, (value ->> 'pass')::int as pass,
          (value ->> 'after')::int as after from setting where key = 'match_estimates'`);
      return row;
    };
    expect(await read()).toEqual({ n: 150, pass: 0, after: 300 });
    await estimate();
    expect(await read()).toEqual({ n: 450, pass: 1, after: 0 });
    await estimate();
    expect(await read()).toEqual({ n: 675, pass: 2, after: 0 });
  });
});

describe("pairs within a shop", () => {
  it("are compared like pairs of two shops, and nothing is stored of them", async () => {
    const items = [
      titledItem(1, "ZX-4410 ワイヤレス マウス 黒", { price: 2000 }),
      titledItem(2, "ZX-4410 ワイヤレス マウス 白", { price: 2000 }),
      titledItem(3, "ZX-4410 ワイヤレス マウス 赤", { price: 2100, shopId: "shop-2" }),
      titledItem(4, "革の財布", { price: 9000 }),
    ];
    await storeItems(test.db, storedAt, items);
    await matchAll(test.db);
    const stored = await test.db.execute(sql`select a, b, best_a from match_pair order by a, b`);
    const pairs = await test.db.transaction((tx) =>
      compareWithinShops(tx, createPreparedTexts(), [1, 2, 4], shippedModel),
    );
    expect(pairs.map(({ a, b, shop_a: left, shop_b: right }) => [a, b, left, right])).toEqual([
      [1, 2, "shop-1", "shop-1"],
    ]);
    expect(pairs[0]).toMatchObject({ shares_model: true, is_first_a: true, is_first_b: true });
    expect(await test.db.execute(sql`select a, b, best_a from match_pair order by a, b`)).toEqual(
      stored,
    );
    expect(stored.length).toBeGreaterThan(0);
  });
});
