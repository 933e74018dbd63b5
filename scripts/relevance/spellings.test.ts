import { describe, expect, it } from "vitest";
import { createRandom } from "../../src/lib/random.ts";
import { readTitles } from "./catalogue-titles.ts";
import {
  japaneseOthers,
  toFullWidth,
  toHalfWidth,
  toHiragana,
  toKatakana,
  withKanaTypo,
  withoutSmallKana,
} from "./japanese-spellings.ts";
import {
  measureForms,
  modelForms,
  otherGermanEnding,
  otherNumber,
  withTypo,
} from "./latin-spellings.ts";

describe("spellings of Latin words", () => {
  it("writes a measure as shops do, with one key for all", () => {
    expect(measureForms("3/4", "in.")).toEqual(
      expect.arrayContaining(["3/4 in.", '3/4"', "3/4 inch", "0.75 inch", ".75 in"]),
    );
    expect(measureForms("1-1/2", '"')[0]).toBe(measureForms("1-1/2", "in.")[0]);
    expect(measureForms("500", "ml")).toEqual(expect.arrayContaining(["500 ML", "0.5 l"]));
  });

  it.each([
    ["box", "boxes"],
    ["battery", "batteries"],
    ["shelf", "shelves"],
    ["tray", "trays"],
    ["brush", "brushes"],
  ])("%s and %s are each other's number", (one, many) => {
    expect([otherNumber(one), otherNumber(many)]).toEqual([many, one]);
  });

  it("knows German endings, and words that have none", () => {
    expect(["Tomaten", "Gurke", "frisches", "Keks"].map(otherGermanEnding)).toEqual([
      "Tomate",
      "Gurken",
      "frische",
      null,
    ]);
  });

  it("writes a model number with and without its dash", () => {
    expect(modelForms("DX-482B")).toEqual(["DX482B", "dx482b", "DX 482B"]);
    expect(modelForms("DX482B")).toContain("DX-482B");
  });

  it("makes one error in the longest word, and none in short ones", () => {
    const slip = withTypo("garden wheelbarrow", createRandom(1));
    expect(slip).toMatch(/^garden w/);
    expect(slip).not.toBe("garden wheelbarrow");
    expect(withTypo("a hoe", createRandom(1))).toBeNull();
  });
});

describe("spellings of Japanese words", () => {
  it("converts kana and widths", () => {
    expect([toHiragana("トートバッグ"), toKatakana("とーとばっぐ")]).toEqual([
      "とーとばっぐ",
      "トートバッグ",
    ]);
    expect([toHalfWidth("バッグポーチ革"), toFullWidth("A5 ml")]).toEqual([
      "ﾊﾞｯｸﾞﾎﾟｰﾁ革",
      "Ａ５ ｍｌ",
    ]);
    expect(withoutSmallKana("クリアファイル")).toBe("クリアフアイル");
  });

  it("finds the other spellings of a word", () => {
    expect(japaneseOthers("ヴァイオリン").ヴ).toEqual(["バイオリン"]);
    expect(japaneseOthers("斎藤工房")["old kanji"]).toEqual(["斉藤工房", "齋藤工房"]);
    expect(japaneseOthers("サーバー")["long vowel"]).toEqual(
      expect.arrayContaining(["サ―バー", "サーバ"]),
    );
    expect(withKanaTypo("革", createRandom(1))).toBeNull();
  });
});

it("a catalogue's title is taken apart into words, measures and model numbers", () => {
  const titles = ["Frosch Essigreiniger für Bäder, 750 ml", "Essig Reiniger KX-4400"];
  const [first, second] = readTitles(
    titles.map((title, i) => ({ itemId: i, title })),
    "de",
  );
  expect(first?.concepts.map(({ key }) => key)).toEqual(["frosch", "essigreinig", "bäd", "750 ml"]);
  expect(first?.concepts[1]?.others.compound).toEqual(["essig reiniger"]);
  expect(first?.concepts[2]?.others.letters).toEqual(["baeder", "bader"]);
  expect(second?.concepts.at(-1)).toMatchObject({ role: "model", key: "kx4400" });
});
