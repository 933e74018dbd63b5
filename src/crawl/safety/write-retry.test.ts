import { describe, expect, it } from "vitest";
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

describe("a disk that gives no block", () => {
  const fault = (code = "58030") => Object.assign(new Error("no room"), { code });

  it("loses no answer while it is away for seconds", async () => {
    const clock = createTestClock();
    const retry = createWriteRetry(clock, silentLogger);
    let isAway = true;
    const store = async () => {
      if (isAway) throw fault();
      return "stored";
    };
    const stored = retry.untilStored(store, new AbortController().signal);
    await clock.advance(10_000);
    expect(retry.isRetrying()).toBe(true);
    isAway = false;
    await clock.advance(10_000);
    expect(await stored).toBe("stored");
  });

  it.each(["58030", "53200"])(
    "holds up other answers for a minute at most, if it is one damaged block or one answer that takes too much memory (%s)",
    async (code) => {
      const clock = createTestClock();
      const retry = createWriteRetry(clock, silentLogger);
      const refused = expect(
        retry.untilStored(() => Promise.reject(fault(code)), new AbortController().signal),
      ).rejects.toThrow("no room");
      await clock.advance(60_000);
      await refused;
      expect(retry.isRetrying()).toBe(false);
    },
  );
});
