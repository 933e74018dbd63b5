import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { filterKeysOf, fromFacetKey, isWholeFacetKey, toFacetKey } from "./facet-key.ts";

describe("facet keys", () => {
  it("leave the usual names of shops as they are", () => {
    expect(toFacetKey("shop-1")).toBe("shop-1");
  });

  it("tell apart what the engine folds together, and still show the name", () => {
    const names = ["bag", "BAG", "Bag", "ｂａｇ", "バッグ", "ﾊﾞｯｸﾞ", "cafe", "café"];
    const folded = names.map((name) =>
      toFacetKey(name).normalize("NFKD").replaceAll(/\p{M}/gu, ""),
    );
    expect(new Set(folded.map((key) => key.toLowerCase())).size).toBe(names.length);
    for (const name of names) expect(fromFacetKey(toFacetKey(name))).toBe(name);
  });

  it("tell whether the name they show is all of it", () => {
    for (const name of ["bag", "hand bag", "バッグ", "x".repeat(120)])
      expect(isWholeFacetKey(toFacetKey(name))).toBe(true);
    for (const name of ["バ".repeat(121), "a\tb"])
      expect(isWholeFacetKey(toFacetKey(name))).toBe(false);
  });

  it("of filters are also those of an index from before, which is searched until it is replaced", () => {
    expect(filterKeysOf("shop-1")).toEqual(["shop-1"]);
    expect(filterKeysOf("バッグ")).toEqual([toFacetKey("バッグ"), "バッグ\u001F260199fd8ccc"]);
  });

  it("are bounded and well-formed for any name", () => {
    const anyName = fc
      .array(fc.nat(0xffff), { maxLength: 400 })
      .map((units) => String.fromCharCode(...units));
    fc.assert(
      fc.property(anyName, (name) => {
        const key = toFacetKey(name);
        expect(Buffer.byteLength(key)).toBeLessThanOrEqual(400);
        expect(key.isWellFormed()).toBe(true);
      }),
    );
  });
});
