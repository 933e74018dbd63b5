import { describe, expect, it } from "vitest";
import { toBurnDown } from "./burn-down.ts";

const dayStart = new Date("2026-01-01T00:00:00Z");
const at = (hours: number) => new Date(dayStart.getTime() + hours * 3_600_000);
const stepMs = 600_000;
const budget = { limit: 2400, used: 600, remaining: 1800, resetsAt: at(24) };
const steady = Array.from({ length: 36 }, (_, i) => ({ at: at(i / 6), calls: 17 }));

function burnDown(over: Partial<Parameters<typeof toBurnDown>[0]> = {}) {
  return toBurnDown({
    budget,
    dayStart,
    now: at(6),
    spending: steady,
    stepMs,
    isStopped: false,
    windows: [{ from: -Infinity, until: Infinity }],
    ...over,
  });
}

describe("the day's calls", () => {
  it("fall from what the day began with to what is left now", () => {
    const { left } = burnDown();
    expect(left[0]).toEqual({ at: dayStart, calls: 2400 });
    expect(left.at(-1)).toEqual({ at: at(6), calls: 1800 });
    const counts = left.map(({ calls }) => calls);
    expect(counts).toEqual(counts.toSorted((a, b) => b - a));
  });

  it("begin with the limit at most, though calls were made since it was read", () => {
    const { left } = burnDown({ spending: [{ at: at(5), calls: 601 }] });
    expect(left.map(({ calls }) => calls)).toEqual([2400, 2400, 1800, 1800]);
  });

  it("stay level while nothing is spent", () => {
    const { left } = burnDown({ spending: [{ at: at(1), calls: 600 }] });
    expect(left).toEqual([
      { at: dayStart, calls: 2400 },
      { at: at(1), calls: 2400 },
      { at: at(1 + 1 / 6), calls: 1800 },
      { at: at(6), calls: 1800 },
    ]);
  });

  it("are ahead of an even pace or behind it", () => {
    expect(burnDown().ahead).toBe(0);
    expect(burnDown({ budget: { ...budget, used: 700, remaining: 1700 } }).ahead).toBe(100);
    expect(burnDown({ now: at(12) }).ahead).toBe(-600);
  });
});

describe("a day with windows", () => {
  const span = (from: number, until: number) => ({
    from: at(from).getTime(),
    until: at(until).getTime(),
  });
  const windows = [span(-1, 1), span(20, 21), span(22, 26)];

  it("has its even pace in the windows", () => {
    const { evenPace } = burnDown({ windows });
    expect([0, 0.5, 1, 20, 20.5, 21, 23, 24].map((hour) => evenPace(at(hour)))).toEqual([
      2400, 2100, 1800, 1800, 1500, 1200, 600, 0,
    ]);
    expect(burnDown({ windows }).ahead).toBe(0);
    expect(burnDown({ windows: [] }).evenPace(at(12))).toBe(1200);
  });

  it("is forecast by the rate in its windows", () => {
    const now = at(20.5);
    const inWindow = (calls: number) => [
      { at: at(20), calls: calls / 2 },
      { at: at(20.25), calls: calls / 2 },
    ];
    const low = burnDown({ windows, now, spending: inWindow(200) }).forecast;
    expect(low).toMatchObject({ leftAtEnd: 800, spentAt: null });
    const high = burnDown({ windows, now, spending: inWindow(600) }).forecast;
    expect(high).toMatchObject({ leftAtEnd: 0, spentAt: at(23) });
    expect(burnDown({ windows, spending: [] }).forecast).toMatchObject({
      leftAtEnd: 0,
      spentAt: null,
    });
  });
});

describe("the forecast", () => {
  it("goes on as in the last hour", () => {
    const { forecast } = burnDown();
    expect(forecast.spentAt?.getTime()).toBeCloseTo(at(6 + 1800 / 102).getTime(), -4);
    expect(forecast.leftAtEnd).toBe(0);
  });

  it("leaves calls over where the rate is low", () => {
    const slow = steady.map((step) => ({ ...step, calls: 10 }));
    expect(burnDown({ spending: slow }).forecast).toMatchObject({ leftAtEnd: 720, spentAt: null });
  });

  it("spends nothing while stopped, or before the first call", () => {
    const nothing = { leftAtEnd: 1800, spentAt: null };
    expect(burnDown({ isStopped: true }).forecast).toEqual(nothing);
    expect(burnDown({ spending: [] }).forecast).toEqual(nothing);
  });

  it("does not take a burst in the first minutes for the day's rate", () => {
    const now = at(1 / 60);
    const { forecast } = burnDown({ now, spending: [{ at: dayStart, calls: 60 }] });
    // 60 calls in the ten minutes that are looked back at least: 1,800 last five hours.
    expect(forecast.spentAt?.getTime()).toBeCloseTo(at(5 + 1 / 60).getTime(), -4);
  });
});
