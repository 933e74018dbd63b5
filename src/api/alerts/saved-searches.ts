import { anchorsOf, readFrequency } from "../../alerts/judging/anchors.ts";
import { ownerOfKey } from "../../alerts/owners.ts";
import { judgePresent, namesProducts } from "../../alerts/judging/present.ts";
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
  findUnknown,
} from "../../alerts/saved-searches.ts";
import { createSavedSearches } from "../../alerts/judging/searches-in-memory.ts";
import { pageOf } from "../../lib/page-of.ts";
import type { Db, Tx } from "../../db/open.ts";
import type { SavedQuery } from "../../db/schema.ts";
import { transact } from "../../db/transact.ts";
import { answer, answerOnce } from "../http/answer.ts";
import type { ApiDeps } from "../http/deps.ts";
import { afterParam, idParam, limitParam } from "../http/parameters.ts";
import { type ParameterFault, refuse } from "../http/problems/problem.ts";
import {
  createdAnswer,
  jsonAnswer,
  requiredJson,
  failure,
  createRoutes,
  invalid,
  strict,
} from "../http/route.ts";
import { boundedBody } from "../http/middleware/request-guards.ts";
import { alertRoute, requireOwnerKey } from "./key-of.ts";
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
import { createWordFrequencies } from "../../search/query/words/word-frequencies.ts";

const path = "/v1/saved-searches";
const maxBodyBytes = 65_536;
const one = { params: strict({ saved_search_id: idParam() }) };
const missing = {
  404: failure("The key has no such saved search"),
} as const;

const listRoute = alertRoute(`get ${path}`, {
  operationId: "listSavedSearches",
  summary: "The saved searches of the API key, oldest first",
  request: {
    query: strict({
      after: afterParam(),
      limit: limitParam(1000, 100),
    }),
  },
  responses: { 200: jsonAnswer("A page", savedSearchListSchema) },
});

const createOne = alertRoute(`post ${path}`, {
  operationId: "createSavedSearch",
  summary: "Be told of changes of the products that a search finds",
  description: `Every change is judged once, when it is stored: see \`GET /v1/events\`. A key may have ${mostOfKey} saved searches, in bodies of at most ${maxBodyBytes} bytes.`,
  request: { body: requiredJson(newSavedSearch) },
  responses: {
    201: createdAnswer("It is judged from now on", createdSavedSearchSchema),
    409: failure(`The key has ${mostOfKey} saved searches already`),
  },
});

const readOne = alertRoute(`get ${path}/{saved_search_id}`, {
  operationId: "getSavedSearch",
  summary: "One saved search",
  request: one,
  responses: { 200: jsonAnswer("It", savedSearchSchema), ...missing },
});

const changeOne = alertRoute(`patch ${path}/{saved_search_id}`, {
  operationId: "changeSavedSearch",
  summary: "Change what is given",
  description:
    "Another query, other rules and the end of a pause begin anew: what was told of products before is forgotten.",
  request: { ...one, body: requiredJson(savedSearchChange) },
  responses: { 200: jsonAnswer("As it is now", savedSearchSchema), ...missing },
});

const deleteOne = alertRoute(`delete ${path}/{saved_search_id}`, {
  operationId: "deleteSavedSearch",
  summary: "Delete it; its events stay",
  request: one,
  responses: { 204: { description: "Deleted" }, ...missing },
});

const renewOne = alertRoute(`post ${path}/{saved_search_id}/feeds`, {
  operationId: "renewFeeds",
  summary: "New addresses for its feeds; the old ones stop to work",
  request: one,
  responses: { 201: jsonAnswer("The new addresses", renewedFeedsSchema), ...missing },
});

