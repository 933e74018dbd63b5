import { beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import { createSearch } from "../../src/search/search.ts";
import { storeItems } from "../support/catalog.ts";
import { createTestMirror, drain } from "../support/mirror.ts";
import { openedForAll } from "../support/opened.ts";
import { titledItem } from "../support/products.ts";

const titles = [
  "航海士 3巻",
  "航海士 第3巻 特装版",
  "航海士 13巻",
  "航海士 31巻",
  "航海士 第23巻",
  "航海士 30",
  "航海士 1〜23巻セット",
];

const test = openedForAll(createTestMirror);
beforeAll(async () => {
  const items = titles.map((title, i) => titledItem(i + 1, title));
  await storeItems(test.db, "2026-01-01T00:00:00Z", items);
  await drain(test.db, test.start(), test.indexPrefix);
});

const titled = (ids: readonly number[]) => ids.map((id) => titles[id - 1] ?? "?");
const open = () => createSearch({ ...test, searchDb: test.db, clock: systemClock });

describe("the engine", () => {
  it.each([
    ["航海士 3巻", ["航海士 3巻", "航海士 第3巻 特装版"]],
    ["航海士 3", ["航海士 3巻", "航海士 第3巻 特装版"]],
    ["航海士13巻", ["航海士 13巻"]],
    ['"23巻"', ["航海士 1〜23巻セット", "航海士 第23巻"]],
  ])("finds by the number in %s no longer one", async (q, expected) => {
    const { ids } = await open().search({ q, match: "all", page: 1, perPage: 20 });
    expect(titled(ids).toSorted()).toEqual(expected);
  });

  it("marks what it found in the title as it is", async () => {
    const { titles: marked } = await open().search({
      q: "13巻",
      match: "all",
      page: 1,
      perPage: 1,
    });
    expect([...marked.values()].map((title) => title.replaceAll(/[\uE000\uE001]/g, "|"))).toEqual([
      "航海士 |13||巻|",
    ]);
  });
});
