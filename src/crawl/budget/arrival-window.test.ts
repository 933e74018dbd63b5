import { describe, expect, it } from "vitest";
import { systemClock } from "../../lib/clock.ts";
import { NotSent, sendInWindow } from "./arrival-window.ts";

const sendAt = new Date("2026-03-01T14:59:50Z");
const rules = {
  dailyLimit: 10,
  timezone: "Asia/Tokyo",
  maxCallsPerSecond: 5,
  flightMs: 400,
  skewMs: 5000,
};
const clockLateBy = (ms: number) => ({
  ...systemClock,
  now: () => new Date(sendAt.getTime() + ms),
});
const running = new AbortController().signal;

describe("a call's time to arrive", () => {
  it.each([
    [-60_000, false],
    [-1000, false],
    [-1, true],
    [0, true],
    [200, true],
    [201, false],
    [401, false],
    [3_600_000, false],
  ])(
    "B8: a process that wakes %d ms after the call's turn sends it: %s",
    async (lateMs, isSent) => {
      let sent = 0;
      const sending = sendInWindow(
        { clock: clockLateBy(lateMs), rules, sendAt },
        running,
        async () => Promise.resolve((sent += 1)),
      );
      if (isSent) await sending;
      else await expect(sending).rejects.toThrow(NotSent);
      expect(sent).toBe(isSent ? 1 : 0);
    },
  );

  it("B8: a call that is under way is given up when its time ends, whatever the client's patience", async () => {
    const never = (signal: AbortSignal) =>
      new Promise((_, reject) =>
        signal.addEventListener("abort", () => reject(signal.reason as Error)),
      );
    const sending = sendInWindow({ clock: clockLateBy(150), rules, sendAt }, running, never);
    await expect(sending).rejects.toMatchObject({ name: "RetryLater", code: "timeout" });
  });

  it("passes on that the process stops", async () => {
    const stop = new AbortController();
    const sending = sendInWindow(
      { clock: clockLateBy(0), rules, sendAt },
      stop.signal,
      async (signal) => {
        stop.abort();
        return signal.aborted;
      },
    );
    expect(await sending).toBe(true);
  });
});
