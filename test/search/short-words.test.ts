import { expect, it } from "vitest";
import { page, titledSearchForAll } from "../support/titled-search.ts";

const titles = [
  "Milka Alpenmilch",
  "Milki Riegel",
  "Mirka Schleifpapier",
  "Lachs Filet",
  "Lacks Dose",
  "バレッタ 花",
  "パレット 木製",
];

const { openBoth } = titledSearchForAll(titles);

it.each([
  ["milka", "Milka Alpenmilch", null],
  ["lachs", "Lachs Filet", null],
  ["バレッタ", "バレッタ 花", null],
  ["milak", "Milka Alpenmilch", "milka"],
  ["lahcs", "Lachs Filet", "lachs"],
])("%s finds %s alone, with the engine and without", async (q, title, corrected) => {
  for (const search of openBoth()) {
    const hits = await search({ ...page, q, sort: "price:asc" });
    expect([hits.ids.map((id) => titles[id - 1]), hits.corrected]).toEqual([[title], corrected]);
  }
});
