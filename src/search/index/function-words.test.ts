import { expect, it } from "vitest";
import { withoutFunctionWords } from "./function-words.ts";

it.each([
  ["elbow for under $20", "elbow"],
  ["Elbow unter 20 €", "Elbow"],
  ["gourde pas cher pour vélo", "gourde vélo"],
  ["おすすめの積み木", "積み木"],
  ["積み木 1,000円以下", "積み木"],
  ["誕生日プレゼントの積み木 5千円まで", "積み木"],
  ["子供向けの自転車", "自転車"],
  ["母の日ギフト", "母の日"],
  ["お米 5kg", "米 5kg"],
  ["-安い おすすめの積み木", "-安い 積み木"],
  ['günstig "for sale" elbow', '"for sale" elbow'],
  ['günstig elbow -"for sale" -pipe', 'elbow -"for sale" -pipe'],
  ["elbow 500円-1000円", "elbow"],
  ["安い elbow -1000円", "elbow -1000円"],
  ["elbow zwischen 5 und 10 Euro", "elbow"],
  ["elbow between $10 and $20", "elbow"],
  ["積み木 1000〜2000円", "積み木"],
  ["積み木 千円以下", "積み木"],
  ["elbow höchstens 5,- €", "elbow"],
  ["elbow mehr als 5 euro", "elbow"],
  ["elbow below 30", "elbow"],
  ["国内正規品 積み木", "積み木"],
  ["未使用の積み木 送料込み", "積み木"],
  ["Schrauben original neu", "Schrauben"],
  ["free shipping elbow", "elbow"],
  // Nothing is left out, or everything.
  ["elbow below 30 cm", null],
  ["積み木 3-5", null],
  ['"elbow" -"for sale"', null],
  ["sugar-free shipping box", null],
  ["大人気の積み木", null],
  ["安納芋", null],
  ["iPhone 15 100円ショップ", "iPhone 15 ショップ"],
  ["5W-30 オイル 4L", null],
  ["おすすめ 1000円以下", null],
])("without the words that say nothing, %j is %j", (q, named) => {
  expect(withoutFunctionWords(q)).toBe(named);
});
