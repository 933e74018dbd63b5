import { expect, it } from "vitest";
import { toFigure, toReasonText } from "./reason.ts";

it("values are told without powers of ten, however large or small", () => {
  const told = [0, 6.6e-11, 0.00012345, 0.1666, 1, 12.345, 1234.5, 2_345_678].map(toFigure);
  const [large, larger] = ["1,230", "2,350,000"];
  expect(told).toEqual(["0", "0.000000000066", "0.000123", "0.167", "1", "12.3", large, larger]);
});

it("one product is told as one", () => {
  const first = { itemId: 7, changesPerDay: 3e-9, traits: [] };
  const why = { code: "worthwhile", shopId: "s", products: 1, value: 2e-10, first } as const;
  expect(toReasonText(why)).toBe(
    "1 product of s, value 0.0000000002; product 7: 0.000000003 changes a day expected",
  );
  expect(toReasonText({ ...why, products: 50, value: 0.25, first: null })).toBe(
    "50 products of s, value 0.25",
  );
  expect(toReasonText({ code: "most_ordered", q: "財布", start: 0, expected: 0 })).toContain(
    "no products expected",
  );
});
