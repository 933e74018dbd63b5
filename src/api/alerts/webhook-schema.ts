import { z } from "@hono/zod-openapi";
import type { Reach } from "../../alerts/delivery/addresses.ts";
import type { Endpoint } from "../../alerts/delivery/endpoints.ts";
import { urlFault } from "../../alerts/delivery/outgoing.ts";
import { instantSchema, strict, intOrNull } from "../http/route.ts";
import { membersOf, toMembers } from "../http/to-members.ts";
import { messageId } from "../../alerts/delivery/message.ts";
import { deliveryStates, type Delivery } from "../../alerts/delivery/report.ts";
import { choiceParam, idParam, limitParam } from "../http/parameters.ts";

const parts = {
  webhook_id: z.int(),
  url: z.string().openapi({ example: "https://example.com/hooks" }),
  enabled: z.boolean(),
  disabled_reason: z
    .enum(["owner", "gone", "failing"])
    .nullable()
    .describe("gone: it answered 410; failing: every attempt of five days failed"),
  disabled_at: instantSchema.nullable(),
  failing_since: instantSchema
    .nullable()
    .describe("every attempt since then has failed; null: the last one succeeded"),
  old_secret_until: instantSchema
    .nullable()
    .describe("until then the secret before the last rotation signs as well"),
  created_at: instantSchema,
};

export const webhookSchema = z.object(parts).openapi("Webhook");
export const webhookWithSecretSchema = z
  .object({
    ...parts,
    secret: z.string().openapi({
      description: "shown in this answer alone",
      example: "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=",
    }),
  })
  .openapi("WebhookWithSecret");

export function webhookBodies(reach: Reach) {
  const url = z
    .string("must be a URL such as https://example.com/hooks")
    .superRefine((text, ctx) => {
      const fault = urlFault(text, reach);
      if (fault !== null) ctx.addIssue(fault);
    })
    .openapi({ maxLength: 2000, example: "https://example.com/hooks" });
  return {
    created: strict({ url }).openapi("NewWebhook"),
    changed: strict({
      url: url.optional(),
      enabled: z
        .boolean("must be true or false")
        .optional()
        .describe("false: messages wait; true: also one that was disabled goes on"),
    }).openapi("WebhookChange"),
  };
}

export function toWebhook(endpoint: Endpoint): z.infer<typeof webhookSchema> {
  const { state, reason } = endpoint;
  return {
    ...membersOf(webhookSchema, endpoint),
    enabled: state === "active",
    disabled_reason: state === "paused" ? "owner" : state === "disabled" ? reason : null,
  };
}

export const deliverySchema = z
  .object({
    delivery_id: z.int(),
    webhook_id: z.int(),
    message_id: z.string().openapi({
      description: "the webhook-id header, the same for every attempt and replay",
      example: "msg_1",
    }),
    event_id: intOrNull("null: a test message"),
    type: z.string().openapi({ example: "price_drop" }),
    state: z.enum(deliveryStates).describe("dead: given up; it can be replayed"),
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
    items: z.array(deliverySchema).describe("newest first"),
    next: intOrNull("as `before` it gives the page after this one; null: this is the last"),
  })
  .openapi("DeliveryList");

export const deliveryQuery = {
  state: choiceParam(deliveryStates).optional(),
  before: idParam()
    .optional()
    .openapi({ description: "only deliveries older than this one", example: 1000 }),
  limit: limitParam(1000, 100),
};

export function toDelivery(delivery: Delivery): z.infer<typeof deliverySchema> {
  const { kind: _, url: __, nextAt: nextAttemptAt, ...others } = delivery;
  return {
    ...toMembers({ ...others, nextAttemptAt }),
    message_id: messageId(delivery.deliveryId),
    type: typeOf(delivery),
  };
}

/** The event's kind, also in the message. */
function typeOf({ eventId, kind }: Delivery): string {
  return kind ?? (eventId === null ? "test" : "unknown");
}
