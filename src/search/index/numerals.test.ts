import { expect, it } from "vitest";
import { inDigits, inKanji, otherNumber, positionIn } from "./numerals.ts";

it.each([
  ["二段", "2段"],
  ["十枚", "10枚"],
  ["十二色", "12色"],
  ["二十本", "20本"],
  ["九十九里", "99里"],
  ["二〇二五年", "2025年"],
  ["赤", "赤"],
])("writes %s in digits", (counted, digits) => {
  expect(inDigits(counted)).toBe(digits);
});

it("writes numbers below 100 in kanji, and reads them again", () => {
  for (let number = 1; number < 100; number += 1) {
    expect(inDigits(inKanji(`${number}段`))).toBe(`${number}段`);
  }
  for (const other of ["100枚", "0番", "段"]) expect(inKanji(other)).toBe(other);
});

it.each([
  ["十二", ["12"]],
  ["12", ["十二"]],
  ["一郎", []],
  ["b5", []],
  ["", []],
])("gives the other form of %s alone", (text, others) => {
  expect(otherNumber(text)).toEqual(others);
});

it.each([
  ["航海士 13巻 3巻", "3巻", 8],
  ["航海士 13巻", "3巻", -1],
  ["第十三巻", "三巻", -1],
  ["第三巻", "三巻", 1],
  ["乾電池", "電池", 1],
])("finds in %s the whole number %s at %d", (text, form, at) => {
  expect(positionIn(text, form)).toBe(at);
});
