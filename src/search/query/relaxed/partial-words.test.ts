import { describe, expect, it } from "vitest";
import { fold } from "../../index/fold.ts";
import { toWords } from "../../index/words.ts";
import { corrected, distanceOf, readCorrections } from "./correction.ts";
import { rankCandidates, setsOf } from "./partial-matches.ts";
import { createAsTyped, readQueryWords } from "../words/query-words.ts";
import { createTextMatcher } from "../words/text-match.ts";

const textsOf = (q: string) => readQueryWords(q.split(" ")).map(({ text }) => text);
const qualities = (q: string, title: string, context = "") =>
  createTextMatcher(readQueryWords(q.split(" ")))(fold(title), fold(context)).words.map(
    ({ quality }) => quality,
  );

describe("rankCandidates", () => {
  it("shows what has the one word among what has the other, where they are about as rare", () => {
    const words = readQueryWords(["duschgel", "herren"]);
    const match = createTextMatcher(words);
    const titles = [
      "Socken herren",
      "Gürtel herren",
      "Schuhe herren",
      "Mäntel herren",
      "Duschgel pur",
    ];
    const found = titles.map((title, i) => ({
      row: { id: i + 1, title: fold(title), context: "", in_stock: true, popularity: 0 },
      match: match(fold(title), ""),
    }));
    const ranked = (weights: number[]) =>
      rankCandidates({ words, weights, hasPhrase: false, found }, new Set()).map(({ id }) => id);
    expect(ranked([5, 5.5])).toEqual([1, 2, 5, 3, 4]);
    expect(ranked([3, 9])).toEqual([1, 2, 3, 4]);
  });

  it.each([
    ["万年筆 太字", [2, 1]],
    ["万年筆 ケース", [1, 2]],
  ])("of %s shows the thing before its case, unless the case is asked for", (q, order) => {
    const words = readQueryWords(q.split(" "));
    const found = ["万年筆 ケース", "万年筆 1ケース"].map((title, i) => ({
      row: { id: i + 1, title: fold(title), context: "", in_stock: true, popularity: 0 },
      match: createTextMatcher(words)(fold(title), ""),
    }));
    const ranked = rankCandidates({ words, weights: [1, 1], hasPhrase: false, found }, new Set());
    expect(ranked.map(({ id }) => id)).toEqual(order);
  });
});

describe("readQueryWords", () => {
  it("joins neighbours to one word, also with ü for ue", () => {
    expect(qualities("muell beutel", "Müllbeutel 35 l").every((quality) => quality > 0.9)).toBe(
      true,
    );
    expect(qualities("t shirt", "Tshirt weiß")[0]).toBeGreaterThan(0.9);
  });

  it.each([
    ["3/4 in. copper elbow", ["3/4", "in", "copper", "elbow"]],
    ["500ml", ["500", "ml"]],
    ["RTX3080 card", ["rtx3080", "card"]],
    ["アイフォンケース", ["アイフォン", "ケース"]],
    ["スマートフォンケース", ["スマートフォン", "ケース"]],
    ["赤の折り畳み傘", ["赤", "折り畳み", "傘"]],
    ["アクセサリーケース", ["アクセサリー", "ケース"]],
    ["ねこの置物", ["ねこ", "置物"]],
    ["とーとばっぐ", ["とーとばっぐ"]],
    ["!!! ...", []],
    ["🎀 ★", ["🎀", "★"]],
    ["🎀リボン ★", ["リボン"]],
    ["women's boots", ["women", "boots"]],
    ["bouteille d’eau", ["bouteille", "eau"]],
    ["お米 5キロ", ["米", "5", "キロ"]],
    ["犬のおやつ", ["犬", "おやつ"]],
    ["フィギュアーツ", ["フィギュアーツ"]],
    ["ブルーベリー", ["ブルーベリー"]],
    ["スプレッド", ["スプレッド"]],
    ["うなぎのかばやき", ["うなぎ", "かばやき"]],
    ["ほんもののかわ", ["ほんもののかわ"]],
    ["たけのこのさと", ["たけのこのさと"]],
    ["ring \u2764\uFE0F 1\uFE0F\u20E3", ["ring", "1"]],
    ["\u2615\uFE0Fコーヒー", ["コーヒー"]],
  ])("takes %j as %j", (q, words) => {
    expect(textsOf(q)).toEqual(words);
  });

  it("takes the minus of a temperature for no sign of exclusion", () => {
    expect(toWords("Schlafsack -5 Grad").excluded).toEqual([]);
    expect(toWords("Schlafsack -5 kg").excluded).toEqual(["5"]);
  });

  it("knows words typed apart or together as one", () => {
    for (const q of ["t shirt", "t-shirt"]) {
      const [t, shirt] = readQueryWords(q.split(" "));
      expect(t?.forms).toContain("tshirt");
      expect(shirt?.forms).toContain("tshirt");
    }
  });

  it("reads a repeated word once, and twenty at most", () => {
    expect(textsOf("blue blue BLUE")).toHaveLength(1);
    expect(textsOf(Array.from({ length: 50 }, (_, i) => `word${i}`).join(" "))).toHaveLength(20);
  });
});

