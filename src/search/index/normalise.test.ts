import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { kanjiVariants } from "./kanji-variants.ts";
import { buriedWords, highlightClose, highlightOpen, normalise } from "./normalise.ts";

const anyText = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 })
  .map((units) => String.fromCharCode(...units));

describe("normalise", () => {
  it.each([
    ["ﾊﾝﾄﾞﾒｲﾄﾞ", "ハンドメイド"],
    ["ＡＢＣ１２３", "ABC123"],
    ["髙橋", "高橋"],
    ["山﨑", "山崎"],
    ["渡邉 渡邊", "渡辺 渡辺"],
    ["𠮷野", "吉野"],
    ["竹篭", "竹籠"],
    ["－革 ＂二つ折り＂", '-革 "二つ折り"'],
    ["バッ​グ", "バッグ"],
    ["一行目\r\n二行目\0", "一行目 二行目"],
  ])("folds %j to %j", (text, expected) => {
    expect(normalise(text)).toBe(expected);
  });

  it("keeps separators of words, and words that only look like variants", () => {
    expect(normalise("革 財布  二つ折り")).toBe("革 財布  二つ折り");
    expect(normalise("龍と竜")).toBe("龍と竜");
  });

  it("is total and idempotent, and leaves no lone surrogate and no highlight tag", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const once = normalise(text);
        expect(normalise(once)).toBe(once);
        expect(once.isWellFormed()).toBe(true);
        expect(once).not.toContain(highlightOpen);
        expect(once).not.toContain(highlightClose);
      }),
      { numRuns: 2000 },
    );
  });

  it("folds every variant in one step to a single other character", () => {
    for (const [variant, usual] of kanjiVariants) {
      expect(Array.from(variant + usual)).toHaveLength(2);
      expect(kanjiVariants.has(usual)).toBe(false);
      expect(normalise(variant)).toBe(usual);
    }
  });
});

describe("buriedWords", () => {
  it.each([
    ["ウール100%", ["100"]],
    ["iPhone15用ケース", ["iPhone15", "iPhone", "15"]],
    ["サイズ24cm", ["24cm", "24", "cm"]],
    ["USB3.0ハブ", ["USB3.0", "USB", "3.0"]],
    ["Tシャツ 白", ["T"]],
    ["革財布 brown 2024", []],
  ])("finds in %s the words %j", (text, words) => {
    expect(buriedWords(text, 10)).toEqual(words);
  });

  it("stops at the limit and leaves out endless words", () => {
    expect(buriedWords("a1b2c3d4e5f6", 3)).toHaveLength(3);
    expect(buriedWords(`革${"x".repeat(100)}`, 3)).toEqual([]);
  });
});
