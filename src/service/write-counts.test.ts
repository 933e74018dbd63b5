import { describe, expect, it } from "vitest";
import { createTestClock } from "../../test/support/clock.ts";
import { createLogger } from "../lib/logger.ts";
import { writeCounts } from "./write-counts.ts";

describe("what was counted", () => {
  it("is written again and again once the database is ready, also after a failure, and at the stop", async () => {
    const clock = createTestClock();
    const logger = createLogger({ level: "silent", format: "json" });
    let isReady = false;
    let isBroken = false;
    let writes = 0;
    const buffer = {
      async flush() {
        if (isBroken) throw new Error("the database does not answer");
        writes += 1;
      },
    };
    const writing = { name: "clicks", buffer, everyMs: 1000, isReady: () => isReady };
    const stop = writeCounts(writing, { clock, logger });
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
