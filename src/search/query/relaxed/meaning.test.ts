import { describe, expect, it } from "vitest";
import { blend } from "./meaning.ts";

const list = (...ids: number[]) => ids.map((id) => ({ id, missing: ["x"] }));
const blended = (ratio: number) =>
  blend(list(1, 2, 3, 4, 5, 6, 7), list(11, 2, 13), ratio).map(({ id }) => id);

describe("what is found by words and what by meaning", () => {
  it("takes turns by the ratio, each product once at its better place", () => {
    expect(blended(0.3)).toEqual([1, 11, 2, 3, 4, 5, 6, 13, 7]);
    expect(blended(0.5)).toEqual([1, 11, 2, 3, 13, 4, 5, 6, 7]);
  });

  it("keeps the lists apart at the ends of the ratio", () => {
    expect(blended(0)).toEqual([1, 2, 3, 4, 5, 6, 7, 11, 13]);
    expect(blended(1)).toEqual([11, 2, 13, 1, 3, 4, 5, 6, 7]);
  });
});
