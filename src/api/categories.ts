import { createRoute, z } from "@hono/zod-openapi";
import { countCategories } from "../search/query/category-counts.ts";
import { answer } from "./http/answer.ts";
import type { ApiDeps } from "./http/deps.ts";
import { integerParam } from "./http/parameters.ts";
import { badRequest, unavailable } from "./http/problem.ts";
import { createRoutes, strict } from "./http/validation.ts";
import { json } from "./http/schema-parts.ts";

const categoriesSchema = z
  .object({
    found: z.int(),
    page: z.int(),
    per_page: z.int(),
    items: z.array(
      z
        .object({
          category: z.string(),
          products: z.int().openapi({ description: "products not proven deleted" }),
          in_stock: z.int().openapi({ description: "how many of them are in stock" }),
        })
        .openapi("Category"),
    ),
  })
  .openapi("CategoryList");

const route = createRoute({
  method: "get",
  path: "/v1/categories",
  operationId: "listCategories",
  tags: ["categories"],
  summary: "All categories, those with most products first",
  description: "Counted at most once a minute. A product may be in several categories.",
  request: {
    query: strict({
      page: integerParam(1, 100_000).default(1).openapi({ default: 1 }),
      per_page: integerParam(1, 1000).default(100).openapi({ default: 100 }),
    }),
  },
  responses: {
    200: { description: "A page", content: json(categoriesSchema) },
    ...badRequest,
    ...unavailable,
  },
});

const trustMs = 60_000;

export function categoryRoutes(deps: Pick<ApiDeps, "db" | "cache" | "searchClient">) {
  const read = deps.cache.remember("category counts", trustMs, () =>
    countCategories(deps.db, deps.searchClient),
  );
  return createRoutes().openapi(route, async (c) => {
    const { page, per_page: perPage } = c.req.valid("query");
    const all = await read();
    const items = all
      .slice((page - 1) * perPage, page * perPage)
      .map(({ category, products, inStock }) => ({ category, products, in_stock: inStock }));
    return answer(c, { found: all.length, page, per_page: perPage, items });
  });
}
