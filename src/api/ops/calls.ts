import { createRoute, z } from "@hono/zod-openapi";
import { callStatuses, readCalls, type CallRecord } from "../../crawl/budget/call-log.ts";
import type { ApiDeps } from "../http/deps.ts";
import { choiceParam, integerParam } from "../http/parameters.ts";
import { toIso } from "../products/to-product.ts";
import { createRoutes, strict } from "../http/validation.ts";
import { opsFailures, opsRoute } from "./context.ts";
import { instantSchema, json } from "../http/schema-parts.ts";

const count = z.int().nullable();

const callSchema = z
  .object({
    id: z.int(),
    day: z.string(),
    purpose: z.string(),
    operation: z.string(),
    job: z.string(),
    params: z.record(z.string(), z.unknown()).openapi({ description: "never with credentials" }),
    reserved_at: instantSchema,
    finished_at: instantSchema.nullable(),
    outcome: z.string().nullable().openapi({
      description: "ok, or the code of the failure; null: unknown, but counted",
    }),
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

const purposes = ["discovery", "revalidation", "on_demand"] as const;

const route = createRoute({
  ...opsRoute,
  method: "get",
  path: "/calls",
  operationId: "listCalls",
  summary: "The ledger of calls, newest first",
  request: {
    query: strict({
      limit: integerParam(1, 1000).default(100).openapi({ default: 100 }),
      purpose: choiceParam(purposes).optional(),
      status: choiceParam(callStatuses).optional(),
    }),
  },
  responses: {
    200: {
      description: "Calls",
      content: json(z.object({ items: z.array(callSchema) }).openapi("CallList")),
    },
    ...opsFailures,
  },
});

export function callRoutes({ opsDb }: Pick<ApiDeps, "opsDb">) {
  return createRoutes().openapi(route, async (c) => {
    const calls = await readCalls(opsDb, c.req.valid("query"));
    return c.json({ items: calls.map(toCall) }, 200);
  });
}

function toCall(call: CallRecord): z.infer<typeof callSchema> {
  const { reservedAt, finishedAt, durationMs, ...rest } = call;
  return {
    ...rest,
    reserved_at: toIso(reservedAt),
    finished_at: toIso(finishedAt),
    duration_ms: durationMs,
  };
}
