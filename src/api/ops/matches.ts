import { z } from "@hono/zod-openapi";
import { pageOf } from "../../lib/page-of.ts";
import { readMatchCategories } from "../../matching/categories.ts";
import { decisions, readDecisions } from "../../matching/review/decisions.ts";
import { readGroupChanges } from "../../matching/groups/groups.ts";
import { countReview, readReview, toReviewPosition } from "../../matching/review/review.ts";
import {
  afterParam,
  booleanParam,
  cursorParam,
  idParam,
  limitParam,
  textParam,
  bodyId,
} from "../http/parameters.ts";
import {
  jsonAnswer,
  requiredJson,
  notFound,
  failure,
  createRoutes,
  strict,
} from "../http/route.ts";
import { toMembers } from "../http/to-members.ts";
import { byApi, type OpsContext, opsRoute } from "./context.ts";
import {
  categoryListSchema,
  decisionListSchema,
  decisionSchema,
  groupChangesSchema,
  reviewSchema,
  toSideBody,
} from "./match-schemas.ts";

const itemId = bodyId().openapi({ example: 100003 });

export const newDecision = strict({
  a: itemId,
  b: itemId,
  decision: z
    .enum(decisions, `must be one of: ${decisions.join(", ")}`)
    .describe("unsure: changes nothing, and the pair is not asked about again"),
  replaces: bodyId()
    .nullable()
    .optional()
    .describe(
      "the `decision_id` that may be replaced; null: none. Left out: whichever stands is replaced",
    ),
})
  .refine(({ a, b }) => a !== b, { path: ["b"], error: "must be another product than a" })
  .openapi("NewMatchDecision", { example: { a: 100003, b: 100017, decision: "same" } });

const reviewRoute = opsRoute("get /matches/review", {
  operationId: "listDoubtfulMatches",
  summary: "Doubtful matches, ordered by demand times the effect on the lowest price",
  request: {
    query: strict({
      limit: limitParam(100, 20),
      after: cursorParam(80, toReviewPosition).optional(),
    }),
  },
  responses: { 200: jsonAnswer("A page", reviewSchema) },
});

const listRoute = opsRoute("get /matches/decisions", {
  operationId: "listMatchDecisions",
  summary: "Decisions about matches, newest first",
  request: { query: strict({ limit: limitParam(200, 50), before: idParam().optional() }) },
  responses: { 200: jsonAnswer("A page", decisionListSchema) },
});

const decideRoute = opsRoute("post /matches/decisions", {
  operationId: "decideMatch",
  summary: "Decide whether two products are the same",
  description:
    "Stands above every code and text, whatever changes about the products, until a later decision about the same two or its undoing. Groups follow within seconds.",
  request: { body: requiredJson(newDecision) },
  responses: {
    201: jsonAnswer("Stored", decisionSchema),
    ...notFound,
    409: failure("Another decision stands than `replaces` names; the detail tells which"),
  },
});

const undoRoute = opsRoute("delete /matches/decisions/{id}", {
  operationId: "undoMatchDecision",
  summary: "Take a decision back, as if nobody had decided about the pair",
  request: { params: strict({ id: idParam() }) },
  responses: {
    204: { description: "Undone; a doubtful pair waits for a decision again" },
    404: failure("There is no such decision"),
    409: failure("A later decision about the pair has replaced it"),
  },
});

const categoriesRoute = opsRoute("get /matches/categories", {
  operationId: "listMatchCategories",
  summary: "How sure matches within categories are, and where none are made; by name",
  request: {
    query: strict({
      limit: limitParam(1000, 100),
      after: textParam(500).optional(),
      linked: booleanParam().optional(),
    }),
  },
  responses: { 200: jsonAnswer("A page", categoryListSchema) },
});

const changesRoute = opsRoute("get /groups/changes", {
  operationId: "listGroupChanges",
  summary: "What happened to groups, in order: merges, splits, members",
  description: "A reader that goes on at `next` misses nothing and can begin again at 0.",
  request: {
    query: strict({
      after: afterParam(),
      limit: limitParam(1000, 100),
    }),
  },
  responses: { 200: jsonAnswer("A page, oldest first", groupChangesSchema) },
});

/** People's part in matching: what to look at, what they decided, and what came of it. */
export function matchRoutes({ opsDb, actions }: OpsContext) {
  return createRoutes()
    .openapi(reviewRoute, async (c) => {
      const [{ items, next }, waiting] = await Promise.all([
        readReview(opsDb, c.req.valid("query")),
        countReview(opsDb),
      ]);
      const bodies = items.map(({ a, b, reasons, ...rest }) => ({
        a: toSideBody(a),
        b: toSideBody(b),
        ...rest,
        reasons: { for: reasons.speaksFor, against: reasons.against },
      }));
      return c.json({ items: bodies, next, waiting }, 200);
    })
    .openapi(listRoute, async (c) => {
      const { items, next } = await readDecisions(opsDb, c.req.valid("query"));
      const bodies = items.map(({ id, a, b, ...rest }) => ({
        decision_id: id,
        a: toSideBody(a),
        b: toSideBody(b),
        ...toMembers(rest),
      }));
      return c.json({ items: bodies, next }, 200);
    })
    .openapi(decideRoute, async (c) => {
      const { id, ...decision } = await actions.decideMatch(byApi(c), c.req.valid("json"));
      return c.json({ decision_id: id, ...toMembers(decision) }, 201);
    })
    .openapi(undoRoute, async (c) => {
      await actions.undoMatchDecision(byApi(c), c.req.valid("param").id);
      return c.body(null, 204);
    })
    .openapi(categoriesRoute, async (c) => {
      const { limit, after, linked } = c.req.valid("query");
      const read = await readMatchCategories(opsDb, { limit: limit + 1, after, isLinked: linked });
      const { items, next } = pageOf(read, limit, ({ category }) => category);
      const bodies = items.map(({ isLinked, modelVersion: _, ...one }) => ({
        ...toMembers(one),
        linked: isLinked,
      }));
      return c.json({ items: bodies, next }, 200);
    })
    .openapi(changesRoute, async (c) => {
      const { after, limit } = c.req.valid("query");
      const changes = await readGroupChanges(opsDb, { after, limit });
      const items = changes.map(({ id, ...change }) => ({ change_id: id, ...toMembers(change) }));
      return c.json({ items, next: items.at(-1)?.change_id ?? after }, 200);
    });
}
