import { z } from "zod";
import { itemLimits } from "../assumptions.ts";
import { categoryBody } from "./bodies.ts";
import { bearer } from "./operation.ts";
import { assumed, id, whole, written } from "./parameters.ts";

const categoryId = assumed(id, "the category");
const listOrder = assumed(whole(0, 1_000_000).optional(), "display order");
const name = written(1, itemLimits.nameChars);

export const categoriesOperations = [
  bearer({
    id: "categories",
    method: "GET",
    path: "/1/categories",
    purpose: "list categories",
    scope: "read_items",
    parameters: {},
    answer: z.object({ categories: z.array(categoryBody) }),
    run: (_, { market, shop }) => ({
      categories: market.categories.ofShop(shop.shop_id).map((one) => categoryBody.parse(one)),
    }),
  }),
  bearer({
    id: "categories-add",
    method: "POST",
    path: "/1/categories/add",
    purpose: "create a category",
    scope: "write_items",
    parameters: { name: assumed(name, "its name, new to the shop"), list_order: listOrder },
    answer: z.object({ category: categoryBody }),
    run: (input, { market, shop }) => ({
      category: categoryBody.parse(
        market.categories.add(shop.shop_id, input.name, input.list_order),
      ),
    }),
  }),
  bearer({
    id: "categories-edit",
    method: "POST",
    path: "/1/categories/edit",
    purpose: "update a category",
    scope: "write_items",
    parameters: {
      category_id: categoryId,
      name: assumed(name.optional(), "its new name"),
      list_order: listOrder,
    },
    answer: z.object({ category: categoryBody }),
    run({ category_id, ...set }, { market, shop }) {
      const category = market.categories.get(shop.shop_id, category_id);
      return { category: categoryBody.parse(market.categories.edit(category, set)) };
    },
  }),
  bearer({
    id: "categories-delete",
    method: "POST",
    path: "/1/categories/delete",
    purpose: "delete a category",
    scope: "write_items",
    parameters: { category_id: categoryId },
    answer: z.object({ result: z.literal(true) }),
    run({ category_id }, { market, shop }) {
      market.categories.remove(market.categories.get(shop.shop_id, category_id));
      return { result: true };
    },
  }),
];
