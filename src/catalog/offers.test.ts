import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { coverOffers, type OfferRecord } from "./offers.ts";

function offer(over: Partial<OfferRecord>): OfferRecord {
  return {
    itemId: 1,
    isDeleted: false,
    title: "",
    price: 100,
    properPrice: null,
    variation: null,
    gtin: null,
    stock: 1,
    inStock: true,
    image: null,
    checkedAt: new Date(0),
    shop: { shopId: "shop-1", shopName: "", shopUrl: "" },
    ...over,
  };
}

describe("the offers that are shown", () => {
  it("leave out what is gone or names no price, and say so", () => {
    const matched = [
      offer({ itemId: 1 }),
      offer({ itemId: 2, price: 0 }),
      offer({ itemId: 3, isDeleted: true, price: 0 }),
      offer({ itemId: 4, inStock: false }),
    ];
    const { offers, leftOut } = coverOffers(matched, { inStockOnly: false });
    expect(offers.map(({ itemId }) => itemId)).toEqual([1, 4]);
    expect(leftOut).toEqual({ out_of_stock: 0, unknown_price: 1, gone: 1 });
    expect(coverOffers(matched, { inStockOnly: true }).leftOut.out_of_stock).toBe(1);
  });

  it("and those left out are together all that matched, in their order", () => {
    const some = fc.record({
      itemId: fc.nat(),
      isDeleted: fc.boolean(),
      price: fc.nat(2),
      inStock: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(some), fc.boolean(), (list, inStockOnly) => {
        const matched = list.map(offer);
        const { offers, leftOut } = coverOffers(matched, { inStockOnly });
        const counted = leftOut.out_of_stock + leftOut.unknown_price + leftOut.gone;
        expect(offers.length + counted).toBe(matched.length);
        expect(offers).toEqual(matched.filter((one) => offers.includes(one)));
        expect(offers.every((one) => !one.isDeleted && one.price > 0)).toBe(true);
        if (inStockOnly) expect(offers.every((one) => one.inStock)).toBe(true);
      }),
    );
  });
});
