import { describe, expect, it } from "vitest";
import { createBm25, lightStem, wordTokens } from "./bm25.ts";

describe("BM25", () => {
  it("scores as the formula says", () => {
    const { find } = createBm25(["red cup", "red red plate", "blue bowl big"], wordTokens);
    // Twice in three words is better than once in two; a text without the words is absent.
    expect(find("red", 10)).toEqual([1, 0]);
    expect(find("red cup", 10)).toEqual([0, 1]);
    expect(find("green", 10)).toEqual([]);
    expect(find("red blue", 1)).toEqual([2]);
  });

  it("keeps the given order among equals", () => {
    expect(createBm25(["a b", "a c", "a d"], wordTokens).find("a", 2)).toEqual([0, 1]);
  });
});

describe("tokens", () => {
  it("are words of letters and digits, and pairs of Japanese characters", () => {
    expect(wordTokens("Red-Cup 3/4 Ｎｏ１")).toEqual(["red", "cup", "3", "4", "no1"]);
    expect(wordTokens("iPhone15ケース 革")).toEqual(["iphone15", "ケー", "ース", "革"]);
  });

  it.each([
    ["cups", "cup"],
    ["batteries", "battery"],
    ["boxes", "box"],
    ["glass", "glass"],
    ["fitting", "fit"],
    ["painted", "paint"],
    ["bed", "bed"],
    ["ceiling", "ceil"],
    ["300s", "300s"],
  ])("stem %s to %s", (token, stem) => {
    expect(lightStem(token)).toBe(stem);
  });
});
