import { describe, expect, it } from "vitest";
import { toVerdict } from "./verdict.ts";

const bounds = { unsignalled: 0.9, clairvoyant: 0.95 };
const simple = { "round-robin": 0.4, oldest: 0.5, "oldest-fullest": 0.7, "importance-age": 0.6 };

describe("the verdict on one world", () => {
  it("says what part of the gap to true rates is closed", () => {
    const freshness = { ...simple, blind: 0.8, planner: 0.86, oracle: 0.88 };
    const verdict = toVerdict(freshness, bounds, true);
    expect(verdict).toEqual({
      bestSimple: "oldest-fullest",
      gapClosed: expect.closeTo(0.75),
      breaches: [],
    });
    const same = toVerdict({ ...freshness, planner: 0.8, oracle: 0.801 }, bounds, true);
    expect(same).toMatchObject({ gapClosed: null, breaches: [] });
  });

  it("names everything that does not hold", () => {
    const low = { ...simple, blind: 0.7, planner: 0.69, oracle: 0.8 };
    expect(toVerdict(low, bounds, true).breaches).toEqual([
      "a simple policy wins by 0.010",
      "gap open by 0.110",
    ]);
    expect(toVerdict(low, bounds, false).breaches).toContain("traits lose by 0.010");
    const high = { ...simple, blind: 0.97, planner: 0.97, oracle: 0.9 };
    expect(toVerdict(high, bounds, null).breaches).toEqual([
      "true rates are below by 0.070",
      "above the bound by 0.020",
    ]);
  });
});
