import { expect, it } from "vitest";
import { argumentsOf, needed } from "./arguments.ts";

const defaults = {
  out: needed,
  products: 500,
  json: false,
  base: null,
  pairs: [needed],
  gain: "linear",
} as const;

it("options have the kinds of their defaults", () => {
  const args = ["--out", "o", "--products", "7", "--json", "--pairs", "a", "--pairs", "b"];
  const values = { out: "o", products: 7, json: true, base: null, pairs: ["a", "b"] };
  expect(argumentsOf(defaults, args)).toEqual({ ...values, gain: "linear" });
  expect(argumentsOf(defaults, ["--out=o", "--base=b", "--pairs=p"])).toMatchObject({
    base: "b",
    products: 500,
  });
});

it.each([
  [[], "--out is missing"],
  [["--out", "o"], "--pairs is missing"],
  [["--out", "o", "--products", "many", "--pairs", "p"], "--products: many is not a number"],
  [["--out", "o", "--product", "7"], "Unknown option '--product'"],
  [["--out", ""], "--out is empty"],
])("%j is refused", (args, reason) => {
  expect(() => argumentsOf(defaults, args)).toThrow(reason);
});
