import { describe, expect, it } from "vitest";
import { createTestApi } from "../support/api.ts";
import { page, titledSearchForAll } from "../support/titled-search.ts";

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

const { test, openAll, openBoth } = titledSearchForAll(titles);

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
      const { ids, partial } = await search({ q, ...page, sort: "price:asc" });
      const whole = ids.filter((id) => !partial.has(id)).map((id) => titles[id - 1]);
      expect(new Set(whole)).toEqual(new Set(expected));
    }
  });

  it("say of a product with a near word that it lacks the word, where others have it", async () => {
    for (const search of openBoth()) {
      const { ids, found, partial } = await search({ q: "ティッシュ", ...page });
      expect([found, ids.map((id) => titles[id - 1])]).toEqual([
        1,
        ["ティッシュ 箱", "ディッシュ 皿"],
      ]);
      expect([...partial.values()]).toEqual([["ティッシュ"]]);
    }
  });
});

it("InstantSearch finds as many", async () => {
  const api = createTestApi(test.db, openAll());
  for (const [q, found] of [
    ["コート", 3],
    ["ブラシ", 2],
  ] as const) {
    const answer = await api.post("/meili/indexes/products/search", { q, page: 1 });
    expect(await answer.json()).toMatchObject({ query: q, totalHits: found });
  }
});
