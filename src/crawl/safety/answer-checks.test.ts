import { expect, it } from "vitest";
import { createNewFields } from "./answer-checks.ts";

it("U9: names a field that was not there before once, and remembers no more than it can hold", () => {
  const unknownFields = createNewFields();
  expect(unknownFields(["colour", "brand"])).toEqual(["colour", "brand"]);
  expect(unknownFields(["colour", "size"])).toEqual(["size"]);
  const many = Array.from({ length: 2000 }, (_, i) => `field_${i}`);
  unknownFields(many);
  expect(unknownFields(["yet_another"])).toEqual([]);
});
