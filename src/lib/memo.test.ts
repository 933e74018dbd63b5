import { describe, expect, it } from "vitest";
import { memo } from "./memo.ts";
import { systemClock } from "./clock.ts";

function createSource() {
  const state = { nowMs: 0, begun: 0 };
  const ends: ((value: number | Error) => void)[] = [];
  const read = memo({ ...systemClock, monotonicMs: () => state.nowMs }, 100, () => {
    state.begun += 1;
    return new Promise<number>((resolve, reject) => {
      ends.push((value) => (value instanceof Error ? reject(value) : resolve(value)));
    });
  });
  return Object.assign(state, { read, ends });
}

describe("memo", () => {
  it("B29: a reading that takes longer than its value holds runs once for all who ask meanwhile", async () => {
    const source = createSource();
    const first = source.read();
    const others = [250, 500, 5000].map((nowMs) => {
      source.nowMs = nowMs;
      return source.read();
    });
    expect(source.begun).toBe(1);
    source.ends.shift()?.(7);
    expect(await Promise.all([first, ...others])).toEqual([7, 7, 7, 7]);
  });

  it("B29: a value holds from the end of its reading", async () => {
    const source = createSource();
    const first = source.read();
    source.nowMs = 5000;
    source.ends.shift()?.(7);
    await first;
    source.nowMs = 5099;
    expect(await source.read()).toBe(7);
    expect(source.begun).toBe(1);
    source.nowMs = 5100;
    const again = source.read();
    source.ends.shift()?.(8);
    expect(await again).toBe(8);
    expect(source.begun).toBe(2);
  });

  it("reads again after a failure, which only those who shared it see", async () => {
    const source = createSource();
    const failing = [source.read(), source.read()];
    source.ends.shift()?.(new Error("away"));
    for (const asked of failing) await expect(asked).rejects.toThrow("away");
    const next = source.read();
    source.ends.shift()?.(9);
    expect(await next).toBe(9);
  });
});
