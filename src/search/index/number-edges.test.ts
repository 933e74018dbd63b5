import { expect, it } from "vitest";
import { withNumbersApart, withNumbersJoined } from "./number-edges.ts";

it.each([
  ["蒼の航海士 第13巻", "蒼の航海士 第\t13\t巻"],
  ["ウール100%の1.5リットル鍋", "ウール\t100%の\t1.5\tリットル鍋"],
  ["iPhone15用", "iPhone15\t用"],
  ["3/4 in. 24cm 十二巻", "3/4 in. 24cm 十二巻"],
])("parts the numbers of %s from Japanese", (text, parted) => {
  expect(withNumbersApart(text)).toBe(parted);
});

it("joins them again in the texts and the positions of a hit", () => {
  const title = withNumbersApart("航海士 第3巻 2冊");
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
    title: "航海士 第3巻 2冊",
    _formatted: { title: "航海士 第<3巻> 2冊" },
    _matchesPosition: {
      title: [
        { start: 13, length: 4 },
        { start: 19, length: 3 },
      ],
    },
  });
});
