import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDb } from "../../src/db/open.ts";
import { systemClock } from "../../src/lib/clock.ts";
import type { Engine } from "../../src/search/engine/engine.ts";
import { EngineUnavailable } from "../../src/search/engine/engine.ts";
import type { ProductHits, ProductQuery } from "../../src/search/query/query.ts";
import { createSearch } from "../../src/search/search.ts";
import { storeItems } from "../support/catalog.ts";
import { endGroup, storeGroup, type Member } from "../support/groups.ts";
import { createTestMirror, drain, type TestMirror } from "../support/mirror.ts";
import { titledItem } from "../support/products.ts";
import { until } from "../support/until.ts";

const titles = [
  "Copper Elbow 3/4 in.",
  "Copper Tee 3/4 in.",
  "Brass Elbow 1/2 in.",
  "Galvanized Pipe 10 ft.",
  "AA Batteries 4 Pack",
  "Steel Garden Stake",
  "Kopfhörer Bluetooth",
  "T-Shirt weiß",
  "ハンドメイド革財布",
  "京都のポストカード",
  "東京都の地図",
  "クリアファイル 猫",
  "iPhoneケース 手帳型",
  "アクリルスタンド 犬",
  "サーバーラック",
  "木の取り付け金具",
  "ヴァイオリンの弦",
  "斎藤工房のハロウィン飾り",
  "トートバッグ 生成り",
  "手ぬぐい 桜柄",
  "ハッサムGX SR 061/055",
  "ハッサム 062/055",
  "スミレの絵葉書",
  "スミレの絵葉書",
];
/** Their places among the titles; the other products are available. */
const soldOut = [1, 22];
let test: TestMirror;

beforeAll(async () => {
  test = await createTestMirror();
  const items = titles.map((title, i) =>
    titledItem(i + 1, title, { stock: soldOut.includes(i) ? 0 : 5, price: 1000 + i }),
  );
  await storeItems(test.db, "2026-01-01T00:00:00Z", items);
  await drain(test.db, test.start(), test.indexPrefix);
});
afterAll(() => test.close());

const page = { page: 1, perPage: 20 };
const titled = (ids: readonly number[]) => ids.map((id) => titles[id - 1]);
const sorted = (texts: readonly (string | undefined)[]) =>
  texts.toSorted((a = "", b = "") => (a < b ? -1 : 1));
const openAll = (engine: Engine = test.engine) =>
  createSearch({ ...test, engine, searchDb: test.db, clock: systemClock });
const openSearch = (engine?: Engine) => openAll(engine).search;
const ask = (query: Partial<ProductQuery>) => openSearch()({ ...page, ...query });
function silentEngine(): Engine {
  const silent = () => Promise.reject(new EngineUnavailable("away"));
  return { ...test.engine, search: silent, multiSearch: silent };
}
/** Those with every word, and the others. */
function parted(hits: ProductHits): {
  all: (string | undefined)[];
  partial: (string | undefined)[];
} {
  return {
    all: titled(hits.ids.filter((id) => !hits.partial.has(id))),
    partial: titled(hits.ids.filter((id) => hits.partial.has(id))),
  };
}

