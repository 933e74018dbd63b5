import { z } from "@hono/zod-openapi";
import { countShops, readBiggestShops, readShop, type ShopRecord } from "../catalog/shops.ts";
import { toWebUrl } from "../lib/safe-url.ts";
import { answer } from "./http/answer.ts";
import type { ApiDeps } from "./http/deps.ts";
import { depthRule, integerParam, textParam } from "./http/parameters.ts";
import { refuse } from "./http/problems/problem.ts";
import {
  publicRoute,
  instantSchema,
  jsonAnswer,
  webUrlSchema,
  notFound,
  createRoutes,
  strict,
} from "./http/route.ts";
import { toMembers } from "./http/to-members.ts";

/** Most shops in the list: a page reads all shops before it. */
const maxDepth = 50_000;
const trustMs = 30_000;

const shopSchema = z
  .object({
    shop_id: z.string(),
    shop_name: z.string(),
    shop_url: webUrlSchema,
    products: z.int().describe("products not proven deleted"),
    first_seen_at: instantSchema,
    checked_at: instantSchema,
  })
  .openapi("Shop");

const shopsSchema = z
  .object({ found: z.int(), page: z.int(), per_page: z.int(), items: z.array(shopSchema) })
  .openapi("ShopList");

const listRoute = publicRoute({
  method: "get",
  path: "/v1/shops",
  operationId: "listShops",
  tags: ["shops"],
  summary: "All shops, those with most products first",
  request: {
    query: strict({
      page: integerParam(1, maxDepth).default(1).openapi({ default: 1 }),
      per_page: integerParam(1, 100).default(20).openapi({ default: 20 }),
    }).superRefine(
      ...depthRule(
        maxDepth,
        `page × per_page must not exceed ${maxDepth}: smaller shops are found by what they sell`,
      ),
    ),
  },
  responses: { 200: jsonAnswer("A page", shopsSchema) },
});

const params = strict({ shop_id: textParam(2000) });

const oneRoute = publicRoute({
  method: "get",
  path: "/v1/shops/{shop_id}",
  operationId: "getShop",
  tags: ["shops"],
  summary: "One shop",
  request: { params, query: strict({}) },
  responses: { 200: jsonAnswer("The shop", shopSchema), ...notFound },
});

export function shopRoutes({ db, cache }: ApiDeps) {
  const count = cache.remember("number of shops", trustMs, () => countShops(db));
  return createRoutes()
    .openapi(listRoute, async (c) => {
      const { page, per_page: limit } = c.req.valid("query");
      const offset = (page - 1) * limit;
      const shops = await readBiggestShops(db, { limit, offset });
      const found = Math.max(await count(), shops.length === 0 ? 0 : offset + shops.length);
      return answer(c, { found, page, per_page: limit, items: shops.map(toShop) });
    })
    .openapi(oneRoute, async (c) => {
      const shop = await readShop(db, c.req.valid("param").shop_id);
      if (!shop) refuse(404, "shop_not_found", "no shop with this shop_id has ever been seen");
      return answer(c, toShop(shop));
    });
}

function toShop(shop: ShopRecord): z.infer<typeof shopSchema> {
  return { ...toMembers(shop), shop_url: toWebUrl(shop.shopUrl) };
}
