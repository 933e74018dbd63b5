import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nextSmoothCallAt } from "../../crawl/start-call.ts";
import { createLedger } from "./ledger.ts";

describe("the simulated ledger", () => {
  it("never lets a day exceed its budget, or what the upstream allows", () => {
    const limits = fc.integer({ min: 1, max: 60 });
    fc.assert(
      fc.property(
        limits,
        limits,
        fc.integer({ min: 0, max: 15 }),
        (callsPerDay, allowed, sixteenths) => {
          const dayStart = sixteenths / 16;
          const ledger = createLedger({ callsPerDay, dayStart, refusedFrom: allowed });
          const taken = new Map<number, number>();
          let now = dayStart;
          for (let step = 0; step < 400; step += 1) {
            now = ledger.nextAt(now);
            const day = Math.floor(now - dayStart);
            if (ledger.take(now)) taken.set(day, (taken.get(day) ?? 0) + 1);
          }
          expect(Math.max(...taken.values())).toBeLessThanOrEqual(Math.min(callsPerDay, allowed));
        },
      ),
    );
  });

  it("spends nearly all of a day's calls, evenly", () => {
    const ledger = createLedger({ callsPerDay: 100, dayStart: 0 });
    const at: number[] = [];
    for (let now = ledger.nextAt(0); now < 0.999; now = ledger.nextAt(now)) {
      if (ledger.take(now)) at.push(now);
    }
    expect(at.length).toBe(100);
    expect(at.filter((moment) => moment < 0.5).length).toBeGreaterThan(45);
    expect(at.filter((moment) => moment < 0.5).length).toBeLessThan(55);
  });

  it("wakes when the crawl's own pace lets a call go, and no sooner", () => {
    const day = 86_400_000;
    const ledger = createLedger({ callsPerDay: 24, dayStart: 0 });
    ledger.take(0.1);
    const next = ledger.nextAt(0.1) * day;
    const dueAt = (atMs: number) =>
      nextSmoothCallAt({
        now: new Date(atMs),
        resetsAt: new Date(day),
        remaining: 23,
        lastCallAt: new Date(0.1 * day),
      }).getTime();
    expect(dueAt(next + 10)).toBeLessThanOrEqual(next + 10);
    expect(dueAt(next - 1000)).toBeGreaterThan(next - 1000);
  });
});
