import { z } from "@hono/zod-openapi";
import {
  listDeliveries,
  listTroubled,
  mostReplayed,
  type Delivery,
  type ReplayScope,
} from "../../alerts/delivery/report.ts";
import { listBusiest, searchStates, type BusySearch } from "../../alerts/status.ts";
import { calendarDay } from "../../lib/calendar.ts";
import { deliveryQuery, deliverySchema, toDelivery } from "../alerts/webhook-schema.ts";
import { bodyId, idParam, isInYears } from "../http/parameters.ts";
import {
  instantSchema,
  objectAnswer,
  requiredJson,
  createRoutes,
  strict,
  intOrNull,
  failure,
} from "../http/route.ts";
import { toMembers } from "../http/to-members.ts";
import { ruleSchema, savedQuerySchema } from "../alerts/saved-search-schema.ts";
import type { ApiDeps } from "../http/deps.ts";
import { byApi, type OpsContext, opsRoute } from "./context.ts";

export const mostTroubled = 200;

const hostSchema = z
  .string()
  .openapi({ description: "of the URL, whose rest may be secret", example: "example.com" });
const ofWebhook = { host: hostSchema };

const listRoute = opsRoute("get /webhooks/deliveries", {
  operationId: "listDeliveries",
  summary: "Messages to webhooks and what came of them, newest first",
  request: { query: strict({ ...deliveryQuery, webhook_id: idParam().optional() }) },
  responses: {
    200: objectAnswer("Deliveries", "OpsDeliveryList", {
      items: z.array(deliverySchema.extend(ofWebhook).openapi("OpsDelivery")),
      next: z.int().nullable(),
    }),
  },
});

const troubledSchema = z
  .object({
    webhook_id: z.int(),
    key_id: z.int().nullable(),
    ...ofWebhook,
    state: z.enum(["active", "disabled"]),
    reason: z.enum(["gone", "failing"]).nullable(),
    failing_since: instantSchema.nullable(),
    disabled_at: instantSchema.nullable(),
  })
  .openapi("TroubledWebhook");

const troubledRoute = opsRoute("get /webhooks", {
  operationId: "listTroubledWebhooks",
  summary: `Webhooks that fail or were disabled, at most ${mostTroubled}, those disabled last first`,
  responses: {
    200: objectAnswer("Webhooks", "TroubledWebhookList", { items: z.array(troubledSchema) }),
  },
});

const instantRule = "must be an ISO 8601 time, such as 2026-01-31T09:00:00Z";
const instant = () =>
  z.iso
    .datetime({ offset: true, error: instantRule })
    .refine(isInYears, instantRule)
    .openapi({ format: "date-time", example: "2026-01-31T09:00:00Z" });

export const replaySchema = strict({
  ids: z
    .array(bodyId(), "must be a list of ids of deliveries")
    .min(1, "must have an id")
    .max(mostReplayed, `must have at most ${mostReplayed} ids`)
    .optional(),
  from: instant().optional(),
  to: instant().optional(),
  webhook_id: bodyId().optional(),
})
  .superRefine(({ ids, from, to, webhook_id: webhookId }, ctx) => {
    const refuse = (name: string, message: string) =>
      ctx.addIssue({ code: "custom", path: [name], message });
    const isRange = from !== undefined || to !== undefined;
    if (ids === undefined) {
      if (from === undefined) refuse("from", "is needed, or ids");
      if (to === undefined) refuse("to", "is needed, or ids");
      if (from && to && Date.parse(from) >= Date.parse(to)) refuse("to", "must be after from");
    } else {
      if (isRange) refuse("ids", "may not be given together with from and to");
      if (webhookId !== undefined) refuse("webhook_id", "may be given only with from and to");
    }
  })
  .openapi("DeliveryReplay", {
    example: { from: "2026-01-31T09:00:00Z", to: "2026-01-31T10:00:00Z" },
  });

const replayRoute = opsRoute("post /webhooks/deliveries/replay", {
  operationId: "replayDeliveries",
  summary: "Send messages again: some by their ids, or the dead letters of a time",
  description: `With \`ids\`, delivered messages are sent again too. \`from\` (included) and \`to\` (not included) are about when the message was made. Messages keep their ids. Those that wait already and those of webhooks that are not enabled are left out. At most ${mostReplayed} at a time: repeat while \`more\` is true.`,
  request: { body: requiredJson(replaySchema) },
  responses: {
    200: objectAnswer("How many are sent again", "ReplayedDeliveries", {
      replayed: z.int(),
      more: z.boolean(),
    }),
    404: failure("There is no such webhook"),
  },
});

export function alertOpsRoutes(deps: OpsContext) {
  const { opsDb, actions } = deps;
  return createRoutes()
    .openapi(listRoute, async (c) => {
      const { webhook_id: webhookId, ...filter } = c.req.valid("query");
      const { items, next } = await listDeliveries(opsDb, { ...filter, webhookId });
      const deliveries = items.map((one) => ({ ...toDelivery(one), host: hostOf(one) }));
      return c.json({ items: deliveries, next }, 200);
    })
    .openapi(troubledRoute, async (c) => {
      const found = await listTroubled(opsDb, mostTroubled);
      const items = found.map(({ url, ...one }) => ({ ...toMembers(one), host: hostOf({ url }) }));
      return c.json({ items }, 200);
    })
    .openapi(replayRoute, async (c) => {
      const scope = toReplayScope(c.req.valid("json"));
      const replayed = await actions.replayDeliveries(byApi(c), scope);
      return c.json({ replayed, more: "from" in scope && replayed === mostReplayed }, 200);
    })
    .openapi(busiestRoute, async (c) => {
      const searches = await readBusiest(deps);
      return c.json({ items: searches.map(toMembers) }, 200);
    });
}

export function toReplayScope(body: z.infer<typeof replaySchema>): ReplayScope {
  const { ids, from = "", to = "", webhook_id: webhookId } = body;
  return ids === undefined ? { from: new Date(from), to: new Date(to), webhookId } : { ids };
}

/** What operators may see of a URL; empty for a deleted webhook. */
export function hostOf({ url }: Pick<Delivery, "url">): string {
  return URL.canParse(url) ? new URL(url).host : "";
}

const shown = 50;

const busySearchSchema = z
  .object({
    saved_search_id: z.int(),
    key_id: intOrNull("of its owner; null: a visitor of the pages"),
    query: savedQuerySchema,
    rules: z.array(ruleSchema),
    state: z
      .enum(searchStates)
      .describe(
        "faulty: it cannot be judged. limited: it has reached its daily maximum, further events of today are quiet",
      ),
    fault: z.string().nullable(),
    events: z.int().describe("told since it was made"),
    today: z.int().describe("events of today that were not quiet"),
    daily_max: z.int(),
  })
  .openapi("BusySavedSearch");

const busiestRoute = opsRoute("get /saved-searches", {
  operationId: "listBusiestSavedSearches",
  summary: `The ${shown} saved searches with the most events`,
  responses: {
    200: objectAnswer("Saved searches", "BusySavedSearches", { items: z.array(busySearchSchema) }),
  },
});

type SearchDeps = Pick<ApiDeps, "opsDb" | "clock" | "budget">;

export async function readBusiest({ opsDb, clock, budget }: SearchDeps): Promise<BusySearch[]> {
  const now = clock.now();
  return listBusiest(opsDb, { now, day: calendarDay(now, budget.timezone), limit: shown });
}
