import { expect, it } from "vitest";
import { numberMarkedBy, volumeForms, withMarksApart } from "./volumes.ts";

it.each([
  ["航海士 第3巻", ["第3巻 vol 3"]],
  ["航海士 Vol. 3 初版", ["第3巻 vol 3"]],
  ["Drachenreiter (Bd.12)", ["第12巻 vol 12"]],
  ["航海士(3) コミック", ["第3巻 vol 3"]],
  ["航海士3 【初版】", ["第3巻 vol 3"]],
  ["航海士 全23巻 1〜23巻セット", []],
  ["iPhone 15 ケース 100均 1.5", []],
])("names the volumes of %s", (title, forms) => {
  expect(volumeForms(title)).toEqual(forms);
});

it("parts marks from their numbers", () => {
  expect(withMarksApart("vol.3 vol12 bd.4 armband3 vol a")).toBe(
    "vol 3 vol 12 bd 4 armband3 vol a",
  );
});

it.each([
  ["巻", "3", [], ["3"]],
  ["巻", "十二", [], ["十二"]],
  ["巻", "毛糸", [], []],
  ["第", "広辞苑", ["7", "版"], ["7"]],
  ["第", "", ["一歩"], []],
  ["band", "", ["3"], ["3"]],
  ["band", "satin", ["25", "mm"], []],
  ["財布", "2", ["3"], []],
])("%s behind %s and before %j marks %j", (word, before, after, numbers) => {
  expect(numberMarkedBy(word, before, after)).toEqual(numbers);
});
