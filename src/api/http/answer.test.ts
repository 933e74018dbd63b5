import { describe, expect, it } from "vitest";
import { acceptedCoding, etagOf, matchesEtag } from "./answer.ts";

describe("etags", () => {
  it("compares weakly, in lists and with the star", () => {
    const etag = etagOf("body");
    expect(etag).toMatch(/^W\/"[\w-]{27}"$/);
    for (const header of [etag, etag.slice(2), "*", `"a", ${etag}`, `"a",${etag.slice(2)}`]) {
      expect([header, matchesEtag(header, etag)]).toEqual([header, true]);
    }
    for (const header of [undefined, "", '"a"', etagOf("other")]) {
      expect([header, matchesEtag(header, etag)]).toEqual([header, false]);
    }
  });
});

describe("content coding", () => {
  it.each([
    ["gzip", true],
    ["GZIP", true],
    ["br, gzip;q=0.1", true],
    ["*", true],
    ["gzip;q=0", false],
    ["*;q=0", false],
    ["gzip;q=0, *", false],
    ["identity", false],
    ["gzipped", false],
    ["", false],
    [undefined, false],
  ])("reads Accept-Encoding %j as %j", (header, expected) => {
    expect(acceptedCoding(header, ["gzip"])).toBe(expected ? "gzip" : null);
  });

  it.each([
    ["gzip, br", "br"],
    ["br;q=0.1, gzip", "br"],
    ["br;q=0.000, gzip", "gzip"],
    ["*, br;q=0", "gzip"],
    ["deflate", null],
  ])("of two codings %j takes %j", (header, expected) => {
    expect(acceptedCoding(header, ["br", "gzip"])).toBe(expected);
  });
});
