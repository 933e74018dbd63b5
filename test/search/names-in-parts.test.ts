import { expect, it } from "vitest";
import { page, titledSearchForAll } from "../support/titled-search.ts";

const titles = [
  "ノート A5 5冊",
  "ノート A6 5冊",
  "1Q84 BOOK1 前編",
  "1Q84 BOOK 2",
  "GoPro HERO12 Black",
  "ハリー・ポッターと賢者の石",
  "ハリーポッターと秘密の部屋",
  "ル・クルーゼ ココット 20cm",
  "ワンピース 全108巻 完結セット",
  "ワンピース 完全版 3巻",
  "SLAM DUNK 全31巻",
  "SLAM DUNK 31",
];

const { openBoth } = titledSearchForAll(titles);

it.each([
  ["ノート a5 5冊", ["ノート A5 5冊"]],
  ["1q84 book1", ["1Q84 BOOK1 前編"]],
  ["ハリーポッター 賢者の石", ["ハリー・ポッターと賢者の石"]],
  ["ハリーポッター", ["ハリー・ポッターと賢者の石", "ハリーポッターと秘密の部屋"]],
  ["ルクルーゼ 20cm", ["ル・クルーゼ ココット 20cm"]],
  ["ワンピース 全巻", ["ワンピース 全108巻 完結セット"]],
])("%s finds the same with the engine and without", async (q, expected) => {
  for (const search of openBoth()) {
    const { ids, found } = await search({ q, match: "all", ...page });
    expect(new Set(ids.map((id) => titles[id - 1]))).toEqual(new Set(expected));
    expect(found).toBe(expected.length);
  }
});

it.each([
  ["gopro12", "GoPro HERO12 Black"],
  ["スラムダンク 全巻", "SLAM DUNK 全31巻"],
])("%s shows %s first", async (q, title) => {
  for (const search of openBoth()) {
    const { ids } = await search({ q, ...page });
    expect(titles[(ids[0] ?? 0) - 1]).toBe(title);
  }
});
