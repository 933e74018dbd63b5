import { z } from "@hono/zod-openapi";
import { priceDropSorts, readPriceDrops } from "../../catalog/history/price-drops.ts";
import { livingOf, readProducts } from "../../catalog/products.ts";
import { answer } from "../http/answer.ts";
import type { ApiDeps } from "../http/deps.ts";
import {
  booleanParam,
  choiceParam,
  depthRule,
  instantParam,
  integerParam,
  limitParam,
  orElse,
} from "../http/parameters.ts";
import {
  publicRoute,
  currencySchema,
  instantSchema,
  jsonAnswer,
  createRoutes,
  strict,
} from "../http/route.ts";
import { names } from "./search/product-query.ts";
import { productSchema } from "./product-schema.ts";
import { toIso, membersOf } from "../http/to-members.ts";
import { toProduct } from "./to-product.ts";

const dropSchema = z
  .object({
    price_before: z.int(),
    price: z.int().describe("the lower price"),
    drop_percent: z.int().describe("of price_before, rounded down"),
    seen_at: instantSchema.describe("first check with the lower price"),
    last_seen_before_at: instantSchema.describe(
      "last check with the former price; the price fell between the two checks",
    ),
    current: z.boolean().describe("the product still has this price"),
    product: productSchema.describe("its present state"),
  })
  .openapi("PriceDrop");

const dropsSchema = z
  .object({
    since: instantSchema,
    currency: currencySchema,
    page: z.int(),
    per_page: z.int(),
    more: z.boolean().describe("there is another page"),
    complete: z
      .boolean()
      .describe(
        "false: too many prices fell to examine all; these are among the newest (biggest) of them",
      ),
    items: z.array(dropSchema),
  })
  .openapi("PriceDropList");

const defaultDays = 7;
const maxDepth = 2000;

const query = strict({
  since: instantParam(
    `only prices first seen since then; default: ${defaultDays} days ago`,
  ).optional(),
  min_percent: orElse(integerParam(0, 100), 0),
  shop_id: names("any of these shops"),
  category: names("in any of these categories"),
  current: orElse(booleanParam(), true, {
    description: "false: also prices that have changed since",
  }),
  group: choiceParam(["product"])
    .optional()
    .describe(
      "only the first drop, in this order, of each comparable product (see `/v1/groups`), whatever its shop; `product.group` has the lowest price of all shops",
    ),
  sort: orElse(choiceParam(priceDropSorts), "newest"),
  page: orElse(integerParam(1, maxDepth), 1),
  per_page: limitParam(100, 20),
}).superRefine(
  ...depthRule(
    maxDepth,
    `page × per_page must not exceed ${maxDepth}; to see more, ask with a later since, by shop or by category`,
  ),
);

const route = publicRoute("get /v1/price-drops", {
  operationId: "listPriceDrops",
  tags: ["products"],
  summary: "What became cheaper",
  description:
    "The end of a price that was more than five times too high for at most three days is left out.",
  request: { query },
  responses: { 200: jsonAnswer("A page", dropsSchema) },
});

export function priceDropRoutes({ db, clock, demand, market }: ApiDeps) {
  return createRoutes().openapi(route, async (c) => {
    const { page, per_page: perPage, ...params } = c.req.valid("query");
    const now = clock.now();
    const since = params.since ?? new Date(now.getTime() - defaultDays * 86_400_000);
    const offset = (page - 1) * perPage;
    const { drops, isComplete } = await readPriceDrops(db, {
      since,
      minPercent: params.min_percent,
      onlyCurrent: params.current,
      shopIds: params.shop_id,
      categories: params.category,
      group: params.group,
      sort: params.sort,
      limit: perPage + 1,
      offset,
    });
    const shown = drops.slice(0, perPage);
    const itemIds = shown.map((drop) => drop.itemId);
    const records = await readProducts(db, itemIds);
    const items = shown.flatMap((drop) =>
      livingOf([drop.itemId], records).map((record) => ({
        ...membersOf(dropSchema, drop),
        drop_percent: drop.percent,
        current: drop.isCurrent,
        product: toProduct(record, market, now),
      })),
    );
    const living = items.map(({ product }) => product.item_id);
    demand.shown(living, offset);
    const more = drops.length > perPage;
    const body = {
      since: toIso(since),
      currency: market.currency,
      page,
      per_page: perPage,
      more,
      complete: isComplete,
      items,
    };
    const ageless = items.map((item) => ({ ...item, product: { ...item.product, age_s: null } }));
    return answer(c, body, { ...body, since: params.since ?? null, items: ageless });
  });
}
