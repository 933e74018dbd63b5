import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Swings } from "../../db/schema.ts";
import { createRandom } from "../../lib/random.ts";
import { addMove, believedPart } from "./swings.ts";

function believedAfter(told: readonly (number | null)[]): number {
  let swings: Swings | undefined;
  for (const [i, found] of told.entries()) swings = addMove(swings, told[i - 1] ?? null, found);
  return believedPart(swings);
}
const random = createRandom(5);
const times = (n: number, of: (i: number) => number) => Array.from({ length: n }, (_, i) => of(i));

describe("what is believed of a fall of the number found", () => {
  it("is all of it before anything is known, and after one number that was wrong", () => {
    expect(believedPart(undefined)).toBe(1);
    expect(believedAfter([100, 100, 100])).toBe(1);
    expect(believedAfter([100, 100, 0, 100, 100, 99])).toBe(1);
  });

  it("is next to nothing where the number swings about what there is", () => {
    expect(believedAfter(times(30, (i) => 300 + ((i * 37) % 60)))).toBeLessThan(0.1);
    expect(believedAfter(times(60, () => 300 + 60 * random.next()))).toBeLessThan(0.35);
    expect(believedAfter(times(30, (i) => (i % 2 === 0 ? 300 : 280)))).toBe(0);
  });

  it("is nearly all of it where products come and go", () => {
    let found = 500;
    let sum = 0;
    for (let world = 0; world < 20; world += 1) {
      const step = () => Math.floor(3 * random.next()) - Math.floor(3 * random.next());
      sum += believedAfter(times(100, () => (found += step())));
    }
    expect(sum / 20).toBeGreaterThan(0.9);
  });

  it("is more again where much more is missing than it ever swung by", () => {
    const swinging = times(60, (i) => 300 + (i % 2) * 10);
    expect(believedAfter(swinging)).toBe(0);
    expect(believedAfter([...swinging, 100])).toBeGreaterThan(0.9);
  });

  it("is all of it where what was kept cannot be read", () => {
    const kept = { last: 1, squares: 100, fourths: 100, opposed: 50 };
    expect(believedPart(kept)).toBeLessThan(1);
    for (const name of Object.keys(kept))
      expect(believedPart(addMove({ ...kept, [name]: NaN }, 5, 4))).toBe(1);
  });

  it("is a share, whatever is told", () => {
    const told = fc.array(fc.option(fc.double({ min: 0, max: 1e12, noNaN: true })));
    fc.assert(
      fc.property(told, (all) => {
        const part = believedAfter(all);
        return part >= 0 && part <= 1;
      }),
    );
  });
});
