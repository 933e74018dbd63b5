import { expect, it } from "vitest";
import { quantileOf } from "./quantile.ts";

it("a quantile is the least value that so many do not exceed, and 0 of nothing", () => {
  const shares = [0, 0.5, 0.51, 0.95];
  expect(shares.map((share) => quantileOf([4, 1, 3.333, 2], share))).toEqual([1, 2, 3.33, 4]);
  expect(quantileOf([], 0.5)).toBe(0);
});
