import { describe, expect, it } from "vitest";
import { chartShapes } from "./chart.tsx";
import { scaleLinear, ticksAround } from "./scale.ts";
import { timeTicks } from "./time-ticks.ts";

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

describe("timeTicks", () => {
  const start = Date.parse("2026-01-01T00:00:00Z");
  const labels = (minutes: number) =>
    chartShapes.map((shape) => {
      const to = start + minutes * 60_000;
      const x = scaleLinear([start, to], [0, 900]);
      return timeTicks({ from: start, to, x, shape, lang: "en" }).map(({ text }) => text);
    });

  it("says each time once, however short the period is", () => {
    expect(labels(2)).toEqual([
      ["09:00", "09:01", "09:02"],
      ["09:00", "09:01", "09:02"],
    ]);
    expect(labels(0.2)).toEqual([["09:00"], ["09:00"]]);
  });

  it("says days of a longer one", () => {
    expect(labels(10 * 1440)[1]).toEqual(["01/01", "06/01", "11/01"]);
  });
});
