import { describe, expect, it } from "vitest";
import { compoundParts } from "./compound-parts.ts";

describe("compoundParts", () => {
  it.each([
    ["手作り万年筆ケース", ["手作り", "手作り万年筆", "万年筆", "万年筆ケース", "ケース"]],
    ["ウール100%のマフラー", ["ウール", "ウール100", "マフラー"]],
    ["帆布 トートバッグ A4", []],
    ["バファリン 40錠", ["40錠"]],
    ["「万年筆」", ["万年筆"]],
    ["Leather wallet", []],
  ])("of %s are %j", (text, parts) => {
    expect(compoundParts(text, 64)).toEqual(parts);
  });

  it("are no more than asked for", () => {
    expect(compoundParts("手作り万年筆ケース", 3)).toHaveLength(3);
  });
});
