import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  kanjiVariants,
  buriedWords,
  joinedCodes,
  highlightClose,
  highlightOpen,
  normalise,
} from "./normalise.ts";

/** What the rules look at. */
const looked = Array.from(
  " 013xXmc,.-/'\"’“⁄½®™aßヴァヶケカかヵアー一々月漢𠮷\u{E0100}\uFE0Fｱﾞゔや\u3099",
);
const anyText = fc.oneof(
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 })
    .map((units) => String.fromCharCode(...units)),
  fc.string({ unit: fc.constantFrom(...looked), maxLength: 12 }),
);

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
    ["葛\u{E0100}餅 ❤\uFE0F", "葛餅 ❤"],
    ["Lego® City™", "Lego City"],
    ["Post-it®ノート", "Post-it ノート"],
    ["Kleenex®-Box", "Kleenex-Box"],
    ["3½ in. ⅜”", '3 1/2 in. 3/8"'],
    ["“Oma’s”", '"Oma\'s"'],
    ["−赤", "-赤"],
    ["50x75cm 15mmX10m", "50×75cm 15mm×10m"],
    ["1か月 2カ月 三ヵ月 4ケ月", "1ヶ月 2ヶ月 三ヶ月 4ヶ月"],
    ["コンタクト一ヶ月", "コンタクト一ヶ月"],
    ["石鹼 牡蛎", "石鹸 牡蠣"],
  ])("folds %j to %j", (text, expected) => {
    expect(normalise(text)).toBe(expected);
  });

  it("keeps separators of words, and words that only look like variants", () => {
    expect(normalise("革 財布  二つ折り")).toBe("革 財布  二つ折り");
    expect(normalise("龍と竜")).toBe("龍と竜");
    for (const same of ["iPhone x1", "0x", "いかか月", "か所", "ケーキ"])
      expect(normalise(same)).toBe(same);
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
      { numRuns: 1000 },
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

describe("joinedCodes", () => {
  it.each([
    ["Mann-Filter W 712/95", ["W71295", "71295"]],
    ["VW 06A 906 265 Regler", ["VW06A906", "VW06A906265", "06A906", "06A906265", "906265"]],
    ["Kabel 2 x 5,0 Ah 100 m", []],
    ["革財布 2024 brown", []],
  ])("joins the parts of part numbers in %s", (text, codes) => {
    expect(joinedCodes(text, 10)).toEqual(codes);
  });

  it("stops at the limit, also in a text of numbers alone", () => {
    expect(
      joinedCodes(Array.from({ length: 10_000 }, (_, i) => 1000 + i).join(" "), 24),
    ).toHaveLength(24);
  });
});
