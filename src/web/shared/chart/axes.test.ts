import { describe, expect, it } from "vitest";
import { ticksAround } from "./axes.ts";
import { chartShapes, leftOf, timeTicks } from "./chart.tsx";

describe("ticksAround", () => {
  it.each([
    [4200, 4200, [4000, 4200, 4400]],
    [4200, 4201, [4000, 4200, 4400]],
    [100, 100, [95, 100, 105]],
    [1, 1, [0, 1, 2]],
    [300, 15_250, [0, 5000, 10_000, 15_000, 20_000]],
  ])("encloses %d to %d by %j", (low, high, ticks) => {
    expect(ticksAround(low, high, 4)).toEqual(ticks);
  });
});

describe("leftOf", () => {
  it("leaves room for values of ten digits, and no more than usual for short ones", () => {
    expect(leftOf([{ text: "¥0" }, { text: "¥150,000" }])).toBe(66);
    // Digits are 7 px wide, commas 3.5, and the text ends 8 px before the line.
    expect(leftOf([{ text: "¥9,999,999,999" }])).toBeGreaterThan(11 * 7 + 3 * 3.5 + 8);
  });
});

describe("timeTicks", () => {
  const start = Date.parse("2026-01-01T00:00:00Z");
  const labels = (minutes: number) =>
    chartShapes.map((shape) => {
      const to = start + minutes * 60_000;
      return timeTicks({ from: start, to, shape, lang: "en" }).map(({ text }) => text);
    });

  it("says each time once, however short the period is", () => {
    expect(labels(2)).toEqual([
      ["09:00", "09:01", "09:02"],
      ["09:00", "09:01", "09:02"],
    ]);
    expect(labels(0.2)).toEqual([["09:00"], ["09:00"]]);
  });

  it("says years of one that is longer than any", () => {
    expect(labels(900 * 1440)[1]).toEqual(["01/2026", "03/2027", "06/2028"]);
  });

  it("says days of a longer one", () => {
    expect(labels(10 * 1440)[1]).toEqual(["01/01", "06/01", "11/01"]);
  });
});
