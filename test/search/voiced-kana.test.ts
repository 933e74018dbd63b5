import { beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import { EngineUnavailable } from "../../src/search/engine/engine.ts";
import { createSearch } from "../../src/search/search.ts";
import { createTestApi } from "../support/api.ts";
import { storeItems } from "../support/catalog.ts";
import { createTestMirror, drain } from "../support/mirror.ts";
import { openedForAll } from "../support/opened.ts";
import { titledItem } from "../support/products.ts";

const titles = [
  "ウール コート",
  "コートハンガー 木製",
  "レインコート 子供",
  "コードレス掃除機",
  "ゴーカート",
  "カードケース",
  "腕時計 バンド",
  "バンドエイド",
  "ハンドメイド バッグ",
  "ルイ・ヴィトン 財布",
  "ヴィンテージ 皿",
  "歯ブラシ",
  "ブラシスタンド",
  "ブラジャー 白",
  "豚ロース",
  "ローズ アロマ",
  "ディスク 研磨",
  "デスク 白",
  "ティッシュ 箱",
  "ディッシュ 皿",
  "コーヒー 豆",
  "スニーカー 白",
  "グラノーラ",
];

const test = openedForAll(createTestMirror);
beforeAll(async () => {
  const items = titles.map((title, i) => titledItem(i + 1, title));
  await storeItems(test.db, "2026-01-01T00:00:00Z", items);
  await drain(test.db, test.start(), test.indexPrefix);
});

function openBoth() {
  const silent = () => Promise.reject(new EngineUnavailable("away"));
  return [test.engine, { ...test.engine, search: silent, multiSearch: silent }].map(
    (engine) => createSearch({ ...test, engine, searchDb: test.db, clock: systemClock }).search,
  );
}

describe("the engine, and Postgres alone", () => {
  it.each([
    ["コート", ["ウール コート", "コートハンガー 木製", "レインコート 子供"]],
    ["ｺｰﾄ", ["ウール コート", "コートハンガー 木製", "レインコート 子供"]],
    ["コード", ["コードレス掃除機"]],
    ["カート", ["ゴーカート"]],
    ["バンド", ["腕時計 バンド", "バンドエイド"]],
    ["ハンド", ["ハンドメイド バッグ"]],
    ["ヴィトン", ["ルイ・ヴィトン 財布"]],
    ["ブラシ", ["歯ブラシ", "ブラシスタンド"]],
    ["ロース", ["豚ロース"]],
    ["ディスク", ["ディスク 研磨"]],
    ["コーヒ", ["コーヒー 豆"]],
    ["スニーカ", ["スニーカー 白"]],
    ["グラノ", ["グラノーラ"]],
  ])("find by %s no word with another voiced sound", async (q, expected) => {
    for (const search of openBoth()) {
      const { ids, partial } = await search({ q, page: 1, perPage: 20, sort: "price:asc" });
      const whole = ids.filter((id) => !partial.has(id)).map((id) => titles[id - 1]);
      expect(new Set(whole)).toEqual(new Set(expected));
    }
  });

  it("say of a product with a near word that it lacks the word, where others have it", async () => {
    for (const search of openBoth()) {
      const { ids, found, partial } = await search({ q: "ティッシュ", page: 1, perPage: 20 });
      expect([found, ids.map((id) => titles[id - 1])]).toEqual([
        1,
        ["ティッシュ 箱", "ディッシュ 皿"],
      ]);
      expect([...partial.values()]).toEqual([["ティッシュ"]]);
    }
  });
});

it("InstantSearch finds as many", async () => {
  const api = createTestApi(
    test.db,
    createSearch({ ...test, searchDb: test.db, clock: systemClock }),
  );
  for (const [q, found] of [
    ["コート", 3],
    ["ブラシ", 2],
  ] as const) {
    const answer = await api.post("/meili/indexes/products/search", { q, page: 1 });
    expect(await answer.json()).toMatchObject({ query: q, totalHits: found });
  }
});
