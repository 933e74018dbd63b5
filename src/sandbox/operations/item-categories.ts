import { z } from "zod";
import type { SandboxItem } from "../item.ts";
import { itemCategoryBody } from "./bodies.ts";
import { bearer, type Call } from "./operation.ts";
import { ownItem, revise } from "./own-item.ts";
import { assumed, id, inPath } from "./parameters.ts";

const answer = z.object({ item_categories: z.array(itemCategoryBody) });
const link = { item_id: assumed(id, "the product"), category_id: assumed(id, "the category") };

function toBody({ market }: Call, item: SandboxItem) {
  const { item_id } = item;
  return {
    item_categories: market.categories
      .ofItem(item)
      .map(({ category_id, name }) => ({ item_id, category_id, name })),
  };
}

export const itemCategoriesOperations = [
  bearer({
    id: "item-categories",
    method: "GET",
    path: "/1/item_categories/detail/:item_id",
    purpose: "categories of a product",
    scope: "read_items",
    parameters: { item_id: inPath(id, "the product") },
    answer,
    run: ({ item_id }, call) => toBody(call, ownItem(call, item_id)),
  }),
  bearer({
    id: "item-categories-add",
    method: "POST",
    path: "/1/item_categories/add",
    purpose: "attach a category to a product",
    scope: "write_items",
    parameters: link,
    answer,
    run({ item_id, category_id }, call) {
      const item = ownItem(call, item_id);
      const { name } = call.market.categories.get(call.shop.shop_id, category_id);
      if (item.categories.includes(name)) return toBody(call, item);
      return toBody(call, revise(call, item, { categories: [...item.categories, name] }));
    },
  }),
  bearer({
    id: "item-categories-delete",
    method: "POST",
    path: "/1/item_categories/delete",
    purpose: "detach a category from a product",
    scope: "write_items",
    parameters: link,
    answer,
    run({ item_id, category_id }, call) {
      const item = ownItem(call, item_id);
      const { name } = call.market.categories.get(call.shop.shop_id, category_id);
      const categories = item.categories.filter((held) => held !== name);
      if (categories.length === item.categories.length) return toBody(call, item);
      return toBody(call, revise(call, item, { categories }));
    },
  }),
];
