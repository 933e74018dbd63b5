import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { keysOf, anchorsOf, nameOf } from "../../src/alerts/judging/anchors.ts";
import { createMatcher, toJudged, type Judged } from "../../src/alerts/judging/matches.ts";
import type { ProductFacts, SavedQuery } from "../../src/db/schema.ts";
import { createRandom } from "../../src/lib/random.ts";
import { toWords } from "../../src/search/index/words.ts";
import { readQueryWords } from "../../src/search/query/words/query-words.ts";
import { matchesSql } from "../../src/search/query/sql/sql-matches.ts";
import { pick, randomSearch } from "../support/alerts.ts";
import { storeItems } from "../support/catalog.ts";
import { openedForAll } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";
import { searchItem } from "../support/products.ts";

const test = openedForAll(createTestDb);

const titles = [
  "革財布 レディース 二つ折り",
  "Red T-shirt 100% cotton",
  "ｺｰﾋｰ豆 500ml×2",
  "iPhone15用ケース 赤",
  "boxes of Tea 1/2 inch",
  'Tea Chest 24"',
  "キッチン バッグ 髙級",
  "café crème 靴",
  "アイフォンケース iphone-15",
];
const queries = [
  "財布",
  "革 財布",
  "t-shirt",
  "tshirt red",
  "コーヒー 500ml",
  "iphone 15 ケース",
  "box",
  'tea "1/2"',
  'tea 24"',
  "バッグ -財布",
  "高級",
  "cafe",
  "アイフォン",
  "ケース -赤",
];

async function readJudged(): Promise<Judged[]> {
  const rows = await test.db.execute<{
    item_id: number;
    facts: ProductFacts;
    body: string;
    words: string[];
  }>(sql`
    select item_id, t.body, to_json(tsvector_to_array(t.words)) as words,
      alert_facts(title, categories, shop_id, price, proper_price, stock, variations, price_since) as facts
    from product p join product_text t using (item_id) order by item_id`);
  return rows.map(({ item_id: itemId, facts, body, words }) => {
    const judged = toJudged(facts, { itemId, groupIds: [] });
    expect(judged.body).toBe(body);
    expect([...judged.lexemes].toSorted()).toEqual(words.toSorted());
    return judged;
  });
}

it("matches what a strict search finds, whole words only, and every match has an anchor of the query", async () => {
  const random = createRandom(7).next;
  const items = Array.from({ length: 120 }, (_, i) =>
    searchItem(i + 1, {
      title: `${pick(random, titles)} ${i % 3 === 0 ? pick(random, titles) : ""}`,
      price: Math.ceil(random() * 5000),
      properPrice: random() < 0.5 ? null : 2500,
      stock: Math.floor(random() * 3),
      shopId: `shop-${1 + (i % 3)}`,
      shopName: `店 ${i % 3}`,
      categories: random() < 0.2 ? [] : [pick(random, ["財布", "バッグ", "Kitchen", "靴"])],
    }),
  );
  await storeItems(test.db, "2026-01-01T00:00:00Z", items);
  const judged = await readJudged();
  let found = 0;
  for (let i = 0; i < 300; i += 1) {
    const { query = {} } = randomSearch(random, 120);
    const asked: SavedQuery = { ...query, q: pick(random, queries) };
    delete asked.group_id;
    delete asked.item_id;
    const expected = await search(asked);
    const matches = createMatcher(asked);
    const matched = judged.filter((one) => matches(one));
    const isWhole = wholeWords(asked.q ?? "");
    expect(matched.map(({ itemId }) => itemId)).toEqual(
      expected.filter((id) => judged.some((one) => one.itemId === id && isWhole(one))),
    );
    found += matched.length;
    const anchors = anchorsOf(asked, () => random());
    for (const one of matched) {
      const keys = new Set(keysOf(one));
      const isAnchored = anchors.some(
        ({ kind, key, also }) =>
          keys.has(nameOf(kind, key)) && (also === null || also.some((one) => keys.has(one))),
      );
      expect(isAnchored).toBe(true);
    }
  }
  expect(found).toBeGreaterThan(100);
});

it("finds products by a category whose name is longer than what is kept of it", async () => {
  const category = "𠮷".repeat(201);
  await storeItems(test.db, "2026-01-01T00:00:00Z", [searchItem(9001, { categories: [category] })]);
  const judged = (await readJudged()).filter(({ itemId }) => itemId === 9001);
  expect(judged.map((one) => createMatcher({ category: [category] })(one))).toEqual([true]);
});

const facts: ProductFacts = {
  title: "",
  categories: [],
  shop_id: "shop",
  shop_name: "",
  price: 1000,
  proper_price: null,
  stock: 1,
  barcodes: [],
  since: "2026-01-01T00:00:00Z",
};

it.each([
  ["hdmi 1m", "HDMI Kabel 1m", "HDMI Kabel 1.5m"],
  ["ノート a5", "ノート A5 方眼", "ノート A6 5冊"],
  ["ワンピース 全巻", "ワンピース 全108巻", "ワンピース 3巻"],
  ["ケーブル 2m", "ケーブル 2m", "ケーブル 3m 2本"],
  ["静岡 茶", "静岡県 煎茶", "静岡県 宇治茶器展"],
])("%s matches %s and not %s", (q, title, other) => {
  const matches = createMatcher({ q });
  const judged = [title, other].map((name) =>
    toJudged({ ...facts, title: name }, { itemId: 1, groupIds: [] }),
  );
  expect(judged.map((one) => matches(one))).toEqual([true, false]);
});

/** A search also takes the beginning of a longer Latin word for the word. */
function wholeWords(q: string): (product: Judged) => boolean {
  const words = readQueryWords(toWords(q).plain);
  return ({ lexemes, body }) =>
    words.every(({ forms }) =>
      forms.some((form) =>
        /^[a-z0-9./ ]+$/.test(form)
          ? form.split(" ").every((part) => part === "" || lexemes.has(part))
          : body.includes(form),
      ),
    );
}

async function search({
  q = "",
  shop_id,
  exclude_shop_id,
  category,
  gtin,
  ...query
}: SavedQuery): Promise<number[]> {
  const source = { words: toWords(q) };
  const typed = {
    q,
    page: 1,
    perPage: 100,
    ...(shop_id ? { shopIds: shop_id } : {}),
    ...(exclude_shop_id ? { excludeShopIds: exclude_shop_id } : {}),
    ...(category ? { categories: category } : {}),
    ...(gtin ? { gtins: gtin } : {}),
    ...(query.price_min === undefined ? {} : { priceMin: query.price_min }),
    ...(query.price_max === undefined ? {} : { priceMax: query.price_max }),
    ...(query.in_stock === undefined ? {} : { inStock: query.in_stock }),
    ...(query.on_sale === undefined ? {} : { onSale: query.on_sale }),
  };
  const rows = await test.db.execute<{ item_id: number }>(
    sql`select item_id from (${matchesSql(source, typed, new Date())}) m order by item_id`,
  );
  return rows.map((row) => row.item_id);
}
