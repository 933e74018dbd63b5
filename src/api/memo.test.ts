import { describe, expect, it } from "vitest";
import { systemClock } from "../lib/clock.ts";
import { memo } from "./memo.ts";

describe("memo", () => {
  it("reads once for many who ask at once, again when time has passed, and after a failure", async () => {
    let nowMs = 0;
    let reads = 0;
    let fails = false;
    const read = memo({ ...systemClock, monotonicMs: () => nowMs }, 100, async () => {
      reads += 1;
      if (fails) throw new Error("away");
      return reads;
    });
    expect(await Promise.all([read(), read(), read()])).toEqual([1, 1, 1]);
    nowMs = 99;
    expect(await read()).toBe(1);
    nowMs = 100;
    fails = true;
    await expect(read()).rejects.toThrow("away");
    fails = false;
    expect(await read()).toBe(3);
  });
});
