import { z } from "zod";
import { itemLimits } from "../assumptions.ts";
import type { SandboxItem } from "../catalogue/item.ts";
import { categoryRecord } from "../market/categories.ts";
import { done, ownItem, revise } from "./bodies.ts";
import { operationsOf, type Call } from "./operation.ts";
import { assumed, id, inPath, whole, written } from "./parameters.ts";

const categoryId = assumed(id, "the category");
const listOrder = assumed(whole(0, 1_000_000).optional(), "display order");
const name = written(1, itemLimits.nameChars);
const categoryBody = categoryRecord.omit({ shop_id: true });
const oneCategory = z.object({ category: categoryBody });
const operation = operationsOf("items");

const ofItem = z.object({
  item_categories: z.array(
    categoryRecord.pick({ category_id: true, name: true }).extend({ item_id: z.int() }),
  ),
});
const link = { item_id: assumed(id, "the product"), category_id: categoryId };

function toItemCategories({ market }: Call, item: SandboxItem) {
  const { item_id } = item;
  return {
    item_categories: market.categories.ofItem(item).map((category) => ({ item_id, ...category })),
  };
}

export const categoriesOperations = [
  operation("GET /1/categories", "list categories", {
    parameters: {},
    answer: z.object({ categories: z.array(categoryBody) }),
    run: (_, { market, shop }) => ({ categories: market.categories.ofShop(shop.shop_id) }),
  }),
  operation("POST /1/categories/add", "create a category", {
    parameters: { name: assumed(name, "its name, new to the shop"), list_order: listOrder },
    answer: oneCategory,
    run: (input, { market, shop }) => ({
      category: market.categories.add(shop.shop_id, input.name, input.list_order),
    }),
  }),
  operation("POST /1/categories/edit", "update a category", {
    parameters: {
      category_id: categoryId,
      name: assumed(name.optional(), "its new name"),
      list_order: listOrder,
    },
    answer: oneCategory,
    run({ category_id, ...set }, { market, shop }) {
      const category = market.categories.get(shop.shop_id, category_id);
      return { category: market.categories.edit(category, set) };
    },
  }),
  operation("POST /1/categories/delete", "delete a category", {
    parameters: { category_id: categoryId },
    answer: done,
    run({ category_id }, { market, shop }) {
      market.categories.remove(market.categories.get(shop.shop_id, category_id));
      return { result: true };
    },
  }),
  operation("GET /1/item_categories/detail/:item_id", "categories of a product", {
    id: "item-categories",
    parameters: { item_id: inPath(id, "the product") },
    answer: ofItem,
    run: ({ item_id }, call) => toItemCategories(call, ownItem(call, item_id)),
  }),
  operation("POST /1/item_categories/add", "attach a category to a product", {
    parameters: link,
    answer: ofItem,
    run({ item_id, category_id }, call) {
      const item = ownItem(call, item_id);
      const { name } = call.market.categories.get(call.shop.shop_id, category_id);
      if (item.categories.includes(name)) return toItemCategories(call, item);
      const categories = [...item.categories, name];
      return toItemCategories(call, revise(call, item, { categories }));
    },
  }),
  operation("POST /1/item_categories/delete", "detach a category from a product", {
    parameters: link,
    answer: ofItem,
    run({ item_id, category_id }, call) {
      const item = ownItem(call, item_id);
      const { name } = call.market.categories.get(call.shop.shop_id, category_id);
      const categories = item.categories.filter((held) => held !== name);
      if (categories.length === item.categories.length) return toItemCategories(call, item);
      return toItemCategories(call, revise(call, item, { categories }));
    },
  }),
];
