import { expect, it } from "vitest";
import { createStateReader } from "./catalogue-state.ts";

const settled = () => new Promise((resolve) => setImmediate(resolve));

it("gives nobody a state that was read before they asked, and reads once for all who wait", async () => {
  const ends: ((state: number) => void)[] = [];
  const read = createStateReader(() => new Promise<number>((resolve) => ends.push(resolve)));
  const first = [read(), read()];
  await settled();
  const late = [read(), read()];
  await settled();
  expect(ends).toHaveLength(1);
  ends[0]?.(1);
  expect(await Promise.all(first)).toEqual([1, 1]);
  await settled();
  expect(ends).toHaveLength(2);
  ends[1]?.(2);
  expect(await Promise.all(late)).toEqual([2, 2]);
});

it("reads on after a failure, which only those who shared it see", async () => {
  let attempts = 0;
  const read = createStateReader(async () => {
    attempts += 1;
    if (attempts === 1) throw new Error("away");
    return attempts;
  });
  await expect(read()).rejects.toThrow("away");
  expect(await read()).toBe(2);
});
