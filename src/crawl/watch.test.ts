import { describe, expect, it } from "vitest";
import { createWatch } from "./watch.ts";

const odd = { code: "strange_items", reason: "all unreadable" };

describe("the watch over answers", () => {
  it("tells an odd upstream from an odd shop, however often that one is asked", () => {
    const watch = createWatch();
    for (let i = 0; i < 50; i += 1) expect(watch.note("shop 1", odd)).toBe(false);
    expect(watch.note("shop 2", odd)).toBe(false);
    expect(watch.note("shop 3", odd)).toBe(false);
    expect(watch.note("shop 4", odd)).toBe(true);
    expect(watch.note("shop 5", null)).toBe(false);
  });

  it("forgets what good answers have left behind", () => {
    const watch = createWatch();
    for (const shop of ["1", "2", "3"]) watch.note(shop, odd);
    for (let i = 0; i < 12; i += 1) watch.note("good", null);
    expect(watch.note("4", odd)).toBe(false);
  });

  it("U9: names a field that was not there before once", () => {
    const watch = createWatch();
    expect(watch.newFields(["colour", "brand"])).toEqual(["colour", "brand"]);
    expect(watch.newFields(["colour", "size"])).toEqual(["size"]);
    const many = Array.from({ length: 2000 }, (_, i) => `field_${i}`);
    watch.newFields(many);
    expect(watch.newFields(["yet_another"])).toEqual([]);
  });
});