describe("createAsTyped", () => {
  it.each([
    ["Größe Ring", ["Größe", "Ring"]],
    ["Café ＢＡＧ ﾊﾞｯｸﾞ", ["Café", "ＢＡＧ", "ﾊﾞｯｸﾞ"]],
    ["party Art", ["party", "Art"]],
    ["T-Shirt 500ML", ["T", "Shirt", "500", "ML"]],
    ["髙橋の革財布", ["髙橋", "革", "財布"]],
    ['ÆON 3/4"', ["ÆON", "3/4", "in"]],
  ])("gives the words of %j back as they were typed", (q, words) => {
    expect(readQueryWords(toWords(q).plain).map(({ text }) => createAsTyped(q)(text))).toEqual(
      words,
    );
  });
});

describe("createTextMatcher", () => {
  it("says how well each word is there: as typed, in another form, in the context, not at all", () => {
    const [typed, form, around, none] = qualities(
      "copper elbow plumbing gold",
      "Copper Elbows",
      "Plumbing",
    );
    expect(typed).toBe(1);
    expect(form).toBeLessThan(1);
    expect(around).toBeLessThan(form ?? 0);
    expect(none).toBe(0);
  });

  it.each([
    ["SXN15005", "ボールペン SXN-150-05"],
    ["978-4-06-519981-7", "9784065199817 孤城"],
    ["9784065199817", "978-4-06-519981-7 孤城"],
    ["m8x50", "M8 x 50mm hex bolt"],
    ["6リットル", "猫砂 おから 6L"],
    ["100グラム", "抹茶 100g入り"],
    ["1.5リットル", "南部鉄瓶 1.5L"],
    ["1.5 l", "Limonade 1,5l"],
    ["1800ml", "久保田 1.8L"],
    ["2.5キロ", "洗剤 2500g"],
    ["60ミリ", "日焼け止め 60ml"],
    ["単四", "単4形"],
    ["24センチ", "足袋 24.0cm"],
    ["24.0cm", "足袋 24cm"],
    ["テンキーつき", "キーボード テンキー付き"],
    ["七ヶ月", "離乳食 7か月"],
    ["4060ti", "GIGA RTX4060Ti-E8GB"],
    ["電池", "単3乾電池"],
    ["7版", "広辞苑 第七版"],
    ["13巻", "探偵 vol.13"],
    ["歯みがき", "歯磨き粉"],
    ["全巻", "葬送の旅 1-13巻 セット"],
  ])("finds %j in %j: words typed together or apart, units in kana", (q, title) => {
    expect(qualities(q, title).every((quality) => quality >= 0.9)).toBe(true);
  });

  it("joins no part of a word with the next: 5m 2 is no m2", () => {
    expect(qualities("m2", "HDMI 5m 2 pcs")).toEqual([0]);
  });

  it("takes a cell of another size for none of this one", () => {
    expect(qualities("単三", "アルカリ乾電池 単1 3本").every((quality) => quality < 1)).toBe(true);
    expect(qualities("単三", "ネオ 単1・単3形")).toEqual([1, 0.95]);
  });

  it("takes another spelling in kana for no piece of a longer word", () => {
    expect(qualities("椅子", "ウイスキー")).toEqual([0]);
    expect(qualities("椅子", "学習イス")).not.toEqual([0]);
  });

  it("takes a word of kanji only where one begins: 京都, not 東京都", () => {
    expect(qualities("京都", "京都のお土産")).toEqual([1]);
    expect(qualities("京都", "東京都のお土産")).toEqual([0]);
  });

  it("takes Japanese with a wrong letter for a near miss", () => {
    const [quality = 0] = qualities("フトォフレーム", "フォトフレーム 木製");
    expect(quality).toBeGreaterThan(0);
    expect(quality).toBeLessThan(0.75);
    // Half of a short word is too little to be it.
    expect(qualities("クーラー", "コントローラー")[0]).toBeLessThan(0.5);
  });

  it("knows neighbours and whole titles", () => {
    const words = readQueryWords(["copper", "elbow"]);
    const [near, far, long] = ["copper elbow", "elbow of copper", "copper elbow for old pipes"].map(
      (title) => createTextMatcher(words)(title, ""),
    );
    expect([near?.adjacency, far?.adjacency]).toEqual([1, 0]);
    expect(near?.wholeness).toBeGreaterThan(long?.wholeness ?? 1);
  });
});

