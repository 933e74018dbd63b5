import { describe, expect, it } from "vitest";
import type { OffersBody } from "../../api/products/offers/offer-schema.ts";
import { inOrder, offerOrders, toOfferOrder } from "./offers.tsx";

type Offer = OffersBody["offers"][number];

const offer = (
  item_id: number,
  price: number,
  more: { g?: number; ml?: number; out?: true; age?: number } = {},
): Offer => {
  const unit = more.ml === undefined ? ("g" as const) : ("ml" as const);
  const value = more.ml ?? more.g;
  const quantity = value === undefined ? null : { value, unit };
  return {
    item_id,
    price,
    in_stock: !more.out,
    age_s: more.age ?? 0,
    unit_price: quantity && { amount: 1, per: "1 kg", quantity },
  } as unknown as Offer;
};

const ids = (offers: readonly Offer[]) => offers.map((one) => one.item_id);

describe("offers", () => {
  it("are in the order of the API unless another one is chosen", () => {
    expect(offerOrders.map(toOfferOrder)).toEqual(["price", "unit_price", "checked"]);
    expect([toOfferOrder(undefined), toOfferOrder("PRICE")]).toEqual(["price", "price"]);
    const offers = [offer(2, 900), offer(1, 100, { out: true })];
    expect(inOrder(offers, "price")).toBe(offers);
  });

  it("are ordered by the price of a unit, in stock first, and those without one last", () => {
    const offers = [
      offer(1, 100),
      offer(2, 500, { g: 100 }),
      offer(3, 900, { g: 1000 }),
      offer(4, 10, { ml: 1000 }),
      offer(5, 1, { g: 1000, out: true }),
      offer(6, 900, { g: 1000 }),
    ];
    expect(ids(inOrder(offers, "unit_price"))).toEqual([3, 6, 2, 4, 1, 5]);
  });

  it("are ordered by when they were last confirmed", () => {
    const offers = [
      offer(1, 100, { age: 30 }),
      offer(2, 200, { age: 5, out: true }),
      offer(3, 300, { age: 30 }),
    ];
    expect(ids(inOrder(offers, "checked"))).toEqual([2, 1, 3]);
  });
});
