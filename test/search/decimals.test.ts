import { expect, it } from "vitest";
import { highlightClose, highlightOpen } from "../../src/search/index/normalise.ts";
import { page, titledSearchForAll } from "../support/titled-search.ts";

const titles = [
  "Cola Zero 1,5l",
  "Cola Zero 1.5 l Flasche",
  "Cola Zero 0,5l 5 + 1",
  "Vollmilch 3,5% 1 l",
  "Vollmilch 0.5% 3 l",
  "USB 3.0 ケーブル",
  "USB3.2 ケーブル",
  "漫画 1,2巻",
  "シャープ芯 0.7mm",
  "シャープ芯 0.5mm 7本 0円",
  "靴下 38,39",
  "水1.5Lペットボトル",
  "Bier 0,33l",
  "充電コード 0.5m",
  "充電コード 1.5m 白",
  "充電コード 2m",
];

const { openSearch, openBoth } = titledSearchForAll(titles);

it.each([
  ["cola 1,5l", ["Cola Zero 1,5l", "Cola Zero 1.5 l Flasche"]],
  ["cola 1.5 l", ["Cola Zero 1,5l", "Cola Zero 1.5 l Flasche"]],
  ["cola 1,5", ["Cola Zero 1,5l", "Cola Zero 1.5 l Flasche"]],
  ["vollmilch 3.5%", ["Vollmilch 3,5% 1 l"]],
  ["vollmilch 3,5", ["Vollmilch 3,5% 1 l"]],
  ["usb 3", ["USB 3.0 ケーブル", "USB3.2 ケーブル"]],
  ["usb3.2", ["USB3.2 ケーブル"]],
  ["usb 3.0", ["USB 3.0 ケーブル"]],
  ["漫画 2巻", ["漫画 1,2巻"]],
  ["漫画 1,2巻", ["漫画 1,2巻"]],
  ["0.7 mm", ["シャープ芯 0.7mm"]],
  ["芯 ０．７ｍｍ", ["シャープ芯 0.7mm"]],
  ["靴下 39", ["靴下 38,39"]],
  ["水 1.5l", ["水1.5Lペットボトル"]],
  ["bier 0,", ["Bier 0,33l"]],
  ["bier 0.33", ["Bier 0,33l"]],
  ["充電コード 2m", ["充電コード 2m"]],
  ["充電コード 1m", []],
  ["充電コード 5 m", []],
  ["充電コード 1,5m", ["充電コード 1.5m 白"]],
])("%s is found as a number, by the engine and by Postgres alone", async (q, expected) => {
  for (const search of openBoth()) {
    const { ids, partial } = await search({ q, ...page });
    const whole = ids.filter((id) => !partial.has(id)).map((id) => titles[id - 1]);
    expect(new Set(whole)).toEqual(new Set(expected));
  }
});

it("is marked by the engine in the title as the shop wrote it", async () => {
  const { titles: marked } = await openSearch()({ q: "cola 1.5", ...page });
  const shown = [...marked.values()].map((title) =>
    title.replaceAll(highlightOpen, "<").replaceAll(highlightClose, ">"),
  );
  expect(shown.toSorted()).toEqual(["<Cola> Zero <1,5>l", "<Cola> Zero <1.5> l Flasche"]);
});