export function savedSearchRoutes({ db, writeDb, replica, cache, clock, logger, budget }: ApiDeps) {
  const judging = {
    db: writeDb,
    clock,
    logger,
    timezone: budget.timezone,
    searches: createSavedSearches(logger),
  };

  const checkQuery = createQueryCheck({ db, writeDb, cache });

  /** Throws all that is wrong with the query and the expiry, where they are given. */
  async function anchor({ query, expiresAt }: Partial<Chosen>, tellPresent: boolean) {
    const checked = query ? await checkQuery(query) : null;
    const faults: ParameterFault[] = checked?.faults ?? [];
    if (tellPresent && query && !namesProducts(query)) {
      faults.push({
        parameter: "tell_present",
        message: "may be true only with item_id, group_id or gtin in the query",
      });
    }
    if (expiresAt && expiresAt <= clock.now()) {
      faults.push({ parameter: "expires_at", message: "must be in the future" });
    }
    if (faults.length > 0) throw invalid(faults);
    return checked?.anchors ?? null;
  }

  async function require(
    keyId: number,
    id: number,
    from: Db | Tx = writeDb,
  ): Promise<StoredSavedSearch> {
    return (await readSavedSearch(from, { keyId }, id)) ?? notThere();
  }

  const app = createRoutes();
  app.use(`${path}/*`, boundedBody(maxBodyBytes));
  return app
    .openapi(listRoute, async (c) => {
      const { after, limit } = c.req.valid("query");
      const found = await listSavedSearches(
        writeDb,
        { keyId: requireOwnerKey(c) },
        { after, limit: limit + 1 },
      );
      const { items, next } = pageOf(found, limit, ({ savedSearchId }) => savedSearchId);
      return answer(c, { items: items.map(toBody), next });
    })
    .openapi(createOne, async (c) => {
      const keyId = requireOwnerKey(c);
      const { tell_present: tellPresent, ...body } = c.req.valid("json");
      // Safe: a new one has every member.
      const chosen = toChosen(body) as Chosen;
      const anchors = (await anchor(chosen, tellPresent)) ?? [];
      const { stored, feedSecret } = await transact(writeDb, clock, async (tx) => {
        const ownerId = await ownerOfKey(tx, keyId, clock.now());
        const request = { ownerId, chosen, anchors, most: mostOfKey };
        const created = await createSavedSearch(tx, request, clock.now());
        if (!tellPresent) return created;
        await judgePresent(tx, judging, created.stored);
        return { ...created, stored: await require(keyId, created.stored.savedSearchId, tx) };
      }).catch(toProblem);
      await replica?.catchUp();
      const headers = { ...noStore, Location: `${path}/${stored.savedSearchId}` };
      return c.json({ ...toBody(stored), feeds: toFeeds(feedSecret) }, 201, headers);
    })
    .openapi(readOne, async (c) =>
      answer(c, toBody(await require(requireOwnerKey(c), c.req.valid("param").saved_search_id))),
    )
    .openapi(changeOne, async (c) => {
      const stored = await require(requireOwnerKey(c), c.req.valid("param").saved_search_id);
      const chosen = toChosen(c.req.valid("json"));
      const anchors = await anchor(chosen, false);
      const changed = await transact(writeDb, clock, (tx) =>
        changeSavedSearch(tx, { stored, chosen, anchors }, clock.now()),
      ).catch(toProblem);
      return answerOnce(c, toBody(changed ?? notThere()));
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

function notThere(): never {
  refuse(404, "not_found", "this API key has no such saved search");
}

function toProblem(error: unknown): never {
  if (error instanceof NoSuchWebhook) {
    throw invalid([{ parameter: "webhook_id", message: "this API key has no such webhook" }]);
  }
  if (!(error instanceof TooManySearches)) throw error;
  const detail = `this API key has ${mostOfKey} saved searches already; delete some`;
  refuse(409, "too_many_saved_searches", detail);
}

const needsMore =
  "must restrict the products by at least one of: q (a word to find), shop_id, category, gtin, price_min, price_max, item_id, group_id";

type QueryCheckDeps = Pick<ApiDeps, "db" | "writeDb" | "cache">;

/** Finds the anchors of queries, and what makes them none to save. */
export function createQueryCheck({ db, writeDb, cache }: QueryCheckDeps) {
  const readWords = createWordFrequencies(db, cache);
  return async (query: SavedQuery) => {
    const faults: ParameterFault[] = await findUnknown(writeDb, query);
    const anchors = anchorsOf(query, await readFrequency(db, await readWords(), query));
    if (anchors.length === 0) faults.push({ parameter: "query", message: needsMore });
    return { anchors, faults };
  };
}
