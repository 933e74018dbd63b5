import { z } from "@hono/zod-openapi";
import type { AlertEvent } from "../../alerts/events.ts";
import type { Market } from "../../catalog/market.ts";
import { alertKinds, lowWindows } from "../../db/schema.ts";
import { instantSchema, webUrlSchema, intOrNull, textOrNull } from "../http/route.ts";
import { toMembers } from "../http/to-members.ts";

const dataSchema = z
  .object({
    title: z.string(),
    shop_id: z.string(),
    price: intOrNull("after the change; null: deleted"),
    prev_price: intOrNull("before it, of a price that jumped: before the jump; null: new"),
    stock: z.int().nullable(),
    prev_stock: z.int().nullable(),
    target: z.int().optional().describe("price_below: the rule's price"),
    percent: z.number().optional().describe("price_drop, price_rise: how much it moved, above 0"),
    window: z.enum(lowWindows).optional().describe("new_low"),
    low: z.int().optional().describe("new_low: the lowest price known before"),
    low_at: instantSchema.optional().describe("new_low: when that was first seen"),
  })
  .openapi("AlertEventData");

export const eventSchema = z
  .object({
    cursor: z.string().openapi({ description: "to go on behind this event", example: "1042" }),
    event_id: z.int(),
    kind: z.enum(alertKinds),
    saved_search_id: z.int(),
    saved_search_name: textOrNull("null: deleted since"),
    item_id: z.int(),
    ver: z.int().describe("of the product after the change; rises"),
    url: webUrlSchema.describe("where the product is sold"),
    at: instantSchema.describe("when the event was written"),
    changed_at: instantSchema.describe("when the change was stored"),
    is_quiet: z.boolean().describe("beyond `daily_max`: not sent at once"),
    data: dataSchema,
  })
  .openapi("AlertEvent");

export type EventBody = z.infer<typeof eventSchema>;

export function toEvent({ shop, data, ...event }: AlertEvent, market: Market): EventBody {
  return {
    cursor: String(event.eventId),
    ...toMembers(event),
    url: shop && market.urlOf({ itemId: event.itemId, shop }),
    // Safe: `judge` wrote it.
    data: data as EventBody["data"],
  };
}
