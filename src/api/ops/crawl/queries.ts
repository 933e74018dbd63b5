import { z } from "@hono/zod-openapi";
import { toHeld } from "../../../crawl/keywords/proposals.ts";
import { keywordState, type KeywordState } from "../../../crawl/keywords/keyword-rest.ts";
import {
  isProposed,
  listKeywords,
  type Keyword,
  findKeywords,
} from "../../../crawl/learning/keywords.ts";
import { bodyText, idParam } from "../../http/parameters.ts";
import { membersOf, toIso, toMembers } from "../../http/to-members.ts";
import {
  createRoutes,
  strict,
  instantSchema,
  jsonAnswer,
  objectAnswer,
  requiredJson,
  conflict,
  notFound,
  intOrNull,
  numberOrNull,
  textOrNull,
} from "../../http/route.ts";
import { byApi, type OpsContext, opsRoute, changedRows, idsBody } from "../context.ts";
import {
  readZeroResultQueries,
  zeroResultVisitors,
  type ZeroResultQuery,
} from "../../../catalog/visitors/zero-results.ts";
import type { Db } from "../../../db/open.ts";

const querySchema = z
  .object({
    id: z.int(),
    q: z.string(),
    shop_id: z.string().nullable(),
    origin: z.enum(["ops", "proposed"]),
    source: z.string().describe("seed, ops, or the rule that proposed it"),
    reason: textOrNull("why it was proposed"),
    enabled: z.boolean(),
    state: z
      .enum(["trial", "active", "backing_off", "paused"])
      .describe(
        "trial: its next page decides; backing_off: it yielded too little and waits until next_check_at, twice as long each time",
      ),
    next_check_at: instantSchema
      .nullable()
      .describe("no check before this time; null: as soon as it is worth a call"),
    failed_trials: z.int().describe("trials in a row that yielded too little"),
    created_at: instantSchema,
    scanned_at: instantSchema.nullable().describe("end of the last full scan"),
    newest_checked_at: instantSchema.nullable().describe("last check for new products"),
    feed_checked_at: instantSchema.nullable().describe("last check for changed products"),
    found: intOrNull("hits upstream at the last call"),
    held: intOrNull(
      "how many of these are stored: those that its full scan has passed, and an estimate for the rest from the share of known ones",
    ),
    ends_at: intOrNull("position where the upstream ends the list before its own count"),
    calls: z.int(),
    items_seen: z.int(),
    items_created: z.int(),
    yield_per_call: numberOrNull("new products per call"),
    last_error: z.string().nullable(),
  })
  .openapi("Query");

const one = jsonAnswer("The keyword", querySchema);
const params = strict({ id: idParam() });

export const newQuery = strict({
  q: bodyText(200),
  shop_id: bodyText(200).nullable().optional(),
}).openapi("NewQuery");

const listRoute = opsRoute("get /queries", {
  operationId: "listQueries",
  summary: "Discovery keywords and what each call for them yields",
  responses: { 200: objectAnswer("Keywords", "QueryList", { items: z.array(querySchema) }) },
});

const addRoute = opsRoute("post /queries", {
  operationId: "addQuery",
  summary: "Add a keyword",
  request: { body: requiredJson(newQuery) },
  responses: { 201: one, ...conflict },
});

const changeRoute = opsRoute("patch /queries/{id}", {
  operationId: "changeQuery",
  summary: "Pause or resume a keyword",
  request: {
    params,
    body: requiredJson(
      strict({ enabled: z.boolean("must be true or false") }).openapi("QueryChange"),
    ),
  },
  responses: { 200: one, ...notFound },
});

const removeRoute = opsRoute("delete /queries/{id}", {
  operationId: "removeQuery",
  summary: "Remove a keyword; its products stay, and it is not proposed again",
  request: { params },
  responses: { 204: { description: "Removed" }, ...notFound },
});

