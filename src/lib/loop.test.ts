import { describe, expect, it } from "vitest";
import { createTestClock } from "../../test/support/clock.ts";
import { runLoop, createLoopWatch } from "./loop.ts";
import { silentLogger as logger } from "./logger.ts";

const boundMs = 60_000;

/** A loop with this step, and what its watch says. */
function watchedLoop(step: (turn: number) => Promise<number>) {
  const clock = createTestClock();
  const watch = createLoopWatch(clock);
  const stopping = new AbortController();
  const { signal } = stopping;
  let turn = 0;
  const running = runLoop({
    name: "mirror",
    clock,
    logger,
    signal,
    watch,
    boundMs,
    step: () => step((turn += 1)),
  });
  const stop = async () => {
    stopping.abort();
    await running;
  };
  return { clock, watch, stop };
}

describe("the watch of loops", () => {
  it("names a loop whose step never ends, for as long as it hangs, and says since when", async () => {
    const { clock, watch } = watchedLoop((turn) =>
      turn < 3 ? Promise.resolve(1000) : new Promise<number>(() => {}),
    );
    await clock.advance(2000 + boundMs);
    expect(watch.hanging()).toEqual([]);
    await clock.advance(1);
    expect(watch.hanging()).toEqual(["mirror"]);
    await clock.advance(24 * boundMs);
    expect(watch.hanging()).toEqual(["mirror"]);
    expect(watch.sinceTurn()).toEqual(new Map([["mirror", 25 * boundMs + 1]]));
  });

  it("forgives a loop that hung once and turns again", async () => {
    let open = (_pauseMs: number) => {};
    const { clock, watch, stop } = watchedLoop((turn) =>
      turn === 1 ? new Promise<number>((resolve) => (open = resolve)) : Promise.resolve(1000),
    );
    await clock.advance(boundMs + 1);
    expect(watch.hanging()).toEqual(["mirror"]);
    open(0);
    await clock.advance(1000);
    expect(watch.hanging()).toEqual([]);
    await stop();
    expect(watch.sinceTurn()).toEqual(new Map());
  });

  it("names nobody while every step fails, however long", async () => {
    const { clock, watch, stop } = watchedLoop(() => Promise.reject(new Error("is away")));
    for (let minutes = 0; minutes < 60; minutes += 1) {
      await clock.advance(60_000);
      expect(watch.hanging()).toEqual([]);
    }
    await stop();
  });

  it("of several loops with one name, sees the one that hangs beside those that turn", async () => {
    const clock = createTestClock();
    const watch = createLoopWatch(clock);
    const [hangs, turns] = [watch.begin("crawl", boundMs), watch.begin("crawl", boundMs)];
    await clock.advance(boundMs);
    turns.turned();
    await clock.advance(1);
    expect(watch.hanging()).toEqual(["crawl"]);
    // Both wait for the database, which is no hang.
    watch.waits("crawl");
    expect(watch.hanging()).toEqual([]);
    hangs.ended();
    turns.ended();
  });
});
