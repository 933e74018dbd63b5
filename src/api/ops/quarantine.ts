import { createRoute, z } from "@hono/zod-openapi";
import { readQuarantine } from "../../catalog/quarantine.ts";
import type { ApiDeps } from "../http/deps.ts";
import { idParam, integerParam } from "../http/parameters.ts";
import { toIso } from "../products/to-product.ts";
import { createRoutes, strict } from "../http/validation.ts";
import { opsFailures, opsRoute } from "./context.ts";
import { instantSchema, json } from "../http/schema-parts.ts";

const itemSchema = z
  .object({
    id: z.int(),
    call_id: z.int(),
    item_id: z.int().nullable(),
    reason: z.string(),
    raw: z.string().openapi({ description: "the item's text as sent" }),
    seen_at: instantSchema,
  })
  .openapi("QuarantinedItem");

const route = createRoute({
  ...opsRoute,
  method: "get",
  path: "/quarantine",
  operationId: "listQuarantine",
  summary: "Items that could not be read, newest first",
  request: {
    query: strict({
      limit: integerParam(1, 1000).default(100).openapi({ default: 100 }),
      item_id: idParam().optional(),
    }),
  },
  responses: {
    200: {
      description: "Items",
      content: json(z.object({ items: z.array(itemSchema) }).openapi("Quarantine")),
    },
    ...opsFailures,
  },
});

export function quarantineRoutes({ opsDb }: Pick<ApiDeps, "opsDb">) {
  return createRoutes().openapi(route, async (c) => {
    const { limit, item_id: itemId } = c.req.valid("query");
    const rows = await readQuarantine(opsDb, limit, itemId);
    const items = rows.map((row) => ({
      id: row.id,
      call_id: row.callId,
      item_id: row.itemId,
      reason: row.reason,
      raw: row.raw,
      seen_at: toIso(row.seenAt),
    }));
    return c.json({ items }, 200);
  });
}
