import { expect, it } from "vitest";
import { savedQueryInput } from "./saved-search-schema.ts";

it("names what a saved search may have where a parameter is not known", () => {
  const { error } = savedQueryInput.safeParse({ itemid: 1, q: "革" });
  expect(error?.issues.map(({ path, message }) => [path, message])).toEqual([
    [
      ["itemid"],
      "is not known here; known are: q, match, shop_id, exclude_shop_id, category, gtin, price_min, price_max, in_stock, on_sale, max_age_s, sort, page, per_page, facets, facet_limit, group, fields, item_id, group_id",
    ],
  ]);
});