describe("setsOf", () => {
  it("looks for every rare word alone, and for frequent ones in company", () => {
    expect(setsOf([5, 5000, 0, 9000], 100)).toEqual([[2], [0], [1, 3], [1], [3]]);
  });

  it("looks for no function word, and for no frequent measure without a name, if there is a name", () => {
    const kinds = ["function word", "name", "measure", "measure"] as const;
    expect(setsOf([5, 5000, 9000, 8000], 100, kinds)).toEqual([[1, 3, 2], [1, 3], [1, 2], [1]]);
    expect(setsOf([5], 100, ["function word"])).toEqual([[0]]);
    expect(setsOf([9000, 8000], 100, ["measure", "measure"])).toEqual([[1, 0], [1], [0]]);
  });

  it("is bounded for any number of words", () => {
    expect(
      setsOf(
        Array.from({ length: 12 }, () => 9000),
        100,
      ).length,
    ).toBeLessThanOrEqual(14);
    expect(
      setsOf(
        Array.from({ length: 12 }, () => 0),
        100,
      ).length,
    ).toBeLessThanOrEqual(14);
  });
});

describe("corrections", () => {
  const mark = (text: string) => text.replaceAll("[", "\uE000").replaceAll("]", "\uE001");

  it("names what the engine read instead, unless a title has the word as typed", () => {
    const words = readQueryWords(["stael", "stake"]);
    expect([...readCorrections(words, [mark("[Steel] [Stake]")])]).toEqual([["stael", "steel"]]);
    expect([...readCorrections(words, [mark("[Steel] [Stake]"), "Stael Stake"])]).toEqual([]);
  });

  it("replaces words, and nothing inside quotes", () => {
    expect(corrected('steele "steele stake" pin', new Map([["steele", "steel"]]))).toBe(
      'steel "steele stake" pin',
    );
    expect(corrected("pin", new Map([["steele", "steel"]]))).toBeNull();
  });

  it("counts letters to change", () => {
    expect(distanceOf("mowr", "mower")).toBe(1);
    expect(distanceOf("cabniet", "cabinet")).toBe(1);
    expect(distanceOf("abc", "xyz")).toBe(3);
  });
});