describe("a search whose words no product or few products have together", () => {
  it("shows products with every word first, then those with most, which say what they lack", async () => {
    const hits = await ask({ q: "copper elbow" });
    expect(hits.found).toBe(1);
    const { all, partial } = parted(hits);
    expect(all).toEqual(["Copper Elbow 3/4 in."]);
    expect(sorted(partial)).toEqual(["Brass Elbow 1/2 in.", "Copper Tee 3/4 in."]);
    expect(hits.partial.get(2)).toEqual(["elbow"]);
    expect(hits.partial.get(3)).toEqual(["copper"]);
  });

  it("answers a word that no product has by the other words", async () => {
    const hits = await ask({ q: "where can i find a galvanized pipe zzyzx" });
    expect(hits.found).toBe(0);
    expect(titled(hits.ids)[0]).toBe("Galvanized Pipe 10 ft.");
  });

  it("requires every word if all are requested, or in quotes", async () => {
    expect(titled((await ask({ q: "copper elbow", match: "all" })).ids)).toEqual([
      "Copper Elbow 3/4 in.",
    ]);
    expect((await ask({ q: '"copper" "garden"' })).ids).toEqual([]);
    expect(sorted(titled((await ask({ q: '"copper" garden' })).ids))).toEqual([
      "Copper Elbow 3/4 in.",
      "Copper Tee 3/4 in.",
    ]);
    expect(titled((await ask({ q: "copper elbow -tee" })).ids)).not.toContain("Copper Tee 3/4 in.");
  });

  it("keeps filters, and a requested order within each part", async () => {
    expect(titled((await ask({ q: "copper elbow", inStock: true })).ids)).toEqual([
      "Copper Elbow 3/4 in.",
      "Brass Elbow 1/2 in.",
    ]);
    expect(titled((await ask({ q: "copper elbow", sort: "price:desc" })).ids)).toEqual([
      "Copper Elbow 3/4 in.",
      "Brass Elbow 1/2 in.",
      "Copper Tee 3/4 in.",
    ]);
  });

  it("pages through all of them, none twice", async () => {
    const whole = (await ask({ q: "copper elbow" })).ids;
    const pages: number[] = [];
    for (const number of [1, 2, 3, 4]) {
      pages.push(...(await ask({ q: "copper elbow", page: number, perPage: 1 })).ids);
    }
    // The first page is full, so that nothing follows it.
    expect(pages).toEqual(whole.slice(0, 1));
    const inTwos = [
      ...(await ask({ q: "copper elbow", page: 1, perPage: 2 })).ids,
      ...(await ask({ q: "copper elbow", page: 2, perPage: 2 })).ids,
    ];
    expect(inTwos).toEqual(whole);
  });

  it("gives groups of offers too", async () => {
    const hits = await ask({ q: "copper elbow", group: "gtin" });
    expect(hits.ids).toHaveLength(3);
    expect(hits.ids.every((id) => hits.groups.has(id))).toBe(true);
  });

  it("shows no member of a group that is a row already", async () => {
    const { ids } = await ask({ q: "copper elbow" });
    const groupId = await storeGroup(
      test.db,
      ids.slice(0, 2).map((id): Member => [id]),
    );
    const hits = await ask({ q: "copper elbow", group: "product" });
    await endGroup(test.db, groupId, null);
    expect(hits.ids).toEqual([ids[0], ...ids.slice(2)]);
    expect(hits.groups.get(ids[0] ?? 0)).toMatchObject({ key: `group ${groupId}`, offers: 1 });
  });

  it("asks the engine once, unless a word has to be corrected", async () => {
    let asked = 0;
    const counting: Engine = {
      ...test.engine,
      search: (uid, query) => {
        asked += 1;
        return test.engine.search(uid, query);
      },
      multiSearch: (queries) => {
        asked += 1;
        return test.engine.multiSearch(queries);
      },
    };
    await openSearch(counting)({ ...page, q: "copper elbow" });
    expect(asked).toBe(1);
  });
});

describe("a database that is slow", () => {
  it.each(["copper elbow", "elbow"])(
    "B20: costs %j the partial matches, and no search its answer",
    async (q) => {
      const { db: searchDb, close } = openDb({
        url: test.url,
        applicationName: "kurabe:test",
        maxConnections: 2,
        statementTimeoutMs: 200,
      });
      const { search } = createSearch({ ...test, searchDb, clock: systemClock });
      try {
        const hits = await test.db.transaction(async (tx) => {
          await tx.execute(sql`lock table product_text in access exclusive mode`);
          return search({ ...page, q });
        });
        expect(titled(hits.ids)).toContain("Copper Elbow 3/4 in.");
        expect([hits.engine, hits.partial.size, hits.warnings.length]).toEqual([
          "meilisearch",
          0,
          1,
        ]);
        await until(async () => (await search({ ...page, q })).warnings.length === 0, {
          what: "an answer with all there is",
        });
      } finally {
        await close();
      }
    },
  );
});

