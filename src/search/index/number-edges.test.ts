import { expect, it } from "vitest";
import { partsOfDecimals, withNumbersApart, withNumbersJoined } from "./number-edges.ts";

it.each([
  ["蒼の航海士 第13巻", "蒼の航海士 第\t13\t巻"],
  ["ウール100%の1.5リットル鍋", "ウール\t100%の\t1ↄ5\tリットル鍋"],
  ["iPhone15用", "iPhone15\t用"],
  ["3/4 in. 24cm 十二巻", "3/4 in. 24cm 十二巻"],
])("parts the numbers of %s from Japanese", (text, parted) => {
  expect(withNumbersApart(text)).toBe(parted);
});

it.each([
  ["1.5 l, 1,5l und 13,5 ml", "1ↄ5 l, 1Ↄ5\tl und 13Ↄ5 ml"],
  ["USB3.2 M3×1.5", "USB\t3ↄ2 M3×1ↄ5"],
  ["3.5%, 0,5.", "3ↄ5%, 0Ↄ5."],
  ["1,2巻 3,4 歳", "1,2\t巻 3,4 歳"],
  ["3.0 2023.12.31 38,39,40 1,000 12.75 .5 1.500", "3.0 2023.12.31 38,39,40 1,000 12.75 .5 1.500"],
])("makes one word of each decimal number in %s", (text, parted) => {
  expect(withNumbersApart(text)).toBe(parted);
  expect(withNumbersApart(parted)).toBe(parted);
});

it.each([
  ["USB3.2 ケーブル", ["3"]],
  ["Teile 3,4 weiß", ["3", "4"]],
  ["1,5l 3.5% 0.5 kg 1.5リットル", []],
])("knows the parts of what may be no decimal number in %s", (text, parts) => {
  expect(partsOfDecimals(text)).toEqual(parts);
});

it("joins them again in the texts and the positions of a hit", () => {
  const title = withNumbersApart("航海士 1.5 第3巻 2冊");
  const at = (part: string) => Buffer.byteLength(title.slice(0, title.indexOf(part)));
  const marked = title.replace("3\t巻", "<3\t巻>");
  const hit = {
    id: 1,
    title,
    _formatted: { title: marked },
    _matchesPosition: {
      title: [
        { start: at("3"), length: Buffer.byteLength("3\t巻") },
        { start: at("冊"), length: 3 },
      ],
    },
  };
  expect(withNumbersJoined(hit)).toEqual({
    id: 1,
    title: "航海士 1.5 第3巻 2冊",
    _formatted: { title: "航海士 1.5 第<3巻> 2冊" },
    _matchesPosition: {
      title: [
        { start: 17, length: 4 },
        { start: 23, length: 3 },
      ],
    },
  });
});
