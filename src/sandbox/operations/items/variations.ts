import { itemLimits } from "../../assumptions.ts";
import { sumStock } from "../../catalogue/generate.ts";
import { oneItem, ownItem, revise, showItem } from "../bodies.ts";
import { operationsOf } from "../operation.ts";
import { assumed, id, refusal, whole } from "../parameters.ts";

const stock = whole(0, itemLimits.stock).optional();

const operation = operationsOf("items");

export const variationOperations = [
  operation("POST /1/items/edit_stock", "update stock count", {
    parameters: {
      item_id: assumed(id, "the product"),
      stock: assumed(stock, "its stock, when it has no variations"),
      variation_id: assumed(id.optional(), "the variation, when it has some"),
      variation_stock: assumed(stock, "the variation's stock"),
    },
    answer: oneItem,
    run({ item_id, stock, variation_id, variation_stock }, call) {
      const item = ownItem(call, item_id);
      if (item.variations.length === 0) {
        if (variation_id !== undefined) throw refusal("variation_id");
        if (stock === undefined) throw refusal("stock");
        return showItem(revise(call, item, { stock }));
      }
      if (!item.variations.some((v) => v.variation_id === variation_id)) {
        throw refusal("variation_id");
      }
      if (variation_stock === undefined) throw refusal("variation_stock");
      const variations = item.variations.map((v) =>
        v.variation_id === variation_id ? { ...v, variation_stock } : v,
      );
      return showItem(revise(call, item, { variations, stock: sumStock(variations) }));
    },
  }),
  operation("POST /1/items/delete_variation", "delete a variation", {
    parameters: {
      item_id: assumed(id, "the product"),
      variation_id: assumed(id, "the variation"),
    },
    answer: oneItem,
    run({ item_id, variation_id }, call) {
      const item = ownItem(call, item_id);
      const variations = item.variations.filter((v) => v.variation_id !== variation_id);
      if (variations.length === item.variations.length) throw refusal("variation_id");
      return showItem(revise(call, item, { variations, stock: sumStock(variations) }));
    },
  }),
];
