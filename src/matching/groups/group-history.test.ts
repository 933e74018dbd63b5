import fc from "fast-check";
import { expect, it } from "vitest";
import { lowestSpans, type SeenPrice } from "./group-history.ts";

const seen = (itemId: number, price: number, from: number, to: number): SeenPrice => ({
  itemId,
  price,
  from: new Date(from),
  to: new Date(to),
});

it("follows the cheapest of several products, with a gap where none has a price", () => {
  const spans = lowestSpans([
    seen(1, 500, 0, 10),
    seen(2, 300, 4, 6),
    seen(2, 0, 6, 8),
    seen(3, 500, 10, 12),
    seen(3, 200, 20, 21),
  ]);
  expect(
    spans.map((one) => [one.price, one.firstSeen.getTime(), one.lastConfirmed.getTime()]),
  ).toEqual([
    [500, 0, 4],
    [300, 4, 6],
    [500, 6, 12],
    [200, 20, 21],
  ]);
});

it("says at any moment what the lowest of all prices then was", () => {
  const any = fc
    .tuple(fc.nat(3), fc.nat(4), fc.nat(30), fc.nat(30))
    .map(([item, price, a, b]) => seen(item, price, Math.min(a, b), Math.max(a, b)));
  fc.assert(
    fc.property(fc.array(any), (all) => {
      const spans = lowestSpans(all);
      for (let moment = 0; moment <= 31; moment += 1) {
        const at = (from: Date, to: Date) => from.getTime() <= moment && moment < to.getTime();
        const prices = all.filter((one) => one.price > 0 && at(one.from, one.to));
        const found = spans.filter((one) => at(one.firstSeen, one.lastConfirmed));
        expect(found.map((one) => one.price)).toEqual(
          prices.length === 0 ? [] : [Math.min(...prices.map((one) => one.price))],
        );
      }
    }),
  );
});
