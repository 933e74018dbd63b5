import { createRoute } from "@hono/zod-openapi";
import { bodyLimit } from "hono/body-limit";
import type { Anchor } from "../../alerts/anchors.ts";
import { ownerOfKey } from "../../alerts/owners.ts";
import { judgePresent, namesProducts } from "../../alerts/present.ts";
import {
  changeSavedSearch,
  createSavedSearch,
  deleteSavedSearch,
  listSavedSearches,
  mostOfKey,
  NoSuchWebhook,
  readSavedSearch,
  renewFeeds,
  TooManySearches,
  type Chosen,
  type StoredSavedSearch,
} from "../../alerts/saved-searches.ts";
import { createSavedSearches } from "../../alerts/searches-in-memory.ts";
import type { SavedQuery } from "../../db/schema.ts";
import { transact } from "../../db/transact.ts";
import { answer, answerOnce } from "../http/answer.ts";
import type { ApiDeps } from "../http/deps.ts";
import { idParam, integerParam } from "../http/parameters.ts";
import {
  badRequest,
  conflict,
  notFound,
  Problem,
  unavailable,
  type ParameterFault,
} from "../http/problem.ts";
import { json } from "../http/schema-parts.ts";
import { createRoutes, invalid, strict } from "../http/validation.ts";
import { alertRoute, requireOwnerKey } from "./key-of.ts";
import { createQueryCheck } from "./query-check.ts";
import {
  createdSavedSearchSchema,
  newSavedSearch,
  renewedFeedsSchema,
  savedSearchChange,
  savedSearchListSchema,
  savedSearchSchema,
  toBody,
  toChosen,
  toFeeds,
} from "./saved-search-schema.ts";

const path = "/v1/saved-searches";
const maxBodyBytes = 65_536;
const one = { params: strict({ saved_search_id: idParam() }) };
const failures = { ...badRequest, ...unavailable } as const;
const missing = {
  404: { ...notFound[404], description: "The key has no such saved search" },
} as const;

const listRoute = createRoute({
  ...alertRoute,
  method: "get",
  path,
  operationId: "listSavedSearches",
  summary: "The saved searches of the API key, oldest first",
  request: {
    query: strict({
      after: integerParam(0, Number.MAX_SAFE_INTEGER).default(0).openapi({ default: 0 }),
      limit: integerParam(1, 1000).default(100).openapi({ default: 100 }),
    }),
  },
  responses: { 200: { description: "A page", content: json(savedSearchListSchema) }, ...failures },
});

const createOne = createRoute({
  ...alertRoute,
  method: "post",
  path,
  operationId: "createSavedSearch",
  summary: "Be told of changes of the products that a search finds",
  description: `Every change is judged once, when it is stored: see \`GET /v1/events\`. A key may have ${mostOfKey} saved searches, in bodies of at most ${maxBodyBytes} bytes.`,
  request: { query: strict({}), body: { required: true, content: json(newSavedSearch) } },
  responses: {
    201: { description: "It is judged from now on", content: json(createdSavedSearchSchema) },
    ...failures,
    409: { ...conflict[409], description: `The key has ${mostOfKey} saved searches already` },
  },
});

const readOne = createRoute({
  ...alertRoute,
  method: "get",
  path: `${path}/{saved_search_id}`,
  operationId: "getSavedSearch",
  summary: "One saved search",
  request: { ...one, query: strict({}) },
  responses: {
    200: { description: "It", content: json(savedSearchSchema) },
    ...failures,
    ...missing,
  },
});

const changeOne = createRoute({
  ...alertRoute,
  method: "patch",
  path: `${path}/{saved_search_id}`,
  operationId: "changeSavedSearch",
  summary: "Change what is given",
  description:
    "Another query or other rules begin anew: what was told of products before is forgotten.",
  request: {
    ...one,
    query: strict({}),
    body: { required: true, content: json(savedSearchChange) },
  },
  responses: {
    200: { description: "As it is now", content: json(savedSearchSchema) },
    ...failures,
    ...missing,
  },
});

const deleteOne = createRoute({
  ...alertRoute,
  method: "delete",
  path: `${path}/{saved_search_id}`,
  operationId: "deleteSavedSearch",
  summary: "Delete it; its events stay",
  request: { ...one, query: strict({}) },
  responses: { 204: { description: "Deleted" }, ...failures, ...missing },
});

const renewOne = createRoute({
  ...alertRoute,
  method: "post",
  path: `${path}/{saved_search_id}/feeds`,
  operationId: "renewFeeds",
  summary: "New addresses for its feeds; the old ones stop to work",
  request: { ...one, query: strict({}) },
  responses: {
    201: { description: "The new addresses", content: json(renewedFeedsSchema) },
    ...failures,
    ...missing,
  },
});

type Deps = Pick<ApiDeps, "db" | "writeDb" | "replica" | "cache" | "clock" | "logger" | "budget">;

