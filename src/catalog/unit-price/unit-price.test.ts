import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readContent, toUnitPrice, toUnitPriceRank } from "./unit-price.ts";

/** Titles and what a person reads in them: `500 g`, or `-` if they do not tell it surely. */
function readLabels(name: string): { label: string; title: string }[] {
  return readFileSync(`test/catalog/unit-price/${name}.tsv`, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => {
      const [label = "", title = ""] = line.split("\t");
      return { label, title };
    });
}

const read = (title: string, ...variations: string[]) => {
  const content = readContent(
    title,
    variations.map((variation) => ({ variation })),
  );
  return content ? `${content.value} ${content.unit}` : "-";
};

const priced = (title: string, price: number) => toUnitPrice({ title, price, variations: [] });

describe("labelled titles", () => {
  it.each([
    // Drawn at random from a real catalogue, and labelled before the reader was written.
    { name: "grocery-titles", atLeast: 0.9 },
    { name: "japanese-titles", atLeast: 0.8 },
  ])("$name: none is read wrongly, most are read", ({ name, atLeast }) => {
    const cases = readLabels(name);
    const readable = cases.filter(({ label }) => label !== "-");
    const wrong = cases.filter(({ label, title }) => !["-", label].includes(read(title)));
    const right = readable.filter(({ label, title }) => read(title) === label);
    expect(wrong).toEqual([]);
    expect(right.length / readable.length).toBeGreaterThanOrEqual(atLeast);
  });
});

describe("what a package holds", () => {
  it.each([
    ["6x500ml", "3000 ml"],
    ["500ml×24本", "12000 ml"],
    ["2 x 125 g", "250 g"],
    ["5 Stück à 20 g", "100 g"],
    ["4 pièces", "4 piece"],
    ["12er Pack", "12 piece"],
    ["２ｘ１２５ｇ", "250 g"],
    ["0,75 l", "750 ml"],
    ["1.000 g", "1000 g"],
    ["10kg(5kg×2袋)", "10000 g"],
    ["30枚入 1箱", "30 piece"],
  ])("%s is %s", (title, content) => {
    expect(read(title)).toBe(content);
  });

  it.each([
    ["ranges", ["300-400 g", "500g～600g", "3-4 x 125 g", "500g x 2-3", "100g〜"]],
    ["estimates and limits", ["ca. 500 g", "約500g", "400g以上", "2個まで"]],
    ["measures that are no contents", ["3in1", "3%", "10 x 15 cm", "水筒 500ml", "Eimer 10 l"]],
    ["two readings that disagree", ["500 g, 6 Stück", "500g + 100g", "250 ml 235 g"]],
    ["unclear numbers", ["1,125 kg", "1/2 l", "Tシャツ 2L", "3 x Duschgel 250ml"]],
    ["choices", ["りんご 3kg 5kg 選べる", "100 g oder 200 g"]],
  ])("%s say nothing sure", (_, titles) => {
    expect(titles.map((title) => read(title))).toEqual(titles.map(() => "-"));
  });

  it("is read from variations too, if all of them and the title agree", () => {
    expect(read("天然水", "容量: 500ml")).toBe("500 ml");
    expect(read("天然水", "赤 500ml", "青 500ml")).toBe("500 ml");
    expect(read("天然水 500ml", "色: 赤", "色: 青")).toBe("500 ml");
    expect(read("天然水", "500ml", "1L")).toBe("-");
    expect(read("天然水 500ml", "500ml", "500ml×2本")).toBe("-");
    expect(read("天然水 500ml", "2本セット")).toBe("-");
  });
});

describe("unit prices", () => {
  it("are for 100 g or ml up to 250, for 1 kg or l above, and for 1 piece", () => {
    expect(priced("250 g", 500)).toMatchObject({ amount: 200, per: "100 g" });
    expect(priced("500 g", 500)).toMatchObject({ amount: 1000, per: "1 kg" });
    expect(priced("80 ml", 100)).toMatchObject({ amount: 125, per: "100 ml" });
    expect(priced("6x1,5l", 450)).toEqual({
      amount: 50,
      per: "1 l",
      quantity: { value: 9000, unit: "ml" },
    });
    expect(priced("90粒", 1000)).toMatchObject({ amount: 11.11, per: "1 piece" });
  });

  it("rank by 100 g, 100 ml or 1 piece, whatever they are shown for", () => {
    const rank = (title: string) => toUnitPriceRank({ title, price: 500, variations: [] });
    expect([rank("250 g"), rank("500 g"), rank("1 l"), rank("10個")]).toEqual([200, 100, 50, 50]);
    expect(rank("財布")).toBeNull();
  });

  it("need a price", () => {
    expect(priced("500 g", 0)).toBeNull();
    expect(priced("500 g", -1)).toBeNull();
  });

  const fragment = fc.constantFrom(
    ..."500 0 1 1,5 0.33 000 ６ ml L ｇ kg 個 枚 本入り 袋 ケース 1箱 x × * - ～ 約 ( ) er Pack à / + 選べる 財布 ".split(
      " ",
    ),
  );
  const title = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.array(fragment, { maxLength: 12 }).map((parts) => parts.join("")),
    fc.array(fragment, { maxLength: 12 }).map((parts) => parts.join(" ")),
  );

  it("are positive, finite numbers for any title and price", () => {
    fc.assert(
      fc.property(title, title, fc.maxSafeInteger(), (text, variation, price) => {
        const product = { title: text, price, variations: [{ variation }] };
        const unitPrice = toUnitPrice(product);
        const rank = toUnitPriceRank(product);
        expect(unitPrice === null).toBe(rank === null);
        for (const number of [unitPrice?.amount ?? 1, unitPrice?.quantity.value ?? 1, rank ?? 1]) {
          expect(Number.isFinite(number) && number > 0).toBe(true);
        }
      }),
      { numRuns: 600 },
    );
  });

  it("do not change with the width of digits and letters", () => {
    const wide = (text: string) =>
      text.replaceAll(/[!-~]/g, (char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0));
    fc.assert(
      fc.property(title, (text) => {
        expect(read(wide(text))).toBe(read(text));
      }),
    );
  });

  it("are read in no time from hostile titles", () => {
    const many = Array.from({ length: 10_000 }, () => ({ variation: "1個" }));
    expect(readContent("1個", many)).toBeNull();
    const parts = ["1", "1.", "1x", "1 ", "500ml×", "1個", "x ", "(1-", "あ", "5ー", "1缶", "g"];
    const began = performance.now();
    for (const part of parts) {
      for (const length of [5000, 10_000]) read(`windel ${part.repeat(length)}`.slice(0, length));
    }
    expect(performance.now() - began).toBeLessThan(1000);
  });
});
