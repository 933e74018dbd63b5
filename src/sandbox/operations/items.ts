import { z } from "zod";
import { parseFields, parseKeywords, toHaystack, type SearchableField } from "../search.ts";
import type { SandboxItem } from "../item.ts";
import { cutWindow, itemBody, toItemBody, window } from "./bodies.ts";
import { bearer, type Call } from "./operation.ts";
import { ownItem } from "./own-item.ts";
import { assumed, id, inPath, refusal, written } from "./parameters.ts";

const order = z.enum(["list_order", "item_id", "modified", "price", "stock"]);
const listing = {
  order: assumed(order.optional(), "column; list_order unless told"),
  sort: assumed(z.enum(["asc", "desc"]).optional(), "direction; asc unless told"),
  ...window,
};
const answer = z.object({ items: z.array(itemBody) });

type Listing = {
  order?: z.infer<typeof order> | undefined;
  sort?: "asc" | "desc" | undefined;
  limit?: number | undefined;
  offset?: number | undefined;
};

/** Lists hidden products too, because they belong to the owner. */
function list({ market, shop }: Call, input: Listing, keep: (item: SandboxItem) => boolean) {
  const { order: column = "list_order", sort = "asc", ...cut } = input;
  const sign = sort === "asc" ? 1 : -1;
  const items = [...market.catalog.ofShop(shop.shop_id)]
    .filter(keep)
    .toSorted((a, b) => sign * (a[column] - b[column]) || a.item_id - b.item_id);
  return { items: cutWindow(items, cut).map(toItemBody) };
}

const searched: readonly SearchableField[] = ["title", "detail", "categories"];

export const itemOperations = [
  bearer({
    id: "items",
    method: "GET",
    path: "/1/items",
    purpose: "list products",
    scope: "read_items",
    parameters: listing,
    answer,
    run: (input, call) => list(call, input, () => true),
  }),
  bearer({
    id: "items-search",
    method: "GET",
    path: "/1/items/search",
    purpose: "search products within the shop",
    scope: "read_items",
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
  bearer({
    id: "items-detail",
    method: "GET",
    path: "/1/items/detail/:item_id",
    purpose: "one product",
    scope: "read_items",
    parameters: { item_id: inPath(id, "the product") },
    answer: z.object({ item: itemBody }),
    run: ({ item_id }, call) => ({ item: toItemBody(ownItem(call, item_id)) }),
  }),
];
