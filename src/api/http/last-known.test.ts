import { expect, it } from "vitest";
import { systemClock } from "../../lib/clock.ts";
import { lastKnown } from "./last-known.ts";

/** A read whose answers are given by hand. */
function createReader() {
  let nowMs = 0;
  const asked: PromiseWithResolversOf<number>[] = [];
  const failures: unknown[] = [];
  const clock = { ...systemClock, monotonicMs: () => nowMs, sleep: async () => {} };
  const read = lastKnown(
    clock,
    { everyMs: 100, patienceMs: 10 },
    () => new Promise<number>((resolve, reject) => asked.push({ resolve, reject })),
    (error) => failures.push(error),
  );
  const pass = (ms: number) => (nowMs += ms);
  return { read, asked, failures, pass };
}

interface PromiseWithResolversOf<T> {
  resolve(value: T): void;
  reject(error: Error): void;
}

it("waits for the first value only, and reads once for all who ask", async () => {
  const { read, asked, pass } = createReader();
  const first = [read(), read()];
  asked[0]?.resolve(1);
  expect(await Promise.all(first)).toEqual([1, 1]);
  expect(await read()).toBe(1);
  pass(100);
  expect(await read()).toBe(1);
  expect(await read()).toBe(1);
  expect(asked).toHaveLength(2);
  asked[1]?.resolve(2);
  await new Promise(setImmediate);
  expect(await read()).toBe(2);
});

it("goes on with the last value while reads fail, and tells of it", async () => {
  const { read, asked, failures, pass } = createReader();
  const first = read();
  asked[0]?.reject(new Error("away"));
  await expect(first).rejects.toThrow("away");
  const second = read();
  asked[1]?.resolve(1);
  expect(await second).toBe(1);
  for (let i = 2; i < 5; i += 1) {
    pass(100);
    expect(await read()).toBe(1);
    asked[i]?.reject(new Error("away"));
    await new Promise(setImmediate);
  }
  expect(failures).toHaveLength(4);
});
