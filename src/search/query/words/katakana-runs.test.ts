import { expect, it } from "vitest";
import { katakanaNames, namesShortenedTo } from "./katakana-runs.ts";

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

it.each([
  ["ドラクエ", ["ドラゴンクエスト"]],
  ["ウイイレ", ["ウイニングイレブン"]],
  ["ブレワイ", ["ブレス オブ ザ ワイルド"]],
  ["ファミコン", ["ファミリーコンピュータ"]],
  ["リモコン", []],
  ["ドラゴン", []],
  ["マリ", []],
  ["ガムテ", []],
])("%s is short for %j", (typed, names) => {
  const runs = ["ドラゴンクエスト", "ウイニングイレブン", "ブレス オブ ザ ワイルド"];
  expect(namesShortenedTo(typed, [...runs, "ファミリーコンピュータ", "ガムテープ"])).toEqual(names);
});

it("takes what would be short for many names for none of them", () => {
  expect(namesShortenedTo("マリカク", ["マリン カクテル"])).toEqual(["マリン カクテル"]);
  expect(
    namesShortenedTo(
      "マリカク",
      ["テル", "エン", "ガワ", "ワリ"].map((end) => `マリン カク${end}`),
    ),
  ).toEqual([]);
});
