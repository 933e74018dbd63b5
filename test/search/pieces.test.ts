import { expect, it } from "vitest";
import { page, titledSearchForAll } from "../support/titled-search.ts";

const titles = [
  "Batterien AAA, 4 St",
  "Batterien AAA 4 Stück",
  "Batterien AAA 8 St",
  "Batterien AAA St. Barth",
];

const { openBoth } = titledSearchForAll(titles);

it.each(["batterien aaa 4 stück", "batterien 4stk", "batterien 4 pack"])(
  "%s finds 4 St, by the engine and by Postgres alone",
  async (q) => {
    for (const search of openBoth()) {
      const { ids, partial } = await search({ q, ...page });
      const whole = ids.filter((id) => !partial.has(id)).map((id) => titles[id - 1]);
      expect(new Set(whole)).toEqual(new Set(["Batterien AAA, 4 St", "Batterien AAA 4 Stück"]));
    }
  },
);
