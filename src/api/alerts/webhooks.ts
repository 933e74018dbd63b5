import { z } from "@hono/zod-openapi";
import {
  addTest,
  changeWebhook,
  createWebhook,
  listWebhooks,
  mostWebhooks,
  readWebhook,
  removeWebhook,
  rotateSecret,
  type Named,
} from "../../alerts/delivery/endpoints.ts";
import { messageId } from "../../alerts/delivery/message.ts";
import { listDeliveries } from "../../alerts/delivery/report.ts";
import { answer, answerOnce } from "../http/answer.ts";
import type { ApiDeps, ApiContext } from "../http/deps.ts";
import { idParam } from "../http/parameters.ts";
import { refuse } from "../http/problems/problem.ts";
import {
  createdAnswer,
  jsonAnswer,
  objectAnswer,
  requiredJson,
  failure,
  createRoutes,
  strict,
} from "../http/route.ts";
import { boundedBody } from "../http/middleware/request-guards.ts";
import {
  deliveryListSchema,
  deliveryQuery,
  toDelivery,
  toWebhook,
  webhookBodies,
  webhookSchema,
  webhookWithSecretSchema,
} from "./webhook-schema.ts";
import { alertRoute, requireOwnerKey } from "./key-of.ts";

const maxBodyBytes = 16_384;
const path = "/v1/webhooks";
const onePath = `${path}/{webhook_id}` as const;
const params = strict({ webhook_id: idParam() });
const missing = { 404: failure("This key has no such webhook") };

const testSchema = z
  .object({ delivery_id: z.int(), message_id: z.string().openapi({ example: "msg_1" }) })
  .openapi("WebhookTest");

const listRoute = alertRoute(`get ${path}`, {
  operationId: "listWebhooks",
  summary: "The webhooks of this key",
  responses: {
    200: objectAnswer("Webhooks, without their secrets", "WebhookList", {
      items: z.array(webhookSchema),
    }),
  },
});

const oneRoute = alertRoute(`get ${onePath}`, {
  operationId: "getWebhook",
  summary: "One webhook",
  request: { params },
  responses: { 200: jsonAnswer("The webhook, without its secret", webhookSchema), ...missing },
});

const deletedRoute = alertRoute(`delete ${onePath}`, {
  operationId: "deleteWebhook",
  summary: "Delete a webhook with its messages",
  request: { params },
  responses: { 204: { description: "Nothing more is sent to it" }, ...missing },
});

const rotateRoute = alertRoute(`post ${onePath}/rotate`, {
  operationId: "rotateWebhookSecret",
  summary: "A new secret; for 24 hours messages are signed with the old one too",
  request: { params },
  responses: { 200: jsonAnswer("The webhook", webhookWithSecretSchema), ...missing },
});

const testRoute = alertRoute(`post ${onePath}/test`, {
  operationId: "testWebhook",
  summary: "Send a message of the type `test`, once",
  description: "It is sent within seconds; its delivery says what came of it.",
  request: { params },
  responses: {
    202: jsonAnswer("It will be sent", testSchema),
    ...missing,
    409: failure("The webhook is paused or disabled"),
  },
});

const deliveriesRoute = alertRoute(`get ${onePath}/deliveries`, {
  operationId: "listWebhookDeliveries",
  summary: "What was sent to a webhook, and what came of it",
  description: "Deliveries are kept for 30 days.",
  request: { params, query: strict(deliveryQuery) },
  responses: { 200: jsonAnswer("Deliveries", deliveryListSchema), ...missing },
});

