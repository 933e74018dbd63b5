import { z } from "zod";
import { given } from "../../../lib/given.ts";
import { itemLimits } from "../../assumptions.ts";
import { sumStock } from "../../catalogue/generate.ts";
import type { SandboxItem } from "../../catalogue/item.ts";
import { done, oneItem, ownItem, revise, showItem } from "../bodies.ts";
import { operationsOf } from "../operation.ts";
import { assumed, id, whole, written } from "../parameters.ts";
import {
  mergeVariations,
  splitVariations,
  variationIds,
  variationLists,
} from "./sent-variations.ts";

const title = written(1, itemLimits.titleChars);
const price = whole(0, itemLimits.price);
const stock = whole(0, itemLimits.stock);
/** An empty text removes the value. */
const cleared = z.literal("").transform(() => null);

const optionalFields = {
  detail: assumed(written(0, itemLimits.detailChars).optional(), "description"),
  proper_price: assumed(
    cleared.or(price).optional(),
    "regular price, tax included; empty takes it away",
  ),
  stock: assumed(stock.optional(), "stock count; follows the variations where there are any"),
  visible: assumed(
    whole(0, 1)
      .pipe(z.literal([0, 1]))
      .optional(),
    "1 = shown, 0 = hidden",
  ),
  list_order: assumed(whole(0, 1_000_000).optional(), "display order"),
  identifier: assumed(
    cleared.or(written(1, itemLimits.identifierChars)).optional(),
    "product code; empty takes it away",
  ),
  ...variationLists,
};

const operation = operationsOf("items");

export const itemChangeOperations = [
  operation("POST /1/items/add", "create a product", {
    parameters: {
      title: assumed(title, "product name"),
      price: assumed(price, "price, tax included"),
      ...optionalFields,
    },
    answer: oneItem,
    run(input, call) {
      const [lists, fields] = splitVariations(input);
      const { market, shop } = call;
      const variations = mergeVariations([], lists, market.ids);
      const { shop_id, shop_name, shop_url } = shop;
      const item: SandboxItem = {
        detail: "",
        proper_price: null,
        stock: 0,
        visible: 1,
        list_order: 1,
        identifier: null,
        ...given(fields),
        title: fields.title,
        price: fields.price,
        item_id: market.newItemId(),
        modified: market.nowSeconds(),
        variations,
        shop_id,
        shop_name,
        shop_url,
        categories: [],
        order_count: 0,
        images: {},
      };
      if (variations.length > 0) item.stock = sumStock(variations);
      market.catalog.put(item);
      return showItem(item);
    },
  }),
  operation("POST /1/items/edit", "update a product", {
    parameters: {
      item_id: assumed(id, "the product; what is not sent stays as it is"),
      title: assumed(title.optional(), "product name"),
      price: assumed(price.optional(), "price, tax included"),
      ...optionalFields,
      variation_id: variationIds,
    },
    answer: oneItem,
    run({ item_id, ...input }, call) {
      const [lists, fields] = splitVariations(input);
      const item = ownItem(call, item_id);
      const variations = mergeVariations(item.variations, lists, call.market.ids);
      const set = { ...given(fields), variations };
      if (variations.length > 0) set.stock = sumStock(variations);
      return showItem(revise(call, item, set));
    },
  }),
  operation("POST /1/items/delete", "delete a product", {
    parameters: { item_id: assumed(id, "the product") },
    answer: done,
    run({ item_id }, call) {
      call.market.catalog.remove(ownItem(call, item_id).item_id);
      return { result: true };
    },
  }),
];
