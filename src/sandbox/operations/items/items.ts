import { z } from "zod";
import {
  parseFields,
  parseKeywords,
  toHaystack,
  type SearchableField,
} from "../../search/search.ts";
import { toSearchBody, type SandboxItem } from "../../catalogue/item.ts";
import { cutWindow, itemBody, oneItem, ownItem, showItem, window } from "../bodies.ts";
import { operationsOf, type Call } from "../operation.ts";
import { assumed, id, inPath, refusal, written, type Input } from "../parameters.ts";

const order = z.enum(["list_order", "item_id", "modified", "price", "stock"]);
const listing = {
  order: assumed(order.optional(), "column; list_order unless told"),
  sort: assumed(z.enum(["asc", "desc"]).optional(), "direction; asc unless told"),
  ...window,
};
const answer = z.object({ items: z.array(itemBody) });
const operation = operationsOf("items");

/** Lists hidden products too, because they belong to the owner. */
function list(
  { market, shop }: Call,
  { order: column = "list_order", sort = "asc", ...cut }: Input<typeof listing>,
  keep: (item: SandboxItem) => boolean,
) {
  const sign = sort === "asc" ? 1 : -1;
  const items = [...market.catalog.ofShop(shop.shop_id)]
    .filter(keep)
    .toSorted((a, b) => sign * (a[column] - b[column]) || a.item_id - b.item_id);
  return { items: cutWindow(items, cut).map(toSearchBody) };
}

const searched: readonly SearchableField[] = ["title", "detail", "categories"];

export const itemOperations = [
  operation("GET /1/items", "list products", {
    parameters: listing,
    answer,
    run: (input, call) => list(call, input, () => true),
  }),
  operation("GET /1/items/search", "search products within the shop", {
    parameters: {
      q: assumed(written(1, 200), "keywords, separated by spaces"),
      fields: assumed(
        written(1, 200).optional(),
        "of title, detail, categories, shop_name; the first three unless told",
      ),
      ...listing,
    },
    answer,
    run({ q, fields, ...input }, call) {
      const keywords = parseKeywords(q);
      const columns = fields === undefined ? searched : parseFields(fields);
      if (keywords.length === 0) throw refusal("q");
      if (!columns) throw refusal("fields");
      return list(call, input, (item) => {
        const text = toHaystack(item, columns);
        return keywords.every((keyword) => text.includes(keyword));
      });
    },
  }),
  operation("GET /1/items/detail/:item_id", "one product", {
    parameters: { item_id: inPath(id, "the product") },
    answer: oneItem,
    run: ({ item_id }, call) => showItem(ownItem(call, item_id)),
  }),
];
