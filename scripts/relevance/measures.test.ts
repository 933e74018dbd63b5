import { describe, expect, it } from "vitest";
import { gains, meanOf, ndcgOf, recallOf, toTable } from "./measures.ts";

describe("measures of a result", () => {
  it("NDCG@10 compares the gain found, less at each rank, with the best order", () => {
    expect(ndcgOf([3, 2, 1], [1, 2, 3])).toBe(1);
    expect(ndcgOf([0, 3], [3])).toBeCloseTo(1 / Math.log2(3), 10);
    expect(ndcgOf([1, 3], [3, 1])).toBeCloseTo((1 + 7 / Math.log2(3)) / (7 + 1 / Math.log2(3)), 10);
    expect(ndcgOf([1, 3], [3, 1], gains.linear)).toBeCloseTo(
      (1 + 3 / Math.log2(3)) / (3 + 1 / Math.log2(3)),
      10,
    );
    expect(ndcgOf([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3], [3])).toBe(0);
  });

  it("recall counts right products, whatever their grade", () => {
    expect(recallOf([0, 3, 1, 0], [3, 2, 1, 0])).toBeCloseTo(2 / 3, 10);
  });

  it("the mean of nothing is 0", () => {
    expect(meanOf([])).toBe(0);
  });

  it("a table's columns line up", () => {
    expect(
      toTable([
        ["kind", "n"],
        ["a", "10"],
      ]),
    ).toBe("kind   n\na     10");
  });
});
