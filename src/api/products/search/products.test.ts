import { expect, it } from "vitest";
import { systemClock } from "../../../lib/clock.ts";
import { silentLogger as logger } from "../../../lib/logger.ts";
import { createLagReader } from "./products.ts";

/** A reader whose answers are given by hand. */
function createSource() {
  let nowMs = 0;
  const readings: { resolve(value: number): void; reject(error: Error): void }[] = [];
  let told = 0;
  logger.warn = () => void (told += 1);
  const clock = { ...systemClock, monotonicMs: () => nowMs, sleep: async () => {} };
  const read = createLagReader(
    { clock, logger },
    () => new Promise<number>((resolve, reject) => readings.push({ resolve, reject })),
  );
  return {
    read: (indexUid = "one") => read(indexUid),
    readings,
    told: () => told,
    pass: () => (nowMs += 251),
  };
}

it("waits for the first value only, and reads once for all who ask", async () => {
  const { read, readings, pass } = createSource();
  const first = [read(), read()];
  readings[0]?.resolve(1);
  expect(await Promise.all(first)).toEqual([1, 1]);
  expect(await read()).toBe(1);
  pass();
  expect(await read()).toBe(1);
  expect(await read()).toBe(1);
  expect(readings).toHaveLength(2);
  readings[1]?.resolve(2);
  await new Promise(setImmediate);
  expect(await read()).toBe(2);
});

it("goes on with the last value while readings fail, and tells of it", async () => {
  const { read, readings, told, pass } = createSource();
  const first = read();
  readings[0]?.reject(new Error("away"));
  await expect(first).rejects.toThrow("away");
  const second = read();
  readings[1]?.resolve(1);
  expect(await second).toBe(1);
  for (let i = 2; i < 5; i += 1) {
    pass();
    expect(await read()).toBe(1);
    readings[i]?.reject(new Error("away"));
    await new Promise(setImmediate);
  }
  expect(told()).toBe(4);
});

it("answers all who wait, however many indexes are read at the same time", async () => {
  const { read, readings } = createSource();
  const lags = Promise.all(Array.from({ length: 50 }, (_, n) => read(`index ${n}`)));
  for (const [n, reading] of readings.entries()) reading.resolve(n);
  expect(await lags).toEqual(readings.map((_, n) => n));
  expect(readings).toHaveLength(50);
});
