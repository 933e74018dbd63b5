import { expect, it } from "vitest";
import { createBoundedMap } from "./bounded-map.ts";

const value = (n: number) => ({ n });

it("holds the last ones set, forgets the first, and never more than twice as many", () => {
  const map = createBoundedMap<number, { n: number }>(100);
  for (let n = 0; n < 1000; n += 1) map.set(n, value(n));
  const held = Array.from({ length: 1000 }, (_, n) => n).filter((n) => map.get(n) !== undefined);
  expect(held.length).toBeLessThanOrEqual(200);
  expect(held.slice(-100)).toEqual(Array.from({ length: 100 }, (_, i) => 900 + i));
});

it("holds what is asked for, however much is set", () => {
  const map = createBoundedMap<number, { n: number }>(10);
  map.set(-1, value(-1));
  for (let n = 0; n < 1000; n += 1) {
    map.set(n, value(n));
    expect(map.get(-1)).toEqual(value(-1));
  }
});

it("gives the last value set, and none once deleted, of whichever generation", () => {
  const map = createBoundedMap<number, { n: number }>(3);
  for (const n of [1, 2, 3]) map.set(n, value(n));
  map.set(1, value(10));
  expect(map.get(1)).toEqual(value(10));
  map.delete(1);
  expect(map.get(1)).toBeUndefined();
});
