import { expect, it } from "vitest";
import { createTestClock } from "../../../test/support/clock.ts";
import { createWriteRetry } from "./write-retry.ts";
import { silentLogger } from "../../lib/logger.ts";

it("tells every few seconds that it waits, for as long as the database cannot store an answer", async () => {
  const clock = createTestClock();
  let latestMs = 0;
  let longestMs = 0;
  const retry = createWriteRetry(clock, silentLogger, () => {
    longestMs = Math.max(longestMs, clock.monotonicMs() - latestMs);
    latestMs = clock.monotonicMs();
  });
  let isFull = true;
  const store = async () => {
    if (isFull) throw Object.assign(new Error("the disk is full"), { code: "53100" });
    return "stored";
  };
  const stored = retry.untilStored(store, new AbortController().signal);
  await clock.advance(3_600_000);
  expect(retry.isRetrying()).toBe(true);
  expect(longestMs).toBeLessThan(10_000);
  expect(clock.monotonicMs() - latestMs).toBeLessThan(10_000);
  isFull = false;
  await clock.advance(10_000);
  expect(await stored).toBe("stored");
  expect(retry.isRetrying()).toBe(false);
});
