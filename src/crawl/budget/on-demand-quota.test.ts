import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reservedNow, splitBudget, type SplitState } from "./on-demand-quota.ts";

const fraction = fc.double({ min: 0, max: 1, noNaN: true });

const day: fc.Arbitrary<SplitState> = fc
  .record({
    limit: fc.integer({ min: 1, max: 20_000 }),
    share: fraction,
    dayFraction: fraction,
    openFraction: fraction,
  })
  .chain((fixed) =>
    fc.integer({ min: 0, max: fixed.limit }).chain((used) =>
      fc.integer({ min: 0, max: used }).map((usedOnDemand) => ({
        ...fixed,
        used,
        usedOnDemand,
        remaining: fixed.limit - used,
      })),
    ),
  );

describe("the quota kept for refresh on demand", () => {
  it("is whole in the morning, half of it at noon, and nothing at midnight", () => {
    const quota = (dayFraction: number) =>
      reservedNow({ limit: 10_000, share: 0.05, usedOnDemand: 0, dayFraction });
    expect([0, 0.5, 1].map(quota)).toEqual([500, 250, 0]);
  });

  it("spent at an even pace, lasts the whole day", () => {
    for (const dayFraction of [0, 0.25, 0.5, 0.75]) {
      const state = { limit: 10_000, share: 0.05, usedOnDemand: 500 * dayFraction, dayFraction };
      expect(reservedNow(state)).toBe(500 * (1 - dayFraction));
    }
  });

  it("is never more than what was set aside, nor than what of it is unspent", () => {
    fc.assert(
      fc.property(day, (state) => {
        const reserved = reservedNow(state);
        expect(Number.isInteger(reserved)).toBe(true);
        expect(reserved).toBeGreaterThanOrEqual(0);
        expect(reserved).toBeLessThanOrEqual(
          Math.max(0, state.limit * state.share - state.usedOnDemand),
        );
      }),
    );
  });

  it("only shrinks as the day passes and as it is spent", () => {
    fc.assert(
      fc.property(day, fraction, fc.nat(100), (state, later, more) => {
        const dayFraction = Math.max(state.dayFraction, later);
        const next = { ...state, dayFraction, usedOnDemand: state.usedOnDemand + more };
        expect(reservedNow(next)).toBeLessThanOrEqual(reservedNow(state));
      }),
    );
  });
});

describe("what remains of the day", () => {
  it("is divided without exceeding it, and none of it is lost", () => {
    fc.assert(
      fc.property(day, (state) => {
        const { ordinary, onDemand } = splitBudget(state);
        for (const part of [ordinary, onDemand]) {
          expect(part).toBeGreaterThanOrEqual(0);
          expect(part).toBeLessThanOrEqual(state.remaining);
        }
        expect(ordinary + Math.min(state.remaining, reservedNow(state))).toBe(state.remaining);
      }),
    );
  });

  it("gives refresh on demand no more than its quota and what is free", () => {
    fc.assert(
      fc.property(day, (state) => {
        const due = state.limit * Math.min(state.dayFraction, state.openFraction);
        const free = Math.max(0, Math.floor(due) - state.used);
        const most = Math.max(1, reservedNow(state) + free);
        expect(splitBudget(state).onDemand).toBeLessThanOrEqual(most);
      }),
    );
  });

  it("gives refresh on demand one call of a small day, whatever its share of it, but not the only one", () => {
    const onDemand = (change: Partial<SplitState>) => {
      const noon = { dayFraction: 0.5, openFraction: 0.5 };
      const state = { limit: 11, share: 0.05, used: 5, usedOnDemand: 0, ...noon, ...change };
      return splitBudget({ ...state, remaining: state.limit - state.used }).onDemand;
    };
    expect(onDemand({})).toBe(1);
    expect(onDemand({ limit: 2, used: 1 })).toBe(1);
    expect(onDemand({ usedOnDemand: 1 })).toBe(0);
    expect(onDemand({ used: 11 })).toBe(0);
    expect(onDemand({ share: 0 })).toBe(0);
    expect(onDemand({ limit: 1, used: 0 })).toBe(0);
  });

  it("all goes to the jobs at the day's end, so that the quota is not kept in vain", () => {
    fc.assert(
      fc.property(day, (state) => {
        expect(splitBudget({ ...state, dayFraction: 1 }).ordinary).toBe(state.remaining);
      }),
    );
  });

  it("has calls left for users whenever greedy jobs took all they were allowed", () => {
    const moments = fc.array(fraction, { minLength: 1, maxLength: 50 });
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 5000 }), moments, (limit, times) => {
        const share = 0.1;
        let used = 0;
        for (const dayFraction of times.toSorted((a, b) => a - b)) {
          const state = { limit, share, usedOnDemand: 0, dayFraction, openFraction: dayFraction };
          used += splitBudget({ ...state, used, remaining: limit - used }).ordinary;
          expect(splitBudget({ ...state, used, remaining: limit - used }).onDemand).toBe(
            Math.floor(limit * share * (1 - dayFraction)),
          );
        }
      }),
    );
  });
});
