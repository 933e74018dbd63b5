import { z } from "@hono/zod-openapi";
import { readBudget, type BudgetToday } from "../../../crawl/budget/budget-today.ts";
import type { ApiDeps } from "../../http/deps.ts";
import { membersOf, toIso } from "../../http/to-members.ts";
import { createRoutes, instantSchema, jsonAnswer } from "../../http/route.ts";
import { opsRoute } from "../context.ts";

const byPurposeSchema = z.object({
  discovery: z.int(),
  revalidation: z.int(),
  on_demand: z.int(),
});

const pauseSchema = z.object({
  until: instantSchema,
  code: z.string(),
  failures: z.int(),
  reason: z.string(),
});

const accountSchema = z
  .object({
    name: z.string(),
    day: z.string(),
    timezone: z.string(),
    limit: z.int(),
    used: z.int(),
    remaining: z.int().describe("0 while the upstream refuses the account"),
    expected: z.int(),
    resets_at: instantSchema,
    by_purpose: byPurposeSchema,
    upstream_refused_at: instantSchema.nullable(),
    paused: pauseSchema
      .nullable()
      .describe(
        "the upstream refused its credentials or its hour: one call after `until` tries again; other accounts go on",
      ),
  })
  .openapi("BudgetAccount");

const budgetSchema = z
  .object({
    day: z.string(),
    timezone: z.string(),
    limit: z
      .int()
      .describe(
        "the present limit of all accounts, compared at every call; may be less than used after it was lowered",
      ),
    used: z.int(),
    remaining: z.int().describe("0 once the limit is reached or the upstream refused"),
    expected: z
      .int()
      .describe(
        "expected calls: fewer than the limit after the upstream ended a day early, until a later day allows more",
      ),
    resets_at: instantSchema,
    by_purpose: byPurposeSchema,
    upstream_refused_at: instantSchema
      .nullable()
      .describe("once every account is refused for its day"),
    accounts: z
      .array(accountSchema)
      .describe("each upstream account; day, timezone and resets_at above are those of the first"),
  })
  .openapi("Budget");

const route = opsRoute("get /budget", {
  operationId: "getBudget",
  summary: "Today's calls, in the upstream's calendar",
  responses: { 200: jsonAnswer("Budget", budgetSchema) },
});

export function budgetRoutes({ opsDb, clock, budget }: ApiDeps) {
  return createRoutes().openapi(route, async (c) =>
    c.json(toBudget(await readBudget(opsDb, clock.now(), budget)), 200),
  );
}

function toBudget(today: BudgetToday): z.infer<typeof budgetSchema> {
  return {
    ...membersOf(budgetSchema, today),
    upstream_refused_at: toIso(today.refusedAt),
    accounts: today.accounts.map(({ account, pause, ...one }) => ({
      ...membersOf(accountSchema, { ...account, ...one }),
      limit: account.dailyLimit,
      upstream_refused_at: toIso(one.refusedAt),
      paused: pause && membersOf(pauseSchema, pause),
    })),
  };
}
