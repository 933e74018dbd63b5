import { expect, it } from "vitest";
import { productColumns } from "./product-schema.ts";

it("knows the kind of each member, and leaves the age out", () => {
  const kinds = Object.fromEntries(productColumns.map(({ name, kind }) => [name, kind]));
  expect(kinds).toMatchObject({
    item_id: "integer",
    title: "text",
    proper_price: "integer",
    in_stock: "boolean",
    identifier: "text",
    gtins: "json",
    shop: "json",
    modified_at: "text",
    checked_at: "text",
  });
  expect(kinds).not.toHaveProperty("age_s");
});