export function queryRoutes({ opsDb, clock, actions }: OpsContext) {
  return createRoutes()
    .openapi(listRoute, async (c) => {
      const now = clock.now();
      const queries = await listKeywords(opsDb);
      return c.json({ items: queries.map((query) => toQuery(query, now)) }, 200);
    })
    .openapi(addRoute, async (c) => {
      const { q, shop_id: shopId = null } = c.req.valid("json");
      return c.json(toQuery(await actions.addKeyword(byApi(c), { q, shopId }), clock.now()), 201);
    })
    .openapi(changeRoute, async (c) => {
      const { id } = c.req.valid("param");
      const changed = await actions.changeKeyword(byApi(c), id, c.req.valid("json"));
      return c.json(toQuery(changed, clock.now()), 200);
    })
    .openapi(removeRoute, async (c) => {
      await actions.removeKeyword(byApi(c), c.req.valid("param").id);
      return c.body(null, 204);
    })
    .openapi(changeSeveral, async (c) => {
      const changed = await actions.changeKeywords(byApi(c), c.req.valid("json"));
      return c.json({ changed }, 200);
    })
    .openapi(addSeveral, async (c) => {
      const { texts, shop_id: shopId = null } = c.req.valid("json");
      return c.json(await actions.addKeywords(byApi(c), { texts, shopId }), 200);
    })
    .openapi(zeroResultRoute, async (c) => {
      const now = clock.now();
      const searches = await listZeroResults(opsDb);
      const items = searches.map(({ keyword, keywordId: _, ...search }) => ({
        ...toMembers(search),
        keyword: keyword && {
          id: keyword.id,
          source: keyword.source,
          state: toKeywordState(keyword, now),
        },
      }));
      return c.json({ items }, 200);
    });
}

function toQuery(query: Keyword, now: Date): z.infer<typeof querySchema> {
  const state = keywordState(query, now);
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

const mostAdded = 500;
const queryChanges = ["enable", "disable", "remove"] as const;
const changeRule = `must be one of: ${queryChanges.join(", ")}`;

export const queriesChange = strict({
  ids: idsBody.shape.ids,
  change: z.enum(queryChanges, changeRule),
}).openapi("QueriesChange", { example: { ids: [17, 18], change: "disable" } });

export const newQueries = strict({
  texts: z
    .array(bodyText(200), "must be a list of keywords")
    .min(1, "must have at least 1 keyword")
    .max(mostAdded, `must have at most ${mostAdded} keywords`),
  shop_id: bodyText(200).nullable().optional(),
}).openapi("NewQueries", { example: { texts: ["革財布", "器"] } });

const changeSeveral = opsRoute("post /queries/change", {
  operationId: "changeQueries",
  summary: "Resume, pause or remove several keywords",
  request: { body: requiredJson(queriesChange) },
  responses: { 200: jsonAnswer("How many", changedRows) },
});

const addSeveral = opsRoute("post /queries/add", {
  operationId: "addQueries",
  summary: "Add several keywords; those in the list already are left as they are",
  request: { body: requiredJson(newQueries) },
  responses: {
    200: objectAnswer("How many are new", "AddedQueries", { added: z.int(), known: z.int() }),
  },
});

/** More would be read by nobody. */
const shown = 100;

const zeroResultSchema = z
  .object({
    q: z.string().describe("the words in one case, width and spacing"),
    times: z.int(),
    visitors: z.int().describe("different visitors of a day, summed over the days"),
    last_at: instantSchema,
    keyword: z
      .object({
        id: z.int(),
        source: z.string(),
        state: z.enum(["trial", "active", "backing_off", "paused", "removed"]),
      })
      .nullable()
      .describe("the keyword with these words; null: not proposed yet"),
  })
  .openapi("ZeroResultQuery");

const zeroResultRoute = opsRoute("get /zero-results", {
  operationId: "listZeroResults",
  summary: `What at least ${zeroResultVisitors} visitors searched for without results, the ${shown} most wanted first`,
  responses: { 200: objectAnswer("Searches", "ZeroResults", { items: z.array(zeroResultSchema) }) },
});

export type ZeroResult = ZeroResultQuery & { keyword: Keyword | null };

export async function listZeroResults(db: Db): Promise<ZeroResult[]> {
  const searches = await readZeroResultQueries(db, { limit: shown });
  const ids = searches.flatMap(({ keywordId }) => keywordId ?? []);
  const keywords = await findKeywords(db, ids);
  return searches.map((search) => ({
    ...search,
    keyword: keywords.get(search.keywordId ?? -1) ?? null,
  }));
}

export function toKeywordState(keyword: Keyword, now: Date): KeywordState | "removed" {
  return keyword.removedAt === null ? keywordState(keyword, now) : "removed";
}
