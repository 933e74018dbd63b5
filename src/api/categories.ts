import { z } from "@hono/zod-openapi";
import { countCategories, mostListed, readCategories } from "../catalog/counts.ts";
import { answer } from "./http/answer.ts";
import type { ApiDeps } from "./http/deps.ts";
import { depthRule, integerParam, limitParam, orElse } from "./http/parameters.ts";
import { publicRoute, jsonAnswer, createRoutes, strict } from "./http/route.ts";
import { toMembers } from "./http/to-members.ts";

const categoriesSchema = z
  .object({
    found: z.int(),
    page: z.int(),
    per_page: z.int(),
    items: z.array(
      z
        .object({
          category: z.string(),
          products: z.int().describe("products not proven deleted"),
          in_stock: z.int().describe("how many of them are in stock"),
        })
        .openapi("Category"),
    ),
  })
  .openapi("CategoryList");

const route = publicRoute("get /v1/categories", {
  operationId: "listCategories",
  tags: ["categories"],
  summary: "All categories, those with most products first",
  description: "A product may be in several categories.",
  request: {
    query: strict({
      page: orElse(integerParam(1, mostListed), 1),
      per_page: limitParam(1000, 100),
    }).superRefine(
      ...depthRule(
        mostListed,
        `page × per_page must not exceed ${mostListed}: rarer categories are found by GET /v1/facets/category`,
      ),
    ),
  },
  responses: { 200: jsonAnswer("A page", categoriesSchema) },
});

const trustMs = 60_000;

export function categoryRoutes({ db, cache }: ApiDeps) {
  const count = cache.remember("number of categories", trustMs, () => countCategories(db));
  return createRoutes().openapi(route, async (c) => {
    const { page, per_page: limit } = c.req.valid("query");
    const offset = (page - 1) * limit;
    const categories = await readCategories(db, { limit, offset });
    const found = Math.max(await count(), categories.length === 0 ? 0 : offset + categories.length);
    return answer(c, { found, page, per_page: limit, items: categories.map(toMembers) });
  });
}
