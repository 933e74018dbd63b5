import { expect, it } from "vitest";
import { completionsOf, markWords } from "./completions.ts";

it.each([
  ["化粧水 詰替用", "化粧水", ["化粧水", "化粧水 詰替用"]],
  ["めがね拭き 5枚", "めがね", ["めがね", "めがね拭き"]],
  ["革財布 赤 大", "革財布", ["革財布", "革財布 赤"]],
  ["3つ折り財布", "つ折", []],
  ["二つ折り財布", "二つ折", ["二つ折り", "二つ折り財布"]],
  ["ワンピース からし色", "から", ["からし", "からし色"]],
  ["きれいなかばん", "きれい", ["きれい", "きれいな"]],
  ["ビルケンシュトック 26cm", "ビルケ", ["ビルケンシュトック", "ビルケンシュトック 26cm"]],
  ["吾輩は猫である", "吾輩", ["吾輩", "吾輩は猫"]],
  ["ヴーヴ・クリコ", "ヴーヴ", ["ヴーヴ", "ヴーヴ・クリコ"]],
])("%s offers for %s whole words: %j", (title, typed, offers) => {
  expect(completionsOf(markWords(title, [typed]))).toEqual(offers);
});

it.each([
  ["Gießkanne verzinkt", "gies", "Gießkanne"],
  ["Weiße Gießkanne", "gießk", "Gießkanne"],
  ["Bœuf séché", "sech", "séché"],
  ["Ærø Ölfilter", "olf", "Ölfilter"],
])("%s completes %s, whose letters are not those of the title", (title, typed, completion) => {
  expect(completionsOf(markWords(title, [typed]))).toContain(completion);
});
