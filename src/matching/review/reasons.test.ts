import fc from "fast-check";
import { expect, it } from "vitest";
import { splitByCommonWords } from "./reasons.ts";

const differing = (title: string, other: string) =>
  splitByCommonWords(title, other).flatMap(({ text, differs }) => (differs ? [text] : []));

it("marks the words that the other title lacks, whatever their width and case", () => {
  expect(differing("Sony WH-1000XM5 黒", "ＳＯＮＹ wh-1000xm4 白")).toEqual(["1000XM5", "黒"]);
  expect(differing("りんごジュース 1.5L", "りんごジャム 1,5L")).toEqual(["ジュース"]);
  expect(differing("赤い財布", "赤い財布")).toEqual([]);
});

it("keeps every character, and marks nothing of a title beside itself", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.string(), (title, other) => {
      const parts = splitByCommonWords(title, other);
      expect(parts.map(({ text }) => text).join("")).toBe(title);
      expect(splitByCommonWords(title, title).every(({ differs }) => !differs)).toBe(true);
    }),
  );
});

it("reads a very long title at once", () => {
  const long = "a1 ".repeat(30_000);
  expect(splitByCommonWords(long, "a1")).toHaveLength(1);
});
