import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matchKinds } from "../../db/schema/matching.ts";
import { formClusters, linksOfCodes, type Component, type Link, type Listing } from "./clusters.ts";

const listing = (itemId: number, over: Partial<Listing> = {}): Listing => ({
  itemId,
  shopId: `shop-${itemId}`,
  condition: null,
  codes: [],
  ...over,
});
const link = (a: number, b: number, over: Partial<Link> = {}): Link => ({
  a,
  b,
  kind: "text",
  score: 0.9,
  ...over,
});
const idsOf = (component: Component) =>
  formClusters(component).map((cluster) => cluster.map(({ itemId }) => itemId));

const ITEMS = 14;
const itemId = fc.integer({ min: 1, max: ITEMS });
const pair = fc
  .tuple(itemId, itemId)
  .filter(([a, b]) => a !== b)
  .map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);
const component: fc.Arbitrary<Component> = fc.record({
  listings: fc
    .array(
      fc.record({
        shopId: fc.constantFrom("x", "y", "z", "w"),
        condition: fc.constantFrom(null, "used"),
        codes: fc.subarray([11, 22, 33], { maxLength: 2 }),
      }),
      { minLength: ITEMS, maxLength: ITEMS },
    )
    .map((rows) => rows.map((row, i) => ({ itemId: i + 1, ...row }))),
  links: fc.uniqueArray(
    fc
      .tuple(pair, fc.constantFrom(...matchKinds), fc.constantFrom(0.8, 0.9, 0.95))
      .map(([[a, b], kind, score]) => ({ a, b, kind, score })),
    { maxLength: 40, selector: ({ a, b }) => `${a}-${b}` },
  ),
  different: fc.array(pair, { maxLength: 6 }),
  variants: fc.array(pair, { maxLength: 6 }),
  packages: fc.array(pair, { maxLength: 6 }),
});

describe("clusters", () => {
  it("are the same whatever the order of products, links and decisions", () => {
    fc.assert(
      fc.property(component, fc.infiniteStream(fc.nat()), (whole, numbers) => {
        const shuffled = <T>(list: readonly T[]) =>
          list
            .map((value) => ({ value, at: numbers.next().value }))
            .toSorted((a, b) => a.at - b.at)
            .map(({ value }) => value);
        const again = {
          listings: shuffled(whole.listings),
          links: shuffled(whole.links),
          different: shuffled(whole.different),
          variants: shuffled(whole.variants),
          packages: shuffled(whole.packages),
        };
        expect(formClusters(again)).toEqual(formClusters(whole));
      }),
    );
  });

  it("never hold two products that people declared different, whatever links them", () => {
    fc.assert(
      fc.property(component, (whole) => {
        for (const cluster of idsOf(whole)) {
          for (const [a, b] of whole.different) {
            expect(cluster.includes(a) && cluster.includes(b)).toBe(false);
          }
        }
      }),
    );
  });

  it("made by likeness hold one offer of a shop in each condition, and no two variants or different codes", () => {
    const byLikeness = component.map((whole) => ({
      ...whole,
      links: whole.links.map((l) => Object.assign(l, { kind: "text" as const })),
    }));
    fc.assert(
      fc.property(byLikeness, (whole) => {
        for (const cluster of idsOf(whole)) {
          const members = whole.listings.filter((l) => cluster.includes(l.itemId));
          const offers = members.map((l) => `${l.shopId} ${l.condition ?? ""}`);
          expect(new Set(offers).size).toBe(offers.length);
          for (const [a, b] of whole.variants)
            expect(cluster.includes(a) && cluster.includes(b)).toBe(false);
          const coded = members.filter((l) => l.codes.length > 0);
          for (const l of coded) {
            expect(coded.every((r) => r.codes.some((code) => l.codes.includes(code)))).toBe(true);
          }
        }
      }),
    );
  });

  it("do not depend on products that no link leads to", () => {
    fc.assert(
      fc.property(component, (whole) => {
        const linked = new Set(whole.links.flatMap(({ a, b }) => [a, b]));
        const listings = whole.listings.filter((l) => linked.has(l.itemId));
        expect(formClusters({ ...whole, listings })).toEqual(formClusters(whole));
      }),
    );
  });

  it("take the better of two links to one shop", () => {
    const listings = [listing(1), listing(2, { shopId: "s" }), listing(3, { shopId: "s" })];
    const links = [link(1, 2, { score: 0.85 }), link(1, 3, { score: 0.95 })];
    expect(idsOf({ listings, links, different: [], variants: [], packages: [] })).toEqual([[1, 3]]);
  });

  it("hold two variants only if a code or people join them", () => {
    const listings = [listing(1), listing(2), listing(3)];
    const links = [link(1, 2), link(2, 3)];
    const variants = [[1, 3]] as const;
    expect(idsOf({ listings, links, different: [], variants, packages: [] })).toEqual([[1, 2]]);
    for (const kind of ["gtin", "manual"] as const) {
      const sure = [...links, link(1, 3, { kind })];
      expect(idsOf({ listings, links: sure, different: [], variants, packages: [] })).toEqual([
        [1, 2, 3],
      ]);
    }
  });

  it("hold two packages of different size only if people join them, whatever shares their code", () => {
    const listings = [1, 2, 3].map((id) => listing(id, { codes: [11] }));
    const links = linksOfCodes(listings);
    const component = { listings, different: [], variants: [], packages: [[1, 3]] as const };
    expect(idsOf({ ...component, links })).toEqual([[1, 2]]);
    const manual = link(1, 3, { kind: "manual" });
    expect(idsOf({ ...component, links: [...links, manual] })).toEqual([[1, 2, 3]]);
  });

  it("hold no two products with only different codes, whatever lists both codes", () => {
    const listings = [
      listing(1, { codes: [11, 22, 33] }),
      listing(2, { shopId: "s", codes: [22] }),
      listing(3, { shopId: "s", codes: [33] }),
      listing(4, { codes: [33] }),
    ];
    const codes = linksOfCodes(listings);
    expect(idsOf({ listings, links: codes, different: [], variants: [], packages: [] })).toEqual([
      [1, 2],
      [3, 4],
    ]);
    const manual = link(2, 3, { kind: "manual" });
    expect(
      idsOf({ listings, links: [...codes, manual], different: [], variants: [], packages: [] }),
    ).toEqual([[1, 2, 3, 4]]);
  });

  it("follow a code even within a shop, and a decision of people against codes", () => {
    const listings = [
      listing(1, { shopId: "s", codes: [11] }),
      listing(2, { shopId: "s", codes: [11] }),
      listing(3, { codes: [22] }),
    ];
    const links = [link(1, 2, { kind: "gtin" }), link(2, 3, { kind: "manual" })];
    expect(formClusters({ listings, links, different: [], variants: [], packages: [] })).toEqual([
      [
        { itemId: 1, kind: "gtin", score: 1 },
        { itemId: 2, kind: "manual", score: 1 },
        { itemId: 3, kind: "manual", score: 1 },
      ],
    ]);
    expect(idsOf({ listings, links, different: [[1, 3]], variants: [], packages: [] })).toEqual([
      [2, 3],
    ]);
  });
});
