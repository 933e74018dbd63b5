import { z } from "@hono/zod-openapi";
import { toHeld } from "../../crawl/keywords/proposals.ts";
import { toQueryState } from "../../crawl/keywords/keyword-rest.ts";
import { isProposed, listQueries, type CrawlQuery } from "../../crawl/learning/keywords.ts";
import { bodyText, idParam } from "../http/parameters.ts";
import { membersOf, toIso } from "../http/to-members.ts";
import { createRoutes, strict } from "../http/validation.ts";
import { byApi, type OpsContext, opsRoute } from "./context.ts";
import {
  instantSchema,
  jsonAnswer,
  objectAnswer,
  requiredJson,
  conflict,
  notFound,
} from "../http/route.ts";

const querySchema = z
  .object({
    id: z.int(),
    q: z.string(),
    shop_id: z.string().nullable(),
    origin: z.enum(["ops", "proposed"]),
    source: z.string().openapi({ description: "seed, ops, or the rule that proposed it" }),
    reason: z.string().nullable().openapi({ description: "why it was proposed" }),
    enabled: z.boolean(),
    state: z.enum(["trial", "active", "backing_off", "paused"]).openapi({
      description:
        "trial: its next page decides; backing_off: it yielded too little and waits until next_check_at, twice as long each time",
    }),
    next_check_at: instantSchema.nullable().openapi({
      description: "no check before this time; null: as soon as it is worth a call",
    }),
    failed_trials: z.int().openapi({ description: "trials in a row that yielded too little" }),
    created_at: instantSchema,
    scanned_at: instantSchema.nullable().openapi({ description: "end of the last full scan" }),
    newest_checked_at: instantSchema
      .nullable()
      .openapi({ description: "last check for new products" }),
    feed_checked_at: instantSchema
      .nullable()
      .openapi({ description: "last check for changed products" }),
    found: z.int().nullable().openapi({ description: "hits upstream at the last call" }),
    held: z.int().nullable().openapi({
      description:
        "how many of these are stored: those that its full scan has passed, and an estimate for the rest from the share of known ones",
    }),
    ends_at: z.int().nullable().openapi({
      description: "position where the upstream ends the list before its own count",
    }),
    calls: z.int(),
    items_seen: z.int(),
    items_created: z.int(),
    yield_per_call: z.number().nullable().openapi({ description: "new products per call" }),
    last_error: z.string().nullable(),
  })
  .openapi("Query");

const one = jsonAnswer("The keyword", querySchema);
const params = strict({ id: idParam() });

export const newQuery = strict({
  q: bodyText(200),
  shop_id: bodyText(200).nullable().optional(),
}).openapi("NewQuery");

const listRoute = opsRoute({
  method: "get",
  path: "/queries",
  operationId: "listQueries",
  summary: "Discovery keywords and what each call for them yields",
  responses: {
    200: objectAnswer("Keywords", "QueryList", { items: z.array(querySchema) }),
  },
});

const addRoute = opsRoute({
  method: "post",
  path: "/queries",
  operationId: "addQuery",
  summary: "Add a keyword",
  request: {
    query: strict({}),
    body: requiredJson(newQuery),
  },
  responses: { 201: one, ...conflict },
});

const changeRoute = opsRoute({
  method: "patch",
  path: "/queries/{id}",
  operationId: "changeQuery",
  summary: "Pause or resume a keyword",
  request: {
    params,
    body: requiredJson(strict({ enabled: z.boolean() }).openapi("QueryChange")),
  },
  responses: { 200: one, ...notFound },
});

const removeRoute = opsRoute({
  method: "delete",
  path: "/queries/{id}",
  operationId: "removeQuery",
  summary: "Remove a keyword; its products stay, and it is not proposed again",
  request: { params },
  responses: { 204: { description: "Removed" }, ...notFound },
});

export function queryRoutes({ opsDb, clock, actions }: OpsContext) {
  return createRoutes()
    .openapi(listRoute, async (c) => {
      const now = clock.now();
      const queries = await listQueries(opsDb);
      return c.json({ items: queries.map((query) => toQuery(query, now)) }, 200);
    })
    .openapi(addRoute, async (c) => {
      const { q, shop_id: shopId = null } = c.req.valid("json");
      return c.json(toQuery(await actions.addQuery(byApi(c), { q, shopId }), clock.now()), 201);
    })
    .openapi(changeRoute, async (c) => {
      const { id } = c.req.valid("param");
      const changed = await actions.changeQuery(byApi(c), id, c.req.valid("json"));
      return c.json(toQuery(changed, clock.now()), 200);
    })
    .openapi(removeRoute, async (c) => {
      await actions.removeQuery(byApi(c), c.req.valid("param").id);
      return c.body(null, 204);
    });
}

function toQuery(query: CrawlQuery, now: Date): z.infer<typeof querySchema> {
  const state = toQueryState(query, now);
  return {
    ...membersOf(querySchema, query),
    origin: isProposed(query) ? "proposed" : "ops",
    state,
    next_check_at: state === "backing_off" ? toIso(query.nextAt) : null,
    held: toHeld(query),
    yield_per_call:
      query.calls === 0 ? null : Math.round((query.itemsCreated * 100) / query.calls) / 100,
  };
}
