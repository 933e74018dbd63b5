import { expect, it } from "vitest";
import { ofShop } from "./text-language.tsx";

it.each([
  ["牛革の長財布 L", "ja", undefined],
  ["牛革の長財布 L", "en", "ja"],
  ["ﾀｵﾙ", "en", "ja"],
  ["Leather wallet", "ja", "en"],
  ["Leather wallet", "en", undefined],
  ["12 × 3", "ja", undefined],
  ["M 2026", "ja", undefined],
  ["", "en", undefined],
] as const)("the language of %j on a page in %s is marked as %s", (text, lang, marked) => {
  expect(ofShop(text, { lang })).toEqual(
    marked === undefined ? { dir: "auto" } : { dir: "auto", lang: marked },
  );
});
