import { z } from "@hono/zod-openapi";
import type { ApiDeps } from "../http/deps.ts";
import { choiceParam, idParam, limitParam, textParam } from "../http/parameters.ts";
import { instantSchema, objectAnswer, createRoutes, strict, textOrNull } from "../http/route.ts";
import { auditOutcomes, readAudit } from "./actions/audit-log.ts";
import { filteredNext, opsRoute } from "./context.ts";
import { toMembers } from "../http/to-members.ts";

const actionSchema = z
  .object({
    id: z.int(),
    at: instantSchema,
    via: z.enum(["api", "console"]),
    operator: textOrNull("who; null: a sign-in that failed, so nobody knows who"),
    address: textOrNull("from where (IPv6: the /64); null: older than this member"),
    action: z.string(),
    subject: z.string().describe("the job or the keyword's id, else empty"),
    detail: z.record(z.string(), z.unknown()).describe("as requested"),
    outcome: z.enum(auditOutcomes),
    code: textOrNull("of the refusal"),
    request_id: z.string(),
  })
  .openapi("AuditedAction");

const route = opsRoute("get /audit", {
  operationId: "listActions",
  summary: "What operators did and what they were refused, newest first",
  request: {
    query: strict({
      limit: limitParam(1000, 100),
      before: idParam().optional(),
      operator: textParam(64).optional(),
      address: textParam(64).optional(),
      action: textParam(64).optional(),
      outcome: choiceParam(auditOutcomes).optional(),
    }),
  },
  responses: {
    200: objectAnswer("Actions", "AuditLog", {
      items: z.array(actionSchema),
      next: filteredNext,
    }),
  },
});

export function auditRoutes({ opsDb }: ApiDeps) {
  return createRoutes().openapi(route, async (c) => {
    const { items, next } = await readAudit(opsDb, c.req.valid("query"));
    return c.json({ items: items.map(toMembers), next }, 200);
  });
}
