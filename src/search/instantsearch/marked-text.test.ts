import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { highlightClose, highlightOpen, normalise } from "../index/normalise.ts";
import { alignText, cutMark, toMarkedText } from "./marked-text.ts";

const mark = (text: string) => text.replaceAll("[", highlightOpen).replaceAll("]", highlightClose);

/** What is shown, with the matches in brackets again. */
function shown(original: string, engineText: string): string | null {
  const marked = toMarkedText(original, engineText);
  if (!marked) return null;
  const parts = marked.parts.map(({ text, isMatch }) => (isMatch ? `[${text}]` : text));
  return `${marked.cutBefore ? "…" : ""}${parts.join("")}${marked.cutAfter ? "…" : ""}`;
}

describe("texts that the engine marked", () => {
  it.each([
    ["革の財布", "革の[財布]", "革の[財布]"],
    ["ﾋﾟｱｽ　金", "[ピアス] 金", "[ﾋﾟｱｽ]　金"],
    ["髙橋の１００％ウール", "[高橋]の[100]%ウール", "[髙橋]の[１００]％ウール"],
    ["㍿です", "[株式会社]です", "[㍿]です"],
    ["  a\r\n\tb ", "a [b]", "a\r\n\t[b]"],
    ["か\u3099く", "[が]く", "[か\u3099]く"],
    ["Lego® City", "[Lego] City", "[Lego®] City"],
    ["Post-it®ノート", "Post-it [ノート]", "Post-it®[ノート]"],
    ["3½”", '[3] 1/2"', "[3]½”"],
    ["葛\u{E0100}餅", "[葛餅]", "[葛\u{E0100}餅]"],
  ])("%s: matches are shown in the shop's own spelling", (original, engineText, expected) => {
    expect(shown(original, mark(engineText))).toBe(expected);
  });

  it("shows the part that the engine left of a text", () => {
    const cropped = `${cutMark}${mark("[ピアス] 金")}${cutMark}`;
    expect(shown("銀のﾋﾟｱｽ　金のﾋﾟｱｽ", cropped)).toBe("…[ﾋﾟｱｽ]　金…");
  });

  it("has no marks for a text that the engine does not have", () => {
    expect(shown("青い財布", mark("革の[財布]"))).toBeNull();
  });

  it("finds the place of every character of any text's normal form", () => {
    const unit = fc.constantFrom(
      ...Array.from("aＡ ｶﾞか\u3099㍿\u200B\t\n①髙𠮷ーｰ-—é😀\u0301ﾊﾟ１％一"),
    );
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit })), (text) => {
        const { normal, startOf } = alignText(text);
        expect(normal).toBe(normalise(text));
        const starts = Array.from({ length: normal.length + 1 }, (_, i) => startOf(i));
        expect(starts).toEqual(starts.toSorted((a, b) => a - b));
      }),
    );
  });
});
