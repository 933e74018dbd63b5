import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  cosineOf,
  findingKeys,
  sharesName,
  stepOf,
  toCoupleKeys,
  toSoundKeys,
  toStoredKey,
  toWordKeys,
} from "./keys.ts";

const steps = fc.integer({ min: 0, max: 3 });
const words = fc
  .uniqueArray(fc.tuple(fc.nat(), steps), { selector: ([word]) => word, maxLength: 12 })
  .map((list) => ({ words: list.map(([word]) => word), steps: list.map(([, step]) => step) }));

describe("keys", () => {
  it("change with the frequency only at its steps", () => {
    expect([0, 7, 8, 63, 64, 511, 512, 1e9].map(stepOf)).toEqual([0, 0, 1, 1, 2, 2, 3, 3]);
  });

  it("of a hostile title are bounded", () => {
    const tokens = Array.from({ length: 10_000 }, (_, i) => `word${i}`);
    expect(toWordKeys(tokens).size).toBe(80);
  });

  it("of couples are the same for titles with the same frequent words, whatever their order", () => {
    fc.assert(
      fc.property(words, (title) => {
        const turned = { words: title.words.toReversed(), steps: title.steps.toReversed() };
        expect(toCoupleKeys(turned.words, turned.steps)).toEqual(
          toCoupleKeys(title.words, title.steps),
        );
      }),
    );
  });

  it("that lead to others have fewer than 512 products", () => {
    const keys = { words: [1, 2, 3], models: [4, 5], couples: [6, 7] };
    const stepOfKey = (key: number) => [0, 0, 1, 2, 2, 3, 1, 2][key] ?? 3;
    expect(findingKeys(keys, stepOfKey)).toEqual([1, 2, 4, 6]);
  });

  it.each([
    ["スノーピーク チタニウム マグ", "snow peak titanium mug"],
    ["nike ジャケット ブラック", "ナイキ jacket black"],
    ["ハリボー ゴールド グミ 200g", "200g haribo gold gummy"],
  ])("of %s and %s meet, as they sound alike", (left, right) => {
    const of = (title: string) => ({ words: [], couples: [], models: toSoundKeys(title) });
    expect(sharesName(of(left), of(right))).toBe(true);
    expect(sharesName(of(left), of(left))).toBe(false);
    expect(toSoundKeys(right).map(toStoredKey)).toContain(
      toSoundKeys(left)
        .map(toStoredKey)
        .find((key) => findingKeys(of(right), () => 0).includes(key)),
    );
  });

  it("of sounds are three at most, for each product has them and few are found by them alone", () => {
    expect(toSoundKeys("snow peak titanium mug single wall")).toHaveLength(3);
    expect(toSoundKeys("snow peak")).toHaveLength(1);
    expect(toSoundKeys("snow")).toHaveLength(0);
  });

  it("make a cosine that is symmetric, 1 for the same words, 0 for none in common", () => {
    fc.assert(
      fc.property(words, words, (left, right) => {
        expect(cosineOf(left, right)).toBeGreaterThanOrEqual(0);
        if (left.words.length > 0) expect(cosineOf(left, left)).toBeCloseTo(1);
        expect(cosineOf(left, { words: [], steps: [] })).toBe(0);
      }),
    );
  });
});
