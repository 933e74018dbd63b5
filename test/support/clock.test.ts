import { describe, expect, it } from "vitest";
import { createTestClock } from "./clock.ts";

describe("the test clock", () => {
  it("stands still until told, and then passes every sleeper's moment in order", async () => {
    const clock = createTestClock("2026-01-01T00:00:00Z");
    const seen: string[] = [];
    const sleepThenSay = async (ms: number) => {
      await clock.sleep(ms);
      seen.push(clock.now().toISOString().slice(17, 23));
    };
    const sleeping = Promise.all([sleepThenSay(3000), sleepThenSay(1000), sleepThenSay(2000)]);
    expect(clock.monotonicMs()).toBe(0);
    await clock.advance(2500);
    expect(seen).toEqual(["01.000", "02.000"]);
    expect(clock.sleepers()).toBe(1);
    await clock.advance(500);
    await sleeping;
    expect(seen).toEqual(["01.000", "02.000", "03.000"]);
  });

  it("lets a loop that sleeps again and again run its every turn within one advance", async () => {
    const clock = createTestClock();
    const stopping = new AbortController();
    let turns = 0;
    const loop = (async () => {
      while (!stopping.signal.aborted) {
        await clock.sleep(100, stopping.signal);
        turns += 1;
      }
    })();
    await clock.advance(1000);
    expect(turns).toBe(10);
    stopping.abort();
    await loop;
    expect(clock.sleepers()).toBe(0);
  });

  it("P8: can set the wall clock back without turning durations back", async () => {
    const clock = createTestClock("2026-01-01T00:00:00Z");
    await clock.advance(1000);
    clock.setWall("2025-06-01T00:00:00Z");
    expect(clock.now().toISOString()).toBe("2025-06-01T00:00:00.000Z");
    expect(clock.monotonicMs()).toBe(1000);
  });
});
