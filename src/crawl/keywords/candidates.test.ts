import { describe, expect, it } from "vitest";
import { toCandidates, toWords, type Drawn } from "./candidates.ts";

const drawn = (over: Partial<Drawn>): Drawn => ({
  title: "革の財布",
  categories: [],
  shopId: "shop-1",
  shopName: "革屋",
  queryId: null,
  ...over,
});
const none = { sample: [], zeroResults: [], ended: [] };
const words = (candidates: readonly { q: string }[]) => candidates.map(({ q }) => q);

describe("the words of a title", () => {
  it("are cut as Japanese is read, without signs, numbers and single letters", () => {
    expect(toWords("【新作】手作りの革財布 2024 A・トートバッグ")).toEqual([
      "新作",
      "手作り",
      "革",
      "財布",
      "トートバッグ",
    ]);
    expect(toWords("2024 / 12")).toEqual([]);
  });
});

describe("candidates", () => {
  it("are the words most titles hold, one spelling each, and none that only a slip may have made", () => {
    const sample = [
      ...Array.from({ length: 5 }, () => drawn({ title: "帆布 バッグ" })),
      ...Array.from({ length: 3 }, () => drawn({ title: "ﾊﾞｯｸﾞ" })),
      drawn({ title: "かばん" }),
    ];
    const { word } = toCandidates({ ...none, sample });
    expect(words(word)).toEqual(["バッグ", "帆布"]);
    expect(word[0]?.reason).toBe("in the titles of 8 of 9 products drawn");
  });

  it("are categories and shops, those with most products first, a shop within itself alone", () => {
    const sample = [
      drawn({ shopId: "b", shopName: "小さな店", categories: ["食品"] }),
      drawn({ shopId: "a", shopName: "大きな店", categories: ["家具", "雑貨"] }),
      drawn({ shopId: "a", shopName: "大きな店", categories: ["雑貨"] }),
    ];
    const { category, shop } = toCandidates({ ...none, sample });
    expect(words(category)[0]).toBe("雑貨");
    expect(shop.map(({ q, shopId }) => [q, shopId])).toEqual([
      ["大きな店", "a"],
      ["小さな店", "b"],
    ]);
  });

  it("split a list that ends early by shop and by a second word, from what it is known to find", () => {
    const sample = [
      ...Array.from({ length: 3 }, () => drawn({ title: "革 ベルト", queryId: 7 })),
      drawn({ title: "木の椅子", shopId: "shop-2", shopName: "木工所" }),
    ];
    const ended = [{ id: 7, q: "革", endsAt: 1000, found: 5000 }];
    const { split } = toCandidates({ ...none, sample, ended });
    expect(split).toEqual([
      { q: "革", shopId: "shop-1", reason: '"革" is cut off at 1000 of 5000' },
      { q: "革 ベルト", shopId: null, reason: '"革" is cut off at 1000 of 5000' },
    ]);
  });

  it("are never empty or longer than a search box takes", () => {
    const sample = [drawn({ shopName: " ", categories: ["x".repeat(61), "", "y".repeat(60)] })];
    const { category, shop } = toCandidates({ ...none, sample });
    expect(words(category)).toEqual(["y".repeat(60)]);
    expect(shop).toEqual([]);
  });
});
