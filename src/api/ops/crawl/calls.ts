import { z } from "@hono/zod-openapi";
import {
  callStatuses,
  findCalls,
  readCall,
  type CallDetail,
} from "../../../crawl/budget/call-log.ts";
import { isDay } from "../../../lib/calendar.ts";
import type { ApiDeps } from "../../http/deps.ts";
import { choiceParam, idParam, limitParam, textParam } from "../../http/parameters.ts";
import { refuse } from "../../http/problems/problem.ts";
import {
  createRoutes,
  strict,
  instantSchema,
  jsonAnswer,
  objectAnswer,
  nextPage,
  notFound,
  textOrNull,
} from "../../http/route.ts";
import { opsRoute } from "../context.ts";
import { toMembers, toIso } from "../../http/to-members.ts";
import { readFailures, reportRanges } from "../../../crawl/budget/usage-report.ts";

const count = z.int().nullable();

const callSchema = z
  .object({
    id: z.int(),
    day: z.string(),
    account: z.string().describe("the upstream account that paid for it"),
    purpose: z.string(),
    operation: z.string(),
    job: z.string(),
    params: z.record(z.string(), z.unknown()).describe("never with credentials"),
    reserved_at: instantSchema,
    finished_at: instantSchema.nullable(),
    outcome: textOrNull("ok, or the code of the failure; null: unknown, but counted"),
    error: z.string().nullable(),
    duration_ms: count,
    found: count,
    asked: count,
    returned: count,
    created: count,
    changed: count,
    unchanged: count,
    gone: count,
    quarantined: count,
    duplicates: count,
  })
  .openapi("Call");

const callDetailSchema = callSchema
  .extend({
    products: z
      .array(
        z.object({
          item_id: z.int(),
          title: textOrNull("null: never seen"),
          shop_name: z.string().nullable(),
          deleted: z.boolean().describe("this call proved that it is gone"),
          change: z
            .object({
              price: z.int(),
              stock: z.int(),
              prev_price: count.describe("null: its first price"),
              prev_stock: count,
            })
            .nullable()
            .describe("null: price and stock did not change"),
        }),
      )
      .describe(
        "those it asked for by id, and those it proved deleted; of the items of a search no list is kept",
      ),
    quarantine: z.array(z.object({ id: z.int(), item_id: z.int().nullable(), reason: z.string() })),
  })
  .openapi("CallDetail");

const purposes = ["discovery", "revalidation", "on_demand"] as const;

const dayParam = textParam(10)
  .refine(isDay, "must be a day, such as 2026-01-31")
  .openapi({ type: "string", format: "date" });

const route = opsRoute("get /calls", {
  operationId: "listCalls",
  summary: "The ledger of calls, newest first",
  description:
    "With filters, a page looks at some thousand calls at most: it may be short or empty and still have a `next`.",
  request: {
    query: strict({
      limit: limitParam(1000, 100),
      purpose: choiceParam(purposes).optional(),
      status: choiceParam(callStatuses).optional(),
      outcome: textParam(100).optional().describe("the code of the failure"),
      shop_id: textParam(255).optional(),
      q: textParam(200).optional().describe("a part of the keyword"),
      day: dayParam.optional().describe("of the upstream's calendar"),
      before: idParam().optional(),
    }),
  },
  responses: {
    200: objectAnswer("Calls", "CallList", {
      items: z.array(callSchema),
      next: nextPage(z.int(), "before"),
    }),
  },
});

const detailRoute = opsRoute("get /calls/{id}", {
  operationId: "getCall",
  summary: "One call: what it asked, what it cost, and what it found and changed",
  request: { params: strict({ id: idParam() }) },
  responses: { 200: jsonAnswer("The call", callDetailSchema), ...notFound },
});

export function callRoutes({ opsDb, clock, budget }: ApiDeps) {
  return createRoutes()
    .openapi(route, async (c) => {
      const { shop_id: shopId, ...filter } = c.req.valid("query");
      const { items, next } = await findCalls(opsDb, { ...filter, shopId });
      return c.json({ items: items.map(toMembers), next }, 200);
    })
    .openapi(detailRoute, async (c) => {
      const detail = await readCall(opsDb, c.req.valid("param").id);
      const found = detail ?? refuse(404, "call_not_found", "there is no such call");
      return c.json(toDetail(found), 200);
    })
    .openapi(failuresRoute, async (c) => {
      const { range } = c.req.valid("query");
      const { timezone } = budget;
      const found = await readFailures(opsDb, { range, now: clock.now(), timezone });
      const steps = found.map(({ at, day, calls, failures }) => ({
        day,
        hour: day === null ? toIso(at) : null,
        calls,
        failures: [...failures]
          .map(([code, failed]) => ({ code, calls: failed }))
          .toSorted((a, b) => b.calls - a.calls),
      }));
      return c.json({ steps }, 200);
    });
}

function toDetail({ call, products, quarantined }: CallDetail): z.infer<typeof callDetailSchema> {
  return {
    ...toMembers(call),
    products: products.map(({ isDeleted, change, ...product }) => ({
      ...toMembers(product),
      deleted: isDeleted,
      change: change && toMembers(change),
    })),
    quarantine: quarantined.map(toMembers),
  };
}

const stepSchema = z
  .object({
    day: textOrNull("of the upstream's calendar; null for an hour"),
    hour: instantSchema.nullable().describe("its beginning; null for a day"),
    calls: z.int(),
    failures: z
      .array(z.object({ code: z.string(), calls: z.int() }))
      .describe("most first; calls with unknown outcome are no failures"),
  })
  .openapi("FailureStep");

const failuresRoute = opsRoute("get /failures", {
  operationId: "getFailures",
  summary:
    "Failed calls by kind: of the last 24 hours by the hour, or of 7 or 30 days by the day; oldest first",
  request: { query: strict({ range: choiceParam(reportRanges).default("day") }) },
  responses: {
    200: objectAnswer("Hours or days", "FailureReport", { steps: z.array(stepSchema) }),
  },
});
