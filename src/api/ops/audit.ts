import { createRoute, z } from "@hono/zod-openapi";
import type { ApiDeps } from "../http/deps.ts";
import { integerParam } from "../http/parameters.ts";
import { instantSchema, json } from "../http/schema-parts.ts";
import { toIso } from "../products/to-product.ts";
import { createRoutes, strict } from "../http/validation.ts";
import { readAudit, type AuditRecord } from "./audit-log.ts";
import { opsFailures, opsRoute } from "./context.ts";

const actionSchema = z
  .object({
    id: z.int(),
    at: instantSchema,
    via: z.enum(["api", "console"]),
    action: z.string(),
    subject: z.string().openapi({ description: "the job or the keyword's id, else empty" }),
    detail: z.record(z.string(), z.unknown()).openapi({ description: "as requested" }),
    outcome: z.enum(["done", "refused"]),
    code: z.string().nullable().openapi({ description: "of the refusal" }),
    request_id: z.string(),
  })
  .openapi("AuditedAction");

const route = createRoute({
  ...opsRoute,
  method: "get",
  path: "/audit",
  operationId: "listActions",
  summary: "What operators did and what they were refused, newest first",
  request: {
    query: strict({ limit: integerParam(1, 1000).default(100).openapi({ default: 100 }) }),
  },
  responses: {
    200: {
      description: "Actions",
      content: json(z.object({ items: z.array(actionSchema) }).openapi("AuditLog")),
    },
    ...opsFailures,
  },
});

export function auditRoutes({ opsDb }: Pick<ApiDeps, "opsDb">) {
  return createRoutes().openapi(route, async (c) => {
    const records = await readAudit(opsDb, c.req.valid("query").limit);
    return c.json({ items: records.map(toAction) }, 200);
  });
}

function toAction({ at, requestId, ...rest }: AuditRecord): z.infer<typeof actionSchema> {
  return { ...rest, at: toIso(at), request_id: requestId };
}