describe("a word that no product has", () => {
  it("is replaced by a near one, and the answer says so", async () => {
    const hits = await ask({ q: "galvanized pibe" });
    expect(titled(hits.ids)[0]).toBe("Galvanized Pipe 10 ft.");
    const other = await ask({ q: "gardne stake" });
    expect(other.corrected).toBe("garden stake");
    expect(titled(other.ids)[0]).toBe("Steel Garden Stake");
  });

  it.each([
    ["ポスカトード", "ポストカード", "京都のポストカード"],
    ["クリアフアル 猫", "クリアファイル 猫", "クリアファイル 猫"],
    ["バイオリソ", "ヴァイオリン", "ヴァイオリンの弦"],
    ["アクリルスンタド 犬", "アクリルスタンド 犬", "アクリルスタンド 犬"],
  ])("of %s is read as %s, without the engine too", async (q, corrected, title) => {
    for (const search of [openSearch(), openSearch(silentEngine())]) {
      const hits = await search({ ...page, q });
      expect(hits.corrected).toBe(corrected);
      expect(titled(hits.ids)[0]).toBe(title);
    }
  });

  it("W1: is answered however long or odd it is", async () => {
    const odd = [
      "あ".repeat(200),
      "あいあいあい",
      "ぬ".repeat(3) + "'\\",
      titles.join("").slice(0, 200),
    ];
    for (const q of [...odd, odd.join(" ").slice(-200)]) {
      expect((await ask({ q })).found, q).toBe(0);
    }
  });

  it("is kept in quotes", async () => {
    const hits = await ask({ q: '"gardne" "stake"' });
    expect([hits.found, hits.corrected]).toEqual([0, null]);
  });
});

const found: [string, string][] = [
  ['3/4" copper elbow', "Copper Elbow 3/4 in."],
  ["0.75 inch copper elbow", "Copper Elbow 3/4 in."],
  ["aa battery", "AA Batteries 4 Pack"],
  ["4 pk batteries", "AA Batteries 4 Pack"],
  ["Kopfhoerer", "Kopfhörer Bluetooth"],
  ["tshirt", "T-Shirt weiß"],
  ["t shirt weiss", "T-Shirt weiß"],
  ["革財布", "ハンドメイド革財布"],
  ["ﾊﾝﾄﾞﾒｲﾄﾞ", "ハンドメイド革財布"],
  ["京都", "京都のポストカード"],
  ["クリアフアイル", "クリアファイル 猫"],
  ["クリヤファイル ネコ", "クリアファイル 猫"],
  ["アイフォンケース", "iPhoneケース 手帳型"],
  ["アクスタ", "アクリルスタンド 犬"],
  ["サーバ", "サーバーラック"],
  ["取付け", "木の取り付け金具"],
  ["バイオリン", "ヴァイオリンの弦"],
  ["斉藤 ハロウイン", "斎藤工房のハロウィン飾り"],
  ["齋藤", "斎藤工房のハロウィン飾り"],
  ["とーとばっぐ", "トートバッグ 生成り"],
  ["手拭い", "手ぬぐい 桜柄"],
  ["ぽすとかーど", "京都のポストカード"],
];

describe("suggestions", () => {
  it.each([
    ["kopfh", "Kopfhörer"],
    ["gardne stake", "Garden Stake"],
    ["ポスカトード", "ポストカード"],
    ["galvanized batteries", "Batteries"],
  ])("complete and correct %j, and each of them finds a product", async (typed, offered) => {
    const { suggest, search } = openAll();
    const { items } = await suggest(typed, 8);
    expect(items.map(({ text }) => text).join("; ")).toContain(offered);
    for (const { text } of items)
      expect((await search({ ...page, q: text })).found).toBeGreaterThan(0);
  });
});

describe("products with every word", () => {
  it.each([
    ["the engine", () => openSearch()],
    ["Postgres", () => openSearch(silentEngine())],
  ])("of %s stand in this order: available ones, then the shorter title", async (_, open) => {
    const titlesOf = async (q: string) => (await open()({ ...page, q })).ids;
    expect(titled(await titlesOf("ハッサム"))).toEqual([
      "ハッサム 062/055",
      "ハッサムGX SR 061/055",
    ]);
    expect(await titlesOf("スミレ")).toEqual([24, 23]);
  });
});

describe("words as shoppers type them", () => {
  it.each(found)("%s finds %s, with the engine and without", async (q, title) => {
    expect(titled((await ask({ q })).ids)[0]).toBe(title);
    const degraded = await openSearch(silentEngine())({ ...page, q });
    expect(degraded.degraded).toBe(true);
    expect(titled(degraded.ids)).toContain(title);
  });

  it("京都 does not find 東京都", async () => {
    expect(titled((await ask({ q: "京都" })).ids)).not.toContain("東京都の地図");
  });
});
