import { z } from "@hono/zod-openapi";
import { answerOnce } from "../http/answer.ts";
import type { ApiDeps } from "../http/deps.ts";
import { integerParam } from "../http/parameters.ts";
import {
  publicRoute,
  instantSchema,
  json,
  jsonAnswer,
  gone,
  notFound,
  createRoutes,
  strict,
} from "../http/route.ts";
import { productParams } from "./product.ts";
import { productSchema } from "./product-schema.ts";
import { createRefresh } from "./refresh-product.ts";
import { toIso } from "../http/to-members.ts";
import { toProduct } from "./to-product.ts";

const query = strict({
  min_age_s: integerParam(1, 86_400).default(10).openapi({
    default: 10,
    description: "if the product was checked within this many seconds, the answer needs no call",
  }),
});

const queuedSchema = z
  .object({
    item_id: z.int(),
    status: z.literal("queued"),
    eta_s: z.int().describe("estimated seconds until it is checked"),
    checked_at: instantSchema.describe("last check so far"),
  })
  .openapi("QueuedRefresh");

const route = publicRoute({
  method: "post",
  path: "/v1/products/{item_id}/refresh",
  operationId: "refreshProduct",
  tags: ["products"],
  summary: "Check a product upstream now",
  description:
    "Uses the day's quota of calls for refresh on demand. Requests for products of one shop share a call, and one API key or, without a key, one address can use a fifth of the quota. Without a key all pages of other sites use one such fifth together. To wait longer, ask again: the same request continues.",
  request: { params: productParams, query },
  responses: {
    200: jsonAnswer("The product as it is now", productSchema),
    202: {
      description: "Queued; `Location` is the product, `Retry-After` says when to read it",
      content: json(queuedSchema),
      headers: {
        Location: { description: "The product", required: true, schema: { type: "string" } },
        "Retry-After": { $ref: "#/components/headers/Retry-After" },
      },
    },
    ...notFound,
    ...gone,
  },
});

export function refreshRoutes(deps: Parameters<typeof createRefresh>[0] & ApiDeps) {
  const refresh = createRefresh(deps);
  return createRoutes().openapi(route, async (c) => {
    const { item_id: itemId } = c.req.valid("param");
    const refreshed = await refresh(c, itemId, c.req.valid("query").min_age_s);
    if (refreshed.state === "fresh") {
      return answerOnce(c, toProduct(refreshed.record, deps.market, deps.clock.now()));
    }
    const body: z.infer<typeof queuedSchema> = {
      item_id: itemId,
      status: "queued",
      eta_s: refreshed.etaSeconds,
      checked_at: toIso(refreshed.record.checkedAt),
    };
    return c.json(body, 202, {
      Location: `/v1/products/${itemId}`,
      "Retry-After": String(refreshed.etaSeconds),
      "Cache-Control": "no-store",
    });
  });
}
