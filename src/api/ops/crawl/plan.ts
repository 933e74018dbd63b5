import { z } from "@hono/zod-openapi";
import {
  readPlanReport,
  readPlan,
  readPresentRules,
  type PlanReport,
  toWarningText,
} from "../../../crawl/plan-report.ts";
import { toReasonText } from "../../../crawl/scoring/reason.ts";
import type { ApiDeps } from "../../http/deps.ts";
import { bodyInteger, bodyNumber, limitParam } from "../../http/parameters.ts";
import { jsonAnswer, requiredJson, createRoutes, strict } from "../../http/route.ts";
import { opsRoute } from "../context.ts";
import { membersOf } from "../../http/to-members.ts";

const forecastSchema = z.object({
  freshness: z
    .number()
    .describe(
      "share of time in which a stored product equals the upstream, weighted by importance",
    ),
  price: z.number().describe("freshness a call gains, in weight-days"),
  bound_days: z.number().describe("every product is checked within this time"),
  max_age_calls_per_day: z.number(),
  promise: z.array(
    z.object({
      min_weight: z.number(),
      share_of_products: z.number(),
      checked_within_h_p95: z.number(),
    }),
  ),
});

const planReportSchema = z
  .object({
    fresh_now: z.number().nullable(),
    products: z.int(),
    calls_per_day: z.number(),
    fill: z.number().describe("how full recent refresh calls were, 1 for 50 ids"),
    forecast: forecastSchema.nullable(),
    target_calls_per_day: z.number().nullable(),
    warnings: z.array(z.string()),
  })
  .openapi("PlanReport");

const planSchema = z
  .object({
    calls: z.array(
      z.object({
        job: z.string(),
        operation: z.enum(["search", "refresh"]),
        params: z.record(z.string(), z.unknown()),
        worth: z.number().nullable(),
        why: z.string(),
      }),
    ),
    plan_report: planReportSchema,
  })
  .openapi("Plan");

const planRoute = opsRoute("get /plan", {
  operationId: "getPlan",
  summary: "The next calls with their value, and the expected freshness; spends nothing",
  request: {
    query: strict({ calls: limitParam(1000, 100) }),
  },
  responses: { 200: jsonAnswer("Plan", planSchema) },
});

const whatIfBody = strict({
  calls_per_day: bodyInteger(1, 10_000_000).optional(),
  max_age_days: bodyNumber(0.01, 3650).optional(),
  shop_weights: z
    .record(z.string(), bodyNumber(0, 1000), "must be an object of numbers")
    .optional(),
  target: strict({ min_weight: bodyNumber(0, 1000), hours: bodyNumber(0.01, 87_600) }).optional(),
}).openapi("WhatIf");

const whatIfRoute = opsRoute("post /plan/what-if", {
  operationId: "askWhatIf",
  summary:
    "Freshness under another budget, maximum age or weights, from learned rates; spends nothing",
  request: { body: requiredJson(whatIfBody) },
  responses: { 200: jsonAnswer("Plan report", planReportSchema) },
});

/** Milliseconds. A plan takes dozens of statements: who asks meanwhile gets the same one. */
const trustMs = 1000;

export function planRoutes({ opsDb, clock, budget, cache }: ApiDeps) {
  const present = () => readPresentRules(opsDb, budget, clock.now());
  const plans = cache.open<z.infer<typeof planSchema>>("plan", trustMs);
  const read = async (most: number) => {
    const request = await present();
    const steps = await readPlan(opsDb, clock.now(), { most, ...budget });
    const planReport = await readPlanReport(opsDb, clock.now(), request);
    const calls = steps.map(({ value, why, ...step }) => ({
      ...step,
      worth: value,
      why: toReasonText(why),
    }));
    return { calls, plan_report: toPlanReport(planReport) };
  };
  return createRoutes()
    .openapi(planRoute, async (c) => {
      const { calls: most } = c.req.valid("query");
      return c.json(await plans.fetch(String(most), () => read(most)), 200);
    })
    .openapi(whatIfRoute, async (c) => {
      const body = c.req.valid("json");
      const request = await present();
      const planReport = await readPlanReport(opsDb, clock.now(), {
        ...request,
        callsPerDay: body.calls_per_day ?? request.callsPerDay,
        maxAgeDays: body.max_age_days ?? request.maxAgeDays,
        ...(body.shop_weights ? { shopWeights: body.shop_weights } : {}),
        target: body.target
          ? { minWeight: body.target.min_weight, hours: body.target.hours }
          : request.target,
        observedLimit: body.calls_per_day === undefined ? request.observedLimit : null,
      });
      return c.json(toPlanReport(planReport), 200);
    });
}

function toPlanReport(report: PlanReport): z.infer<typeof planReportSchema> {
  return {
    ...membersOf(planReportSchema, { ...report.rules, ...report }),
    forecast: report.forecast && {
      ...membersOf(forecastSchema, { ...report.forecast, price: report.forecast.threshold }),
      promise: report.forecast.promise.map(({ minWeight, share, hoursP95 }) => ({
        min_weight: minWeight,
        share_of_products: share,
        checked_within_h_p95: hoursP95,
      })),
    },
    warnings: report.warnings.map(toWarningText),
  };
}
