import { describe, expect, it } from "vitest";
import { createRandom } from "../../src/lib/random.ts";
import { readTitles } from "./catalogue-titles.ts";
import type { Concept, SetProduct } from "./concepts.ts";
import { inventEnglish } from "./english.ts";
import { inventSet } from "./invent-set.ts";
import { inventJapanese } from "./japanese.ts";
import { createGrader } from "./labels.ts";

const inventions = { en: inventEnglish, ja: inventJapanese };

describe.each(["en", "ja"] as const)("an invented set (%s)", (language) => {
  const invent = () => {
    const random = createRandom(3);
    const products = inventions[language](800, random);
    return { products, ...inventSet({ products, language, queries: 600, random }) };
  };
  const { products, queries, labels } = invent();

  it("is the same for the same seed", () => {
    expect(invent()).toEqual({ products, queries, labels });
  });

  it("has at least 500 different queries of at least ten kinds, each with a right product", () => {
    expect(new Set(queries.map(({ query }) => query)).size).toBeGreaterThanOrEqual(500);
    expect(new Set(queries.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(10);
    const labelled = new Set(labels.map(({ query_id }) => query_id));
    expect(queries.filter(({ query_id }) => !labelled.has(query_id))).toEqual([]);
  });

  it("has titles without repeated words", () => {
    for (const { title, concepts } of products) {
      expect(title).toBe(title.trim());
      expect(concepts.filter(({ role }) => role === "type")).toHaveLength(1);
    }
  });
});

it("a catalogue's titles give a set too", () => {
  const titles = Array.from({ length: 300 }, (_, i) => ({
    itemId: i,
    title: `Marke${i % 7} Gartenhandschuhe rot Größe ${i} Art${i}x`,
  }));
  const products = readTitles(titles, "de");
  const { queries } = inventSet({ products, language: "de", queries: 50, random: createRandom(1) });
  expect(queries.length).toBeGreaterThan(30);
});

describe("grades", () => {
  const concept = (key: string, role: Concept["role"] = "attribute"): Concept => ({
    key,
    role,
    text: key,
    others: {},
  });
  const product = (itemId: number, ...keys: string[]): SetProduct => ({
    itemId,
    title: keys.join(" "),
    concepts: keys.map((key, i) => concept(key, i === 0 ? "type" : "attribute")),
  });
  const products = [
    product(1, "mug", "red", "steel", "small"),
    product(2, "mug", "red", "steel"),
    product(3, "mug", "red"),
    product(4, "mug"),
    product(5, "pan", "red", "steel"),
    ...Array.from({ length: 95 }, (_, i) => product(i + 6, `thing ${i}`)),
  ];
  const { grade } = createGrader(products);
  const wanted = ["red", "steel", "small"].map((key) => concept(key));
  const mug = concept("mug", "type");

  it("fall with what a product of the type lacks, and others have none", () => {
    const query = { kind: "", text: "", wanted: [mug, ...wanted] };
    expect([...grade(query)]).toEqual([
      [1, 3],
      [2, 2],
      [3, 1],
    ]);
  });

  it("of a whole title are highest for that title alone", () => {
    const query = { kind: "", text: "", wanted: [mug, ...wanted.slice(0, 1)], title: "mug red" };
    expect([...grade(query)]).toEqual([
      [3, 3],
      [1, 2],
      [2, 2],
    ]);
  });

  it("by words alone fall with the weight of the words that are missing", () => {
    const query = { kind: "", text: "", wanted: [...wanted] };
    expect([...grade(query)]).toEqual([
      [1, 3],
      [2, 2],
      [5, 2],
    ]);
  });
});
