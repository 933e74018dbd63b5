import { describe, expect, it } from "vitest";
import { must } from "../../lib/must.ts";
import { createCatalog } from "./catalog.ts";
import { createGenerator } from "./generate.ts";
import { createReplay, toChange } from "./replay.ts";

const [first, second] = createGenerator(1).catalog(2);
const a = { ...must(first, "an item"), item_id: 1 };
const b = { ...must(second, "an item"), item_id: 2 };

function replayOf() {
  const catalog = createCatalog([a]);
  const replay = createReplay(catalog, [
    { t: 100, op: "edit", item_id: 1, set: { price: 10 } },
    { t: 100, op: "edit", item_id: 1, set: { price: 20 } },
    { t: 200, op: "add", item: b },
    { t: 300, op: "delete", item_id: 1 },
    { t: 300, op: "edit", item_id: 999, set: { price: 1 } },
  ]);
  return { catalog, replay };
}

describe("createReplay", () => {
  it("starts one second before the first change and does nothing until it is started", () => {
    const { catalog, replay } = replayOf();
    expect(replay.progress()).toMatchObject({ running: false, simulatedSeconds: 99, remaining: 5 });
    replay.pass(1000);
    expect(catalog.get(1)).toEqual(a);
  });

  it("applies changes in order as their time passes; edits stamp their time", () => {
    const { catalog, replay } = replayOf();
    replay.start();
    replay.pass(0.5);
    expect(catalog.get(1)?.price).toBe(a.price);
    replay.pass(0.5);
    expect(catalog.get(1)).toMatchObject({ price: 20, modified: 100 });
    replay.stop();
    replay.pass(500);
    expect(replay.progress()).toMatchObject({ applied: 2, nextAtSeconds: 200, lastAtSeconds: 300 });
  });

  it("advances to a given time at once and never runs backwards", () => {
    const { catalog, replay } = replayOf();
    replay.advanceTo(200);
    expect(catalog.get(2)).toEqual(b);
    expect(replay.advanceTo(50)).toMatchObject({ simulatedSeconds: 200, applied: 3 });
    expect(replay.advanceTo(300)).toMatchObject({ remaining: 0, nextAtSeconds: null });
    expect([...catalog.items()]).toEqual([b]);
  });
});

describe("toChange", () => {
  it.each([
    [{ t: 1, op: "rename", item_id: 1 }],
    [{ t: "1", op: "delete", item_id: 1 }],
    [{ t: 1, op: "add", item: { item_id: 1 } }],
    [{ t: 1, op: "edit", item_id: 1, set: { price: "cheap" } }],
    [{ t: 1, op: "edit", item_id: 1, set: { img1_origin: 1 } }],
    [null],
  ])("refuses %j", (row) => {
    expect(() => toChange(row)).toThrow();
  });

  it("leaves what an edit sets as it is", () => {
    const edit = { t: 1, op: "edit", item_id: 1, set: { price: 5, img1_origin: null, brand: "x" } };
    expect(toChange(edit)).toEqual(edit);
  });
});