export function savedSearchRoutes({ db, writeDb, replica, cache, clock, logger, budget }: Deps) {
  const judging = {
    db: writeDb,
    clock,
    logger,
    timezone: budget.timezone,
    searches: createSavedSearches(logger),
  };

  const checkQuery = createQueryCheck({ db, writeDb, cache });

  /** Throws all that is wrong with the query and the expiry. */
  async function anchor(
    query: SavedQuery,
    { expiresAt, tellPresent }: { expiresAt?: Date | null | undefined; tellPresent: boolean },
  ): Promise<Anchor[]> {
    const { anchors, faults } = await checkQuery(query);
    if (tellPresent && !namesProducts(query)) {
      faults.push({
        parameter: "tell_present",
        message: "may be true only with item_id, group_id or gtin in the query",
      });
    }
    refusePast(faults, expiresAt);
    if (faults.length > 0) throw invalid(faults);
    return anchors;
  }

  function refusePast(faults: ParameterFault[], expiresAt: Date | null | undefined): void {
    if (expiresAt && expiresAt <= clock.now()) {
      faults.push({ parameter: "expires_at", message: "must be in the future" });
    }
  }

  async function require(keyId: number, id: number): Promise<StoredSavedSearch> {
    const stored = await readSavedSearch(writeDb, { keyId }, id);
    if (stored === null) throw notThere();
    return stored;
  }

  const app = createRoutes();
  app.use(path, bodyLimit({ maxSize: maxBodyBytes }));
  app.use(`${path}/*`, bodyLimit({ maxSize: maxBodyBytes }));
  return app
    .openapi(listRoute, async (c) => {
      const { after, limit } = c.req.valid("query");
      const found = await listSavedSearches(
        writeDb,
        { keyId: requireOwnerKey(c) },
        { after, limit: limit + 1 },
      );
      const shown = found.slice(0, limit);
      const next = found.length > limit ? (shown.at(-1)?.savedSearchId ?? null) : null;
      return answer(c, { items: shown.map(toBody), next });
    })
    .openapi(createOne, async (c) => {
      const keyId = requireOwnerKey(c);
      const { tell_present: tellPresent, ...body } = c.req.valid("json");
      // Safe: a new one has every member.
      const chosen = toChosen(body) as Chosen;
      const anchors = await anchor(body.query, { expiresAt: chosen.expiresAt, tellPresent });
      const { stored, feedSecret } = await transact(writeDb, clock, async (tx) => {
        const ownerId = await ownerOfKey(tx, keyId, clock.now());
        const request = { ownerId, chosen, anchors, most: mostOfKey };
        const created = await createSavedSearch(tx, request, clock.now());
        if (tellPresent) await judgePresent(tx, judging, created.stored);
        return created;
      }).catch(toProblem);
      await replica?.catchUp();
      return c.json({ ...toBody(stored), feeds: toFeeds(feedSecret) }, 201, noStore);
    })
    .openapi(readOne, async (c) =>
      answer(c, toBody(await require(requireOwnerKey(c), c.req.valid("param").saved_search_id))),
    )
    .openapi(changeOne, async (c) => {
      const stored = await require(requireOwnerKey(c), c.req.valid("param").saved_search_id);
      const chosen = toChosen(c.req.valid("json"));
      const { query, expiresAt } = chosen;
      const anchors = query ? await anchor(query, { expiresAt, tellPresent: false }) : null;
      const faults: ParameterFault[] = [];
      refusePast(faults, expiresAt);
      if (faults.length > 0) throw invalid(faults);
      const changed = await transact(writeDb, clock, (tx) =>
        changeSavedSearch(tx, { stored, chosen, anchors }, clock.now()),
      ).catch(toProblem);
      if (changed === null) throw notThere();
      return answerOnce(c, toBody(changed));
    })
    .openapi(deleteOne, async (c) => {
      const stored = await require(requireOwnerKey(c), c.req.valid("param").saved_search_id);
      await transact(writeDb, clock, (tx) => deleteSavedSearch(tx, stored.savedSearchId));
      return c.body(null, 204);
    })
    .openapi(renewOne, async (c) => {
      const stored = await require(requireOwnerKey(c), c.req.valid("param").saved_search_id);
      const secret = await transact(writeDb, clock, (tx) => renewFeeds(tx, stored.savedSearchId));
      await replica?.catchUp();
      return c.json({ feeds: toFeeds(secret) }, 201, noStore);
    });
}

const noStore = { "Cache-Control": "no-store" };

function notThere(): Problem {
  return new Problem({
    status: 404,
    code: "not_found",
    detail: "this API key has no such saved search",
  });
}

function toProblem(error: unknown): never {
  if (error instanceof NoSuchWebhook) {
    throw invalid([{ parameter: "webhook_id", message: "this API key has no such webhook" }]);
  }
  if (!(error instanceof TooManySearches)) throw error;
  throw new Problem({
    status: 409,
    code: "too_many_saved_searches",
    detail: `this API key has ${mostOfKey} saved searches already; delete some`,
  });
}
