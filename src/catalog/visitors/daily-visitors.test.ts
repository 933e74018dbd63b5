import { describe, expect, it } from "vitest";
import { createTestClock } from "../../../test/support/clock.ts";
import { createDailyVisitors } from "./daily-visitors.ts";

const dayMs = 86_400_000;

describe("visitors of a day", () => {
  it("are counted once a day for each of their words", async () => {
    const clock = createTestClock();
    const isNew = createDailyVisitors(clock);
    const count = () =>
      [
        ["192.0.2.1", "燭台"],
        ["192.0.2.1", "燭台"],
        ["192.0.2.2", "燭台"],
        ["192.0.2.1", "行灯"],
      ].map(([visitor = "", words = ""]) => isNew(visitor, words));
    expect(count()).toEqual([true, false, true, true]);
    expect(count()).toEqual([false, false, false, false]);
    await clock.advance(dayMs);
    expect(count()).toEqual([true, false, true, true]);
  });

  it("a flood by one does not use up the bound for the others", () => {
    const isNew = createDailyVisitors(createTestClock());
    const flood = Array.from({ length: 60_000 }, (_, i) => isNew("192.0.2.1", `flood ${i}`));
    expect(flood.filter(Boolean)).toHaveLength(100);
    expect(isNew("192.0.2.2", "燭台")).toBe(true);
  });

  it("are remembered up to a bound, whoever floods", () => {
    const isNew = createDailyVisitors(createTestClock());
    const flood = Array.from({ length: 51_000 }, (_, i) => isNew(`visitor ${i}`, "燭台"));
    expect(flood.filter(Boolean)).toHaveLength(50_000);
  });
});
