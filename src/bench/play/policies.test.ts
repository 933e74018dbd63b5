import fc from "fast-check";
import { expect, it } from "vitest";
import { heaviest } from "./policies.ts";

it("finds what sorting finds", () => {
  const values = fc.uniqueArray(fc.integer(), { maxLength: 60 });
  fc.assert(
    fc.property(values, fc.integer({ min: 1, max: 20 }), (items, most) => {
      const sorted = items.toSorted((a, b) => b - a).slice(0, most);
      expect(heaviest(items, most, (item) => item)).toEqual(sorted);
    }),
  );
});
