import { expect, it } from "vitest";
import { createJoined } from "./joined.ts";

function createSource() {
  const ends: (() => void)[] = [];
  let begun = 0;
  const read = () => {
    begun += 1;
    const mine = begun;
    return new Promise<number>((resolve) => ends.push(() => resolve(mine)));
  };
  return { read, begun: () => begun, ends };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

it("gives nobody what was read before they asked, and never runs more than allowed", async () => {
  const source = createSource();
  const ask = createJoined(source.read, 1);
  const first = ask();
  await settled();
  const late = [ask(), ask()];
  await settled();
  expect(source.begun()).toBe(1);
  source.ends[0]?.();
  expect(await first).toBe(1);
  await settled();
  expect(source.begun()).toBe(2);
  source.ends[1]?.();
  expect(await Promise.all(late)).toEqual([2, 2]);
});

it("goes on after a failure, which only those who shared it see", async () => {
  let attempts = 0;
  const ask = createJoined(async () => {
    attempts += 1;
    if (attempts === 1) throw new Error("away");
    return attempts;
  }, 2);
  await expect(ask()).rejects.toThrow("away");
  expect(await ask()).toBe(2);
});
