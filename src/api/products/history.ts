import { z } from "@hono/zod-openapi";
import { readDays, readIntervals } from "../../catalog/history/history.ts";
import { noLows, readLows } from "../../catalog/history/lows.ts";
import { readProduct } from "../../catalog/products.ts";
import { answer } from "../http/answer.ts";
import type { ApiDeps } from "../http/deps.ts";
import { choiceParam, instantParam, integerParam, orElse, ruleOf } from "../http/parameters.ts";
import {
  publicRoute,
  currencySchema,
  instantSchema,
  jsonAnswer,
  notFound,
  createRoutes,
  strict,
  intOrNull,
} from "../http/route.ts";
import { lowsSchema, toLows } from "./product-schema.ts";
import { requireProduct, productParams } from "./product.ts";
import { toIso, membersOf } from "../http/to-members.ts";

const intervalSchema = z
  .object({
    price: z.int(),
    proper_price: z.int().nullable(),
    stock: z.int(),
    first_seen: instantSchema,
    last_confirmed: instantSchema,
  })
  .openapi("PriceInterval");

const daySchema = z
  .object({
    day: z.string().openapi({
      format: "date",
      example: "2026-01-31",
      description: "of the marketplace's calendar",
    }),
    lowest_price: intOrNull("lowest price confirmed on this day; null: the shop stated none"),
    price: intOrNull("at the last check of the day, as proper_price; null: the shop stated none"),
    proper_price: z.int().nullable(),
    stock_min: z.int(),
    stock_max: z.int(),
    confirmed: z
      .int()
      .describe(
        "known checks on this day: those at both ends of an interval, and the last one of the day",
      ),
    last_confirmed: instantSchema,
  })
  .openapi("PriceDay");

const granularities = ["interval", "day"] as const;

const historySchema = z
  .object({
    item_id: z.int(),
    currency: currencySchema,
    granularity: z.enum(granularities),
    intervals: z
      .array(intervalSchema)
      .describe("oldest first; nothing is known between two of them. Empty with `granularity=day`"),
    days: z
      .array(daySchema)
      .describe(
        "oldest first; a day without a known check is absent. Empty without `granularity=day`",
      ),
    next: instantSchema
      .nullable()
      .describe(
        "there is more before these: give this as `until` for the page before. null: there is not",
      ),
    lows: lowsSchema,
  })
  .openapi("History");

const mostRows = 1000;

const query = strict({
  since: instantParam("only what was so at that time or later").optional(),
  until: instantParam(
    "only what was so at that time or before; with `granularity=day`, the first and last day have the checks between `since` and `until` alone",
  ).optional(),
  granularity: orElse(choiceParam(granularities), "interval", {
    description:
      "interval: one row for each period of unchanged values; day: one row for each day with a check",
  }),
  limit: orElse(integerParam(1, mostRows), mostRows, {
    description:
      "most rows, the newest ones; with `granularity=day` a page covers at most so many days and may be empty although `next` leads on",
  }),
}).superRefine(
  ({ since, until }, ctx) => {
    if (since && until && since > until) {
      ctx.addIssue({ code: "custom", path: ["since"], message: "must not be after until" });
    }
  },
  ruleOf("since", "until"),
);

const route = publicRoute("get /v1/products/{item_id}/history", {
  operationId: "getProductHistory",
  tags: ["products"],
  summary: "Confirmed prices and stock over time, also of deleted products",
  request: { params: productParams, query },
  responses: { 200: jsonAnswer("History", historySchema), ...notFound },
});

export function historyRoutes({ db, clock, demand, market, budget: { timezone } }: ApiDeps) {
  return createRoutes().openapi(route, async (c) => {
    const { item_id: itemId } = c.req.valid("param");
    const { granularity, ...window } = c.req.valid("query");
    const product = requireProduct(await readProduct(db, itemId));
    demand.opened(itemId);
    const [page, lows] = await Promise.all([
      granularity === "day"
        ? readDays(db, product, { ...window, timezone })
        : readIntervals(db, itemId, window),
      readLows(db, [itemId], clock.now()),
    ]);
    return answer(c, {
      item_id: itemId,
      currency: market.currency,
      granularity,
      intervals: page.rows.flatMap((row) => ("day" in row ? [] : [membersOf(intervalSchema, row)])),
      days: page.rows.flatMap((row) => ("day" in row ? [membersOf(daySchema, row)] : [])),
      next: toIso(page.next),
      lows: toLows(lows.get(itemId) ?? noLows),
    });
  });
}
