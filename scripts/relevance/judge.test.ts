import { describe, expect, it } from "vitest";
import { judge, summarise, toReport } from "./judge.ts";
import type { LabelledSet } from "./read-set.ts";

const queries = ["plural", "plural", "typo", "typo"].map((kind, i) => ({
  queryId: String(i),
  query: `query ${i}`,
  kind,
}));
const set: LabelledSet = {
  products: [],
  queries,
  grades: new Map([
    [
      "0",
      new Map([
        ["a", 3],
        ["b", 1],
        ["c", 0],
      ]),
    ],
    ["1", new Map([["a", 3]])],
    ["2", new Map([["a", 3]])],
    ["3", new Map([["c", 0]])],
  ]),
};
const answers = [
  { ours: ["a", "x"], bm25: ["b"] },
  { ours: [], bm25: ["a"] },
  { ours: ["x", "a"], bm25: [] },
  { ours: ["c"], bm25: ["c"] },
];
const judged = queries.flatMap(
  (query, i) => judge(set, query, answers[i] ?? {}, "exponential") ?? [],
);

describe("judging answers by labels", () => {
  it("leaves out queries for which nothing is right", () => {
    expect(judged.map(({ query }) => query.queryId)).toEqual(["0", "1", "2"]);
  });

  it("sums up each kind of query, and all", () => {
    const summaries = summarise(judged, "ours");
    expect(summaries.map(({ kind, queries: count }) => [kind, count])).toEqual([
      ["plural", 2],
      ["typo", 1],
      ["all", 3],
    ]);
    const [plural, typo, all] = summaries;
    expect(plural?.recall).toEqual({ ours: 0.25, bm25: 0.75 });
    expect(plural?.unanswered).toEqual({ ours: 0.5, bm25: 0 });
    expect(plural?.missed).toEqual({ ours: 0, bm25: 0.5 });
    expect(typo?.ndcg.ours).toBeCloseTo(1 / Math.log2(3), 10);
    expect(all?.unanswered.bm25).toBeCloseTo(1 / 3, 10);
    expect(toReport(summaries, "ours", ["bm25"])).toContain("ours/bm25");
  });
});
