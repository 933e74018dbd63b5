import { z } from "zod";
import { itemLimits } from "../assumptions.ts";
import { sumStock } from "../generate.ts";
import { itemBody, toItemBody } from "./bodies.ts";
import { bearer } from "./operation.ts";
import { ownItem, revise } from "./own-item.ts";
import { assumed, id, refusal, whole } from "./parameters.ts";

const stock = whole(0, itemLimits.stock).optional();

export const variationOperations = [
  bearer({
    id: "items-edit-stock",
    method: "POST",
    path: "/1/items/edit_stock",
    purpose: "update stock count",
    scope: "write_items",
    parameters: {
      item_id: assumed(id, "the product"),
      stock: assumed(stock, "its stock, when it has no variations"),
      variation_id: assumed(id.optional(), "the variation, when it has some"),
      variation_stock: assumed(stock, "the variation's stock"),
    },
    answer: z.object({ item: itemBody }),
    run({ item_id, stock, variation_id, variation_stock }, call) {
      const item = ownItem(call, item_id);
      if (item.variations.length === 0) {
        if (variation_id !== undefined) throw refusal("variation_id");
        if (stock === undefined) throw refusal("stock");
        return { item: toItemBody(revise(call, item, { stock })) };
      }
      if (!item.variations.some((v) => v.variation_id === variation_id)) {
        throw refusal("variation_id");
      }
      if (variation_stock === undefined) throw refusal("variation_stock");
      const variations = item.variations.map((v) =>
        v.variation_id === variation_id ? { ...v, variation_stock } : v,
      );
      const set = { variations, stock: sumStock(variations) };
      return { item: toItemBody(revise(call, item, set)) };
    },
  }),
  bearer({
    id: "items-delete-variation",
    method: "POST",
    path: "/1/items/delete_variation",
    purpose: "delete a variation",
    scope: "write_items",
    parameters: {
      item_id: assumed(id, "the product"),
      variation_id: assumed(id, "the variation"),
    },
    answer: z.object({ item: itemBody }),
    run({ item_id, variation_id }, call) {
      const item = ownItem(call, item_id);
      const variations = item.variations.filter((v) => v.variation_id !== variation_id);
      if (variations.length === item.variations.length) throw refusal("variation_id");
      const set = { variations, stock: sumStock(variations) };
      return { item: toItemBody(revise(call, item, set)) };
    },
  }),
];
