import { z } from "zod";
import { itemLimits } from "../assumptions.ts";
import { sumStock } from "../generate.ts";
import type { SandboxItem } from "../item.ts";
import { itemBody, toItemBody } from "./bodies.ts";
import { bearer } from "./operation.ts";
import { ownItem, revise } from "./own-item.ts";
import { assumed, given, id, whole, written } from "./parameters.ts";
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

export const itemChangeOperations = [
  bearer({
    id: "items-add",
    method: "POST",
    path: "/1/items/add",
    purpose: "create a product",
    scope: "write_items",
    parameters: {
      title: assumed(title, "product name"),
      price: assumed(price, "price, tax included"),
      ...optionalFields,
    },
    answer: z.object({ item: itemBody }),
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
      return { item: toItemBody(item) };
    },
  }),
  bearer({
    id: "items-edit",
    method: "POST",
    path: "/1/items/edit",
    purpose: "update a product",
    scope: "write_items",
    parameters: {
      item_id: assumed(id, "the product; what is not sent stays as it is"),
      title: assumed(title.optional(), "product name"),
      price: assumed(price.optional(), "price, tax included"),
      ...optionalFields,
      variation_id: variationIds,
    },
    answer: z.object({ item: itemBody }),
    run({ item_id, ...input }, call) {
      const [lists, fields] = splitVariations(input);
      const item = ownItem(call, item_id);
      const variations = mergeVariations(item.variations, lists, call.market.ids);
      const set = { ...given(fields), variations };
      if (variations.length > 0) set.stock = sumStock(variations);
      return { item: toItemBody(revise(call, item, set)) };
    },
  }),
  bearer({
    id: "items-delete",
    method: "POST",
    path: "/1/items/delete",
    purpose: "delete a product",
    scope: "write_items",
    parameters: { item_id: assumed(id, "the product") },
    answer: z.object({ result: z.literal(true) }),
    run({ item_id }, call) {
      call.market.catalog.remove(ownItem(call, item_id).item_id);
      return { result: true };
    },
  }),
];
