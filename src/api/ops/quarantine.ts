import { z } from "@hono/zod-openapi";
import { readQuarantine } from "../../catalog/observing/quarantine.ts";
import { idParam, limitParam, textParam } from "../http/parameters.ts";
import { instantSchema, objectAnswer, createRoutes, strict, textOrNull } from "../http/route.ts";
import { type OpsContext, filteredNext, opsRoute, rowsHandler, rowsRoute } from "./context.ts";
import { toMembers } from "../http/to-members.ts";

const itemSchema = z
  .object({
    id: z.int(),
    call_id: z.int().describe("the latest call that showed it"),
    item_id: z.int().nullable(),
    title: textOrNull("of the product as it was last read; null if it never was"),
    shop_id: z.string().nullable(),
    shop_name: z.string().nullable(),
    reason: z.string(),
    raw: z.string().describe("the item's text as sent"),
    seen_at: instantSchema.describe("last"),
    first_seen_at: instantSchema,
    times: z.int().describe("how often it was seen"),
  })
  .openapi("QuarantinedItem");

const route = opsRoute("get /quarantine", {
  operationId: "listQuarantine",
  summary:
    "Items that could not be read, or have a field that could not, each once for a reason, newest first",
  request: {
    query: strict({
      limit: limitParam(1000, 100),
      before: idParam().optional(),
      item_id: idParam().optional(),
      shop_id: textParam(255).optional(),
      reason: textParam(200).optional().describe("a part of the reason"),
    }),
  },
  responses: {
    200: objectAnswer("Items", "Quarantine", {
      items: z.array(itemSchema),
      next: filteredNext,
    }),
  },
});

const recheckRoute = rowsRoute("/quarantine/recheck", {
  operationId: "recheckQuarantined",
  summary: "Check the products of these items at once; the items stay in the list",
});

const dropRoute = rowsRoute("/quarantine/drop", {
  operationId: "dropQuarantined",
  summary: "Delete these items from the quarantine",
});

export function quarantineRoutes({ opsDb, actions }: OpsContext) {
  return createRoutes()
    .openapi(route, async (c) => {
      const { item_id: itemId, shop_id: shopId, ...page } = c.req.valid("query");
      const { items, next } = await readQuarantine(opsDb, { ...page, itemId, shopId });
      return c.json({ items: items.map(toMembers), next }, 200);
    })
    .openapi(recheckRoute, rowsHandler(actions.recheckQuarantined))
    .openapi(dropRoute, rowsHandler(actions.dropQuarantined));
}
