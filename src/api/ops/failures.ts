import { z } from "@hono/zod-openapi";
import { readFailures, reportRanges } from "../../crawl/budget/usage-report.ts";
import type { ApiDeps } from "../http/deps.ts";
import { choiceParam } from "../http/parameters.ts";
import { instantSchema, objectAnswer } from "../http/route.ts";
import { toIso } from "../http/to-members.ts";
import { createRoutes, strict } from "../http/validation.ts";
import { opsRoute } from "./context.ts";

const stepSchema = z
  .object({
    day: z
      .string()
      .nullable()
      .openapi({ description: "of the upstream's calendar; null for an hour" }),
    hour: instantSchema.nullable().openapi({ description: "its beginning; null for a day" }),
    calls: z.int(),
    failures: z
      .array(z.object({ code: z.string(), calls: z.int() }))
      .openapi({ description: "most first; calls with unknown outcome are no failures" }),
  })
  .openapi("FailureStep");

const route = opsRoute({
  method: "get",
  path: "/failures",
  operationId: "getFailures",
  summary:
    "Failed calls by kind: of the last 24 hours by the hour, or of 7 or 30 days by the day; oldest first",
  request: { query: strict({ range: choiceParam(reportRanges).default("day") }) },
  responses: {
    200: objectAnswer("Hours or days", "FailureReport", { steps: z.array(stepSchema) }),
  },
});

export function failureRoutes({ opsDb, clock, budget }: ApiDeps) {
  return createRoutes().openapi(route, async (c) => {
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
