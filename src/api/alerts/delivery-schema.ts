import { z } from "@hono/zod-openapi";
import { messageId } from "../../alerts/delivery/message.ts";
import { deliveryStates, type Delivery } from "../../alerts/delivery/report.ts";
import { choiceParam, idParam, limitParam } from "../http/parameters.ts";
import { instantSchema } from "../http/route.ts";
import { toMembers } from "../http/to-members.ts";

export const deliverySchema = z
  .object({
    delivery_id: z.int(),
    webhook_id: z.int(),
    message_id: z.string().openapi({
      description: "the webhook-id header, the same for every attempt and replay",
      example: "msg_1",
    }),
    event_id: z.int().nullable().openapi({ description: "null: a test message" }),
    type: z.string().openapi({ example: "price_drop" }),
    state: z.enum(deliveryStates).openapi({ description: "dead: given up; it can be replayed" }),
    attempts: z.int(),
    next_attempt_at: instantSchema.nullable(),
    last_attempt_at: instantSchema.nullable(),
    last_status: z.int().nullable().openapi({ description: "null: no answer", example: 500 }),
    last_error: z.string().nullable().openapi({ example: "answered 500" }),
    created_at: instantSchema,
  })
  .openapi("Delivery");

export const deliveryListSchema = z
  .object({
    items: z.array(deliverySchema).openapi({ description: "newest first" }),
    next: z.int().nullable().openapi({
      description: "as `before` it gives the page after this one; null: this is the last",
    }),
  })
  .openapi("DeliveryList");

export const deliveryQuery = {
  state: choiceParam(deliveryStates).optional(),
  before: idParam()
    .optional()
    .openapi({ description: "only deliveries older than this one", example: 1000 }),
  limit: limitParam(1000, 100),
};

export function toDeliveryList(deliveries: readonly Delivery[], limit: number) {
  const last = deliveries.at(-1);
  return {
    items: deliveries.map(toDelivery),
    next: deliveries.length === limit && last ? last.deliveryId : null,
  };
}

function toDelivery(delivery: Delivery): z.infer<typeof deliverySchema> {
  const { kind: _, url: __, nextAt: nextAttemptAt, ...others } = delivery;
  return {
    ...toMembers({ ...others, nextAttemptAt }),
    message_id: messageId(delivery.deliveryId),
    type: typeOf(delivery),
  };
}

/** The event's kind, also in the message. */
export function typeOf({ eventId, kind }: Delivery): string {
  return kind ?? (eventId === null ? "test" : "unknown");
}
