import { describe, expect, it } from "vitest";
import { createGenerator, generatedKeywords, janCheckDigit } from "./generate.ts";
import { toSandboxItem, toSearchBody } from "./item.ts";
import { searchableFields, toHaystack, normalize } from "../search/search.ts";
import { landmarks } from "./words.ts";

const items = createGenerator(1).catalog(3000);

function groupsOf<T>(all: readonly T[], keyOf: (one: T) => unknown): T[][] {
  const groups = new Map<unknown, T[]>();
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return [...groups.values()];
}

describe("createGenerator", () => {
  it("gives the same catalogue for the same seed and another for another", () => {
    expect(createGenerator(1).catalog(3000)).toEqual(items);
    expect(createGenerator(2).catalog(3000)).not.toEqual(items);
  });

  it("writes items that read back as themselves, with ids of their own", () => {
    const some = items.slice(0, 600);
    const read = some.map((item) =>
      toSandboxItem({ ...toSearchBody(item), order_count: item.order_count }),
    );
    expect(read).toEqual(some);
    expect(new Set(items.map((item) => item.item_id)).size).toBe(3000);
    const variationIds = items.flatMap((item) => item.variations.map((v) => v.variation_id));
    expect(new Set(variationIds).size).toBe(variationIds.length);
  });

  it("gives several hundred shops of heavy-tailed size", () => {
    const sizes = groupsOf(items, (item) => item.shop_id).map((all) => all.length);
    sizes.sort((a, b) => b - a);
    expect(sizes.length).toBeGreaterThan(200);
    expect(sizes[0]).toBeGreaterThan(50);
    expect(sizes[Math.floor(sizes.length / 2)]).toBeLessThan(5);
  });

  it("gives about a third of the products variations, with valid Japanese codes", () => {
    const share = items.filter((item) => item.variations.length > 0).length / items.length;
    expect(share).toBeGreaterThan(0.2);
    expect(share).toBeLessThan(0.4);
    const codes = items.flatMap((item) => item.variations.flatMap((v) => v.barcode ?? []));
    for (const code of codes) {
      expect(code).toMatch(/^4[59]\d{11}$/);
      expect(Number(code.at(-1))).toBe(janCheckDigit(code.slice(0, 12)));
    }
  });

  it("sells many codes in several shops at different prices", () => {
    const sold = items
      .flatMap((item) => item.variations.map((v) => ({ code: v.barcode, item })))
      .filter(({ code }) => code !== null);
    const shared = groupsOf(sold, ({ code }) => code).filter(
      (all) =>
        new Set(all.map(({ item }) => item.shop_id)).size > 1 &&
        new Set(all.map(({ item }) => item.price)).size > 1,
    );
    expect(shared.length).toBeGreaterThan(50);
  });

  it("holds every landmark and finds every product by one of its keywords", () => {
    const titles = new Set(items.map((item) => item.title));
    for (const landmark of landmarks) expect(titles).toContain(landmark.title);
    for (const item of items) {
      const text = toHaystack(item, searchableFields);
      expect(generatedKeywords.some((keyword) => text.includes(normalize(keyword)))).toBe(true);
    }
  });

  it("lacks resized images where the upstream has not made them yet", () => {
    const bodies = items.map(toSearchBody);
    expect(bodies.some((body) => body.img1_origin && body.img1_640 === undefined)).toBe(true);
    expect(bodies.some((body) => body.img1_origin && body.img1_640)).toBe(true);
    expect(bodies.some((body) => body.img1_origin === null)).toBe(true);
  });
});

describe("janCheckDigit", () => {
  it.each([
    ["490123456789", 4],
    ["456995111617", 9],
  ])("follows GS1 for %s", (body, digit) => {
    expect(janCheckDigit(body)).toBe(digit);
  });
});
