import { describe, expect, it } from "vitest";
import { createTestClock } from "../../../test/support/clock.ts";
import { clickLimits, createClickLimits } from "./daily-visitors.ts";

const dayMs = 86_400_000;

describe("repeated clicks", () => {
  it("are told by visitor and product, and forgotten with the day", async () => {
    const clock = createTestClock();
    const repetition = createClickLimits(clock);
    const clicks = (visitor: string, itemId: number, times: number) =>
      Array.from({ length: times }, () => repetition(visitor, itemId));
    const [first, ...later] = clicks("192.0.2.1", 1, clickLimits.ofProduct + 1);
    expect([first, later[0], later.at(-1)]).toEqual(["first", "again", "beyond"]);
    expect(later.filter((each) => each === "again")).toHaveLength(clickLimits.ofProduct - 1);
    expect([repetition("192.0.2.1", 2), repetition("192.0.2.2", 1)]).toEqual(["first", "first"]);
    await clock.advance(dayMs);
    expect(repetition("192.0.2.1", 1)).toBe("first");
  });

  it("on all products have a bound too, and a flood by one leaves the others theirs", () => {
    const repetition = createClickLimits(createTestClock());
    const flood = Array.from({ length: 5000 }, (_, i) => repetition("192.0.2.1", i));
    expect(flood.filter((each) => each === "first")).toHaveLength(clickLimits.ofVisitor);
    expect(repetition("192.0.2.2", 1)).toBe("first");
  });

  it("are remembered up to a bound: the oldest are forgotten, and new visitors are counted", () => {
    const repetition = createClickLimits(createTestClock());
    const visitors = Array.from({ length: 100_001 }, (_, i) => repetition(`visitor ${i}`, 1));
    expect(new Set(visitors)).toEqual(new Set(["first"]));
    expect(repetition("visitor 100000", 1)).toBe("again");
    expect(repetition("visitor 0", 1)).toBe("first");
  });
});
