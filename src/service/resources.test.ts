import { describe, expect, it } from "vitest";
import { createTestClock } from "../../test/support/clock.ts";
import { silentLogger as logger } from "../lib/logger.ts";
import { repeat } from "./resources.ts";

describe("what was counted", () => {
  it("is written again and again once the database is ready, also after a failure, and at the stop", async () => {
    const clock = createTestClock();
    let isReady = false;
    let isBroken = false;
    let writes = 0;
    const stop = repeat({
      name: "clicks",
      everyMs: 1000,
      async work() {
        if (isBroken) throw new Error("the database does not answer");
        writes += 1;
      },
      runtime: { clock, logger },
      isReady: () => isReady,
    });
    await clock.advance(3500);
    expect(writes).toBe(0);
    isReady = true;
    await clock.advance(3000);
    expect(writes).toBe(3);
    isBroken = true;
    await clock.advance(60_000);
    isBroken = false;
    await clock.advance(10_000);
    expect(writes).toBeGreaterThan(3);
    const before = writes;
    await stop();
    expect(writes).toBe(before + 1);
    await clock.advance(10_000);
    expect(writes).toBe(before + 1);
  });
});
