import { z } from "@hono/zod-openapi";
import { mostListed } from "../catalog/counts.ts";
import { countShops, readBiggestShops, readShops, type ShopRecord } from "../catalog/shops.ts";
import { toWebUrl } from "../lib/safe-url.ts";
import { answer } from "./http/answer.ts";
import type { ApiDeps } from "./http/deps.ts";
import { depthRule, integerParam, limitParam, orElse, textParam } from "./http/parameters.ts";
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
import { names } from "./products/search/product-query.ts";
import { toMembers } from "./http/to-members.ts";

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

const listRoute = publicRoute("get /v1/shops", {
  operationId: "listShops",
  tags: ["shops"],
  summary: "All shops, those with most products first, or the named ones",
  description:
    "With `shop_id` the list has these shops alone, in the order of their ids. This also finds shops whose id is `.` or `..`, which no path can carry: clients take them out of addresses.",
  request: {
    query: strict({
      shop_id: names("only these shops"),
      page: orElse(integerParam(1, mostListed), 1),
      per_page: limitParam(100, 20),
    }).superRefine(
      ...depthRule(
        mostListed,
        `page × per_page must not exceed ${mostListed}: smaller shops are found by what they sell`,
      ),
    ),
  },
  responses: { 200: jsonAnswer("A page", shopsSchema) },
});

const params = strict({ shop_id: textParam(2000) });

const oneRoute = publicRoute("get /v1/shops/{shop_id}", {
  operationId: "getShop",
  tags: ["shops"],
  summary: "One shop",
  description: "Shops whose id is `.` or `..` are found by `GET /v1/shops?shop_id=` alone.",
  request: { params },
  responses: { 200: jsonAnswer("The shop", shopSchema), ...notFound },
});

export function shopRoutes({ db, cache }: ApiDeps) {
  const count = cache.remember("number of shops", trustMs, () => countShops(db));
  return createRoutes()
    .openapi(listRoute, async (c) => {
      const { page, per_page: limit, shop_id: wanted } = c.req.valid("query");
      const offset = (page - 1) * limit;
      if (wanted.length > 0) {
        const all = await readShops(db, [...new Set(wanted)].toSorted());
        const items = all.slice(offset, offset + limit).map(toShop);
        return answer(c, { found: all.length, page, per_page: limit, items });
      }
      const shops = await readBiggestShops(db, { limit, offset });
      const found = Math.max(await count(), shops.length === 0 ? 0 : offset + shops.length);
      return answer(c, { found, page, per_page: limit, items: shops.map(toShop) });
    })
    .openapi(oneRoute, async (c) => {
      const [shop] = await readShops(db, [c.req.valid("param").shop_id]);
      if (!shop) refuse(404, "shop_not_found", "no shop with this shop_id has ever been seen");
      return answer(c, toShop(shop));
    });
}

function toShop(shop: ShopRecord): z.infer<typeof shopSchema> {
  return { ...toMembers(shop), shop_url: toWebUrl(shop.shopUrl) };
}
