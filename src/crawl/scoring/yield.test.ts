import { expect, it } from "vitest";
import { addBumped, changedShare } from "./yield.ts";

/** The share after so many pages of 50, each with so many that have changed. */
function shareAfter(pages: number, changed: number): number {
  let bumped = { all: 0, changed: 0 };
  for (let page = 0; page < pages; page += 1) bumped = addBumped({ bumped }, { all: 50, changed });
  return changedShare({ bumped });
}

it("products with a new `modified` count as changed unless most of their list are seen not to be", () => {
  expect(changedShare({})).toBe(1);
  expect(shareAfter(20, 50)).toBe(1);
  expect(shareAfter(20, 30)).toBe(1);
  expect(shareAfter(20, 5)).toBeCloseTo(0.1, 2);
  const none = shareAfter(20, 0);
  expect(none).toBeGreaterThan(0);
  expect(none).toBeLessThan(0.01);
});
