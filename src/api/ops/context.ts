import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { ApiDeps, ApiContext, ApiEnv } from "../http/deps.ts";
import { opsSecurityScheme } from "../http/openapi/openapi.ts";
import { bodyId } from "../http/parameters.ts";
import {
  jsonAnswer,
  type Method,
  publicRoute,
  requiredJson,
  type RouteParts,
  strict,
  intOrNull,
} from "../http/route.ts";
import type { OpsActions } from "./actions/actions.ts";
import type { Actor } from "./actions/audit-log.ts";

export interface OpsContext extends ApiDeps {
  actions: OpsActions;
}

export function byApi(c: ApiContext): Actor {
  return { via: "api", requestId: c.get("requestId"), ...c.get("operator") };
}

/** A route for operators: it needs the token. */
export function opsRoute<M extends Method, Path extends string, Parts extends RouteParts>(
  at: `${M} ${Path}`,
  parts: Parts,
) {
  return publicRoute(at, { tags: ["ops"], security: [{ [opsSecurityScheme]: [] }], ...parts });
}

/** `next` of a list that has filters. */
export const filteredNext = intOrNull(
  "`before` of the next page; null on the last. With a filter, a page may be short or empty and still have a next",
);

const mostIds = 200;

/** The rows of a list that an action is about, at most a page of them. */
export const idsBody = strict({
  ids: z
    .array(bodyId(), "must be a list of ids")
    .min(1, "must have at least 1 id")
    .max(mostIds, `must have at most ${mostIds} ids`),
}).openapi("RowIds", { example: { ids: [17, 18] } });

export const changedRows = z
  .object({
    changed: z.int().describe("rows that are no longer there are left out"),
  })
  .openapi("ChangedRows");
export function rowsRoute<Path extends string>(
  path: Path,
  names: { operationId: string; summary: string },
) {
  return opsRoute(`post ${path}`, {
    ...names,
    request: { body: requiredJson(idsBody) },
    responses: { 200: jsonAnswer("How many", changedRows) },
  });
}

type RowsContext = Context<ApiEnv, string, { out: { json: z.infer<typeof idsBody> } }>;

/** The handler of such a route. `act` returns how many rows were still there. */
export function rowsHandler(act: (by: Actor, ids: readonly number[]) => Promise<number>) {
  return async (c: RowsContext) =>
    c.json({ changed: await act(byApi(c), c.req.valid("json").ids) }, 200);
}
