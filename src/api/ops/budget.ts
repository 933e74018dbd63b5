import { createRoute, z } from "@hono/zod-openapi";
import { readBudget, type BudgetToday } from "../../crawl/budget/budget.ts";
import type { ApiDeps } from "../http/deps.ts";
import { toIso } from "../products/to-product.ts";
import { createRoutes, strict } from "../http/validation.ts";
import { opsFailures, opsRoute } from "./context.ts";
import { instantSchema, json } from "../http/schema-parts.ts";

const budgetSchema = z
  .object({
    day: z.string(),
    timezone: z.string(),
    limit: z.int().openapi({
      description:
        "the present STOREFRONT_DAILY_LIMIT, compared at every call; may be less than used after it was lowered",
    }),
    used: z.int(),
    remaining: z
      .int()
      .openapi({ description: "0 once the limit is reached or the upstream refused" }),
    expected: z.int().openapi({
      description:
        "expected calls: fewer than the limit after the upstream ended a day early, until a later day allows more",
    }),
    resets_at: instantSchema,
    by_purpose: z.object({ discovery: z.int(), revalidation: z.int(), on_demand: z.int() }),
    upstream_refused_at: instantSchema.nullable(),
  })
  .openapi("Budget");

const route = createRoute({
  ...opsRoute,
  method: "get",
  path: "/budget",
  operationId: "getBudget",
  summary: "Today's calls, in the upstream's calendar",
  request: { query: strict({}) },
  responses: {
    200: { description: "Budget", content: json(budgetSchema) },
    ...opsFailures,
  },
});

export function budgetRoutes({
  opsDb,
  clock,
  budget,
}: Pick<ApiDeps, "opsDb" | "clock" | "budget">) {
  return createRoutes().openapi(route, async (c) =>
    c.json(toBudget(await readBudget(opsDb, clock.now(), budget)), 200),
  );
}

function toBudget(today: BudgetToday): z.infer<typeof budgetSchema> {
  return {
    day: today.day,
    timezone: today.timezone,
    limit: today.limit,
    used: today.used,
    remaining: today.remaining,
    expected: today.expected,
    resets_at: toIso(today.resetsAt),
    by_purpose: today.byPurpose,
    upstream_refused_at: toIso(today.refusedAt),
  };
}
