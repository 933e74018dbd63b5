import { describe, expect, it } from "vitest";
import { listedWorlds } from "./worlds.ts";

const scale = { items: 500, days: 6, seed: 3 };

describe("the listed worlds", () => {
  it.each(listedWorlds)("$name: rates depend on what is shown only if they are to", (listed) => {
    const world = listed.create(scale, "uniform");
    const shown = new Set(
      [...world.contentAtStart].map((content) => world.states.of(content).stock),
    );
    expect(shown.size).toBeGreaterThan(1);
    expect(new Set([...world.shopOf.keys()].map(world.categoryOf)).size).toBeGreaterThan(1);
    const rates = (item: number) =>
      new Set(Array.from(world.contentAtStart, (content) => world.rateIn(item, content)));
    expect(rates(0).size > 1).toBe(listed.isTelling);
  });

  it("weighs products alike, or by their rank", () => {
    const [listed] = listedWorlds;
    expect(new Set(listed?.create(scale, "uniform").weight)).toEqual(new Set([1]));
    const zipf = [...(listed?.create(scale, "zipf").weight ?? [])].sort((a, b) => b - a);
    expect(zipf.slice(0, 3)).toEqual([1, 1 / 2, 1 / 3]);
  });
});
