import { readProduct, type ProductRecord } from "../../catalog/products.ts";
import { answer } from "../http/answer.ts";
import type { ApiDeps } from "../http/deps.ts";
import { idParam } from "../http/parameters.ts";
import { refuse } from "../http/problems/problem.ts";
import { publicRoute, jsonAnswer, gone, notFound, createRoutes, strict } from "../http/route.ts";
import { productSchema } from "./product-schema.ts";
import { toIso } from "../http/to-members.ts";
import { toProduct } from "./to-product.ts";

export const productParams = strict({ item_id: idParam() });

const route = publicRoute("get /v1/products/{item_id}", {
  operationId: "getProduct",
  tags: ["products"],
  summary: "One product as it was last observed",
  request: { params: productParams },
  responses: { 200: jsonAnswer("The product", productSchema), ...notFound, ...gone },
});

export function productRoutes({ db, clock, demand, market }: ApiDeps) {
  return createRoutes().openapi(route, async (c) => {
    const { item_id: itemId } = c.req.valid("param");
    const record = requireLiving(await readProduct(db, itemId));
    demand.opened(itemId);
    const body = toProduct(record, market, clock.now());
    return answer(c, body, { ...body, age_s: null });
  });
}

export function requireProduct(record: ProductRecord | null): ProductRecord {
  const detail = "no product with this item_id has ever been seen";
  return record ?? refuse(404, "product_not_found", detail);
}

/** Throws 404 for a product that was never seen, 410 for a deleted one. */
export function requireLiving(found: ProductRecord | null): ProductRecord {
  const record = requireProduct(found);
  if (record.deletedAt === null) return record;
  const at = toIso(record.deletedAt);
  const detail = `the shop has deleted this product; this was seen at ${at}`;
  refuse(410, "product_gone", detail, { extra: { gone_at: at } });
}
