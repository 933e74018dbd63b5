import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { bounds, isBeyond, judge, toSummary } from "./verdict.ts";
import type { Kind, Row } from "./report.ts";

/** Times as long, without waiting for pages, and times as many pages. */
const grown = (time: number, inMemory = time, pages = 1): Row["growth"] => ({
  time,
  inMemory,
  pages,
});
const cost = (p50Ms: number, p95Ms = p50Ms): Row["sizes"][number] => ({
  p50Ms,
  p95Ms,
  inMemoryMs: p50Ms,
  waitedP95Ms: 3,
  times: 5,
  pages: 10,
});
const row = (kind: Kind, p50: [number, number], p95Ms = p50[1]): Row => ({
  place: "catalog/a.ts read",
  statement: "select a from b",
  from: "/v1/a",
  kind,
  sizes: [cost(p50[0]), cost(p50[1], p95Ms)],
  growth: grown(p50[1] / p50[0]),
  nodes: [],
});
const known = { "catalog/a.ts read": "a hundred rows" };

describe("the verdict of kurabe bench scale", () => {
  it("lets no statement of a request, the crawl or the mirror take more than twice as long", () => {
    for (const kind of ["request", "crawl", "mirror"] as const) {
      expect(isBeyond(judge(row(kind, [4, 8]), {}))).toBe(false);
      expect(isBeyond(judge(row(kind, [4, 9]), {}))).toBe(true);
    }
    expect(isBeyond(judge(row("background", [4, 900]), {}))).toBe(false);
  });

  it("does not count the time in which a statement waits for as many pages as before", () => {
    const judged = (growth: Row["growth"]) =>
      isBeyond(judge({ ...row("request", [4, 30]), growth }, {}));
    expect(judged(grown(7.5, 1.5, 2))).toBe(false);
    expect(judged(grown(7.5, 2.5, 1))).toBe(true);
    expect(judged(grown(7.5, 1.5, 3))).toBe(true);
    expect(judged(grown(1.5, 1.5, 3))).toBe(false);
  });

  it("lets none of a request take over 50 ms, and none of the background over a second", () => {
    expect(judge(row("request", [40, 45], 51), {}).faults).toEqual(["51 ms in a request"]);
    expect(judge(row("crawl", [40, 45], 51), {}).faults).toEqual([]);
    expect(isBeyond(judge(row("background", [900, 950], 1001), {}))).toBe(true);
  });

  it("names the bound of a hot statement that may, found by its place", () => {
    const bounded = judge(row("request", [4, 9]), known);
    expect(isBeyond(bounded)).toBe(false);
    expect([...toSummary([bounded])].join("\n")).toContain("a hundred rows");
    const other = { ...row("request", [4, 9]), place: "catalog/c.ts read" };
    expect(isBeyond(judge(other, known))).toBe(true);
    expect(isBeyond(judge(row("background", [1, 2000]), known))).toBe(true);
  });

  it("counts the hot statements within the rules, and lists the others", () => {
    const verdicts = [
      judge(row("request", [4, 5]), {}),
      judge(row("crawl", [4, 9]), {}),
      judge({ ...row("crawl", [4, 90]), growth: grown(22, 1, 2) }, {}),
      judge({ ...row("mirror", [1, 1]), growth: null }, {}),
      judge(row("background", [1, 100]), {}),
    ];
    const lines = [...toSummary(verdicts)];
    expect(lines).toEqual(
      expect.arrayContaining([
        "hot statements met at the smallest and the largest size: 3",
        "  at most twice as long: 1",
        "  at most twice as many pages: 3",
        "  at most twice as long, or longer for no more pages because it waits for them: 2",
        "  longest wait for a connection, p95: 3 ms",
        "background: 1",
        "beyond: 1",
      ]),
    );
  });

  it("has bounds only of files and functions that are there", () => {
    const urlOf = (file: string) => new URL(`../../${file}`, import.meta.url);
    // A place ends with `.ts` whatever its file does.
    const isThere = (file: string) => existsSync(urlOf(file)) || existsSync(urlOf(`${file}x`));
    const places = Object.keys(bounds).map((place) => place.split(" "));
    expect(places.filter(([file = ""]) => !isThere(file))).toEqual([]);
    const unknown = places.filter(
      ([file = "", name = ""]) => !readFileSync(urlOf(file), "utf8").includes(name),
    );
    expect(unknown).toEqual([]);
  });
});
