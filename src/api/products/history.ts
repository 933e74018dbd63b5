import { createRoute, z } from "@hono/zod-openapi";
import { readHistory, type History, type Low } from "../../catalog/history.ts";
import { readProduct } from "../../catalog/products.ts";
import { answer } from "../http/answer.ts";
import type { ApiDeps } from "../http/deps.ts";
import { instantParam } from "../http/parameters.ts";
import { badRequest, notFound, unavailable } from "../http/problem.ts";
import { requireProduct, productParams } from "./product.ts";
import { toIso } from "./to-product.ts";
import { createRoutes, refuseFaults, strict } from "../http/validation.ts";
import { currencySchema, instantSchema, json } from "../http/schema-parts.ts";

const intervalSchema = z
  .object({
    price: z.int(),
    proper_price: z.int().nullable(),
    stock: z.int(),
    first_seen: instantSchema,
    last_confirmed: instantSchema,
  })
  .openapi("PriceInterval");

const lowSchema = z
  .object({
    price: z.int(),
    at: instantSchema,
    observations: z.int().openapi({
      description:
        "checks in the period that it is based on: both ends of every interval, and otherwise the last one of each day",
    }),
  })
  .nullable();

const historySchema = z
  .object({
    item_id: z.int(),
    currency: currencySchema,
    intervals: z.array(intervalSchema).openapi({
      description: "oldest first; nothing is known between two of them",
    }),
    lows: z
      .object({ all: lowSchema, "1y": lowSchema, "90d": lowSchema, "30d": lowSchema })
      .openapi({
        description: "lowest price seen, independent of since and until; null if none was seen",
      }),
  })
  .openapi("History");

const query = strict({
  since: instantParam().optional(),
  until: instantParam().optional(),
}).superRefine(({ since, until }, ctx) => {
  if (since && until && since > until) {
    ctx.addIssue({ code: "custom", path: ["since"], message: "must not be after until" });
  }
});

const route = createRoute({
  method: "get",
  path: "/v1/products/{item_id}/history",
  operationId: "getProductHistory",
  tags: ["products"],
  summary: "Confirmed prices and stock over time, also of deleted products",
  request: { params: productParams, query },
  responses: {
    200: { description: "History", content: json(historySchema) },
    ...badRequest,
    ...notFound,
    ...unavailable,
  },
});

export function historyRoutes({
  db,
  clock,
  demand,
  market,
}: Pick<ApiDeps, "db" | "clock" | "demand" | "market">) {
  return createRoutes().openapi(
    route,
    async (c) => {
      const { item_id: itemId } = c.req.valid("param");
      const { since, until } = c.req.valid("query");
      requireProduct(await readProduct(db, itemId));
      demand.opened(itemId);
      const history = await readHistory(db, itemId, { since, until, now: clock.now() });
      return answer(c, { item_id: itemId, currency: market.currency, ...toHistory(history) });
    },
    (result, c) => refuseFaults(result, productParams.safeParse(c.req.param())),
  );
}

function toHistory({ intervals, lows }: History) {
  const toLow = (low: Low | null) => low && { ...low, at: toIso(low.at) };
  return {
    intervals: intervals.map((interval) => ({
      price: interval.price,
      proper_price: interval.properPrice,
      stock: interval.stock,
      first_seen: toIso(interval.firstSeen),
      last_confirmed: toIso(interval.lastConfirmed),
    })),
    lows: {
      all: toLow(lows.all),
      "1y": toLow(lows["1y"]),
      "90d": toLow(lows["90d"]),
      "30d": toLow(lows["30d"]),
    },
  };
}
