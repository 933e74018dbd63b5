import { z } from "@hono/zod-openapi";
import type { Reach } from "../../alerts/delivery/addresses.ts";
import type { Endpoint } from "../../alerts/delivery/endpoints.ts";
import { urlFault } from "../../alerts/delivery/outgoing.ts";
import { instantSchema } from "../http/route.ts";
import { strict } from "../http/validation.ts";
import { membersOf } from "../http/to-members.ts";

const parts = {
  webhook_id: z.int(),
  url: z.string().openapi({ example: "https://example.com/hooks" }),
  enabled: z.boolean(),
  disabled_reason: z
    .enum(["owner", "gone", "failing"])
    .nullable()
    .openapi({ description: "gone: it answered 410; failing: every attempt of five days failed" }),
  disabled_at: instantSchema.nullable(),
  failing_since: instantSchema
    .nullable()
    .openapi({ description: "every attempt since then has failed; null: the last one succeeded" }),
  old_secret_until: instantSchema
    .nullable()
    .openapi({ description: "until then the secret before the last rotation signs as well" }),
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
        .openapi({ description: "false: messages wait; true: also one that was disabled goes on" }),
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
