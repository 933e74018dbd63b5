import { expect, it } from "vitest";
import { page, titledSearchForAll } from "../support/titled-search.ts";

const titles = [
  "Batterien AAA, 4 St",
  "Batterien AAA 4 Stück",
  "Batterien AAA 8 St",
  "Batterien AAA St. Barth",
  "マルチビタミン 120粒",
  "マルチビタミン 60粒 12本",
  "ゴルフボール 12球",
  "よなよなエール 24缶",
  "よなよなエール 24ml 日本",
  "孫悟空 人形",
  "rom&nd ティント",
];

const { openBoth } = titledSearchForAll(titles);
const four = ["Batterien AAA, 4 St", "Batterien AAA 4 Stück"];

it.each([
  ["batterien aaa 4 stück", four],
  ["batterien 4stk", four],
  ["batterien 4 pack", four],
  ["マルチビタミン 120錠", ["マルチビタミン 120粒"]],
  ["ゴルフボール 12個", ["ゴルフボール 12球"]],
  ["よなよなエール 24本", ["よなよなエール 24缶"]],
  ["悟空 人形", ["孫悟空 人形"]],
  ["romand ティント", ["rom&nd ティント"]],
])("%s finds %j, by the engine and by Postgres alone", async (q, expected) => {
  for (const search of openBoth()) {
    const { ids, partial } = await search({ q, ...page });
    const whole = ids.filter((id) => !partial.has(id)).map((id) => titles[id - 1]);
    expect(new Set(whole)).toEqual(new Set(expected));
  }
});