/** The routes whose bodies have a URL, which must be in reach. */
function routesWithUrl(reach: ApiDeps["webhookReach"]) {
  const bodies = webhookBodies(reach);
  const createdRoute = alertRoute(`post ${path}`, {
    operationId: "createWebhook",
    summary: "Create a webhook, to which events of saved searches are sent",
    description: `A message is \`{type, timestamp, data}\`: \`type\` is the kind of the event, or \`test\`, and \`data\` that of \`GET /v1/events\` with \`event_id\`, \`saved_search_id\`, \`saved_search_name\`, \`item_id\` and \`ver\`. It follows Standard Webhooks 1.0: \`webhook-signature\` has \`v1,\` and the HMAC-SHA256, in base64, of \`{webhook-id}.{webhook-timestamp}.{body}\`, whose key is what stands behind \`whsec_\` in the secret, in base64; after a rotation two of them, with a space between. Use \`webhook-id\` to leave out what came twice. Answer 2xx within 15 s; anything else, also a redirect, is tried again ten times in three days. 410 ends it. The URL must be https and lead to public addresses only. A key has at most ${mostWebhooks} webhooks.`,
    request: { body: requiredJson(bodies.created) },
    responses: {
      201: createdAnswer("The webhook", webhookWithSecretSchema),
      409: failure(`The key has ${mostWebhooks} webhooks already`),
    },
  });
  const changedRoute = alertRoute(`patch ${onePath}`, {
    operationId: "changeWebhook",
    summary: "Change its URL, pause it, or enable it again",
    request: { params, body: requiredJson(bodies.changed) },
    responses: { 200: jsonAnswer("The webhook as it is now", webhookSchema), ...missing },
  });
  return { createdRoute, changedRoute };
}

/** The webhooks of the request's API key, in the form of Standard Webhooks 1.0. */
export function webhookRoutes({ writeDb: db, clock, webhookReach }: ApiDeps) {
  const { createdRoute, changedRoute } = routesWithUrl(webhookReach);

  const nameOf = (c: ApiContext, id: { webhook_id: number }): Named => ({
    keyId: requireOwnerKey(c),
    webhookId: id.webhook_id,
  });

  const app = createRoutes();
  app.use(`${path}/*`, boundedBody(maxBodyBytes));
  return app
    .openapi(listRoute, async (c) => {
      const found = await listWebhooks(db, requireOwnerKey(c));
      return answer(c, { items: found.map(toWebhook) });
    })
    .openapi(createdRoute, async (c) => {
      const keyId = requireOwnerKey(c);
      const { url } = c.req.valid("json");
      const made = await db.transaction((tx) => createWebhook(tx, keyId, url, clock.now()));
      if (made === null) {
        const detail = `this API key has ${mostWebhooks} webhooks already`;
        refuse(409, "too_many_webhooks", detail);
      }
      const headers = {
        "Cache-Control": "no-store",
        Location: `${path}/${made.endpoint.webhookId}`,
      };
      return c.json({ ...toWebhook(made.endpoint), secret: made.secret }, 201, headers);
    })
    .openapi(oneRoute, async (c) => {
      const found = await readWebhook(db, nameOf(c, c.req.valid("param")));
      return answer(c, toWebhook(found ?? unknown()));
    })
    .openapi(changedRoute, async (c) => {
      const named = nameOf(c, c.req.valid("param"));
      const change = c.req.valid("json");
      const changed = await db.transaction((tx) => changeWebhook(tx, named, change));
      return answerOnce(c, toWebhook(changed ?? unknown()));
    })
    .openapi(deletedRoute, async (c) => {
      const named = nameOf(c, c.req.valid("param"));
      const isDeleted = await db.transaction((tx) => removeWebhook(tx, named, clock.now()));
      if (!isDeleted) unknown();
      return c.body(null, 204);
    })
    .openapi(rotateRoute, async (c) => {
      const named = nameOf(c, c.req.valid("param"));
      const rotated = await db.transaction((tx) => rotateSecret(tx, named, clock.now()));
      const { endpoint, secret } = rotated ?? unknown();
      return answerOnce(c, { ...toWebhook(endpoint), secret });
    })
    .openapi(testRoute, async (c) => {
      const found = await readWebhook(db, nameOf(c, c.req.valid("param")));
      const { webhookId, state } = found ?? unknown();
      if (state !== "active") {
        const detail = "this webhook is paused or disabled; enable it first";
        refuse(409, "webhook_disabled", detail);
      }
      const deliveryId = await db.transaction((tx) => addTest(tx, webhookId, clock.now()));
      return c.json({ delivery_id: deliveryId, message_id: messageId(deliveryId) }, 202);
    })
    .openapi(deliveriesRoute, async (c) => {
      const found = await readWebhook(db, nameOf(c, c.req.valid("param")));
      const { webhookId } = found ?? unknown();
      const { items, next } = await listDeliveries(db, { ...c.req.valid("query"), webhookId });
      return answer(c, { items: items.map(toDelivery), next });
    });
}

function unknown(): never {
  refuse(404, "webhook_not_found", "this API key has no such webhook");
}
