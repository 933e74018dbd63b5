import { expect, it } from "vitest";
import { katakanaNames } from "./katakana-runs.ts";

it("tells words and names of titles, and the parts of compounds with a word of another title", () => {
  const { words, names } = katakanaNames([
    "ラ ロッシュ ポゼ",
    "キャンパスノート",
    "ノート",
    "ル・クルーゼ",
  ]);
  expect([...words]).toEqual("ラ ロッシュ ポゼ キャンパスノート ノート ル クルーゼ".split(" "));
  expect(names).toEqual([
    "ラ ロッシュ",
    "ラ ロッシュ ポゼ",
    "ロッシュ",
    "ロッシュ ポゼ",
    "キャンパスノート",
    "ノート",
    "ル・クルーゼ",
    "クルーゼ",
    "キャンパス",
  ]);
});

it("tells no parts of a run that is too long for a compound", () => {
  const long = "アイウエ".repeat(50);
  expect(katakanaNames(["アイ", long]).names).toEqual([long]);
});
