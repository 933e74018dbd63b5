import { z } from "@hono/zod-openapi";
import { jsonAnswer, requiredJson } from "../http/schema-parts.ts";
import { strict } from "../http/validation.ts";
import { opsRoute } from "./context.ts";

const mostIds = 200;
const idRule = `must be a whole number from 1 to ${Number.MAX_SAFE_INTEGER}`;

/** The rows of a list that an action is about, at most a page of them. */
export const idsBody = strict({
  ids: z
    .array(z.int(idRule).min(1, idRule), "must be a list of ids")
    .min(1, "must have at least 1 id")
    .max(mostIds, `must have at most ${mostIds} ids`),
}).openapi("RowIds", { example: { ids: [17, 18] } });

/** How many rows an action changed. */
export const changedRows = z
  .object({
    changed: z.int().openapi({ description: "rows that are no longer there are left out" }),
  })
  .openapi("ChangedRows");

/** A route that does something to these rows. */
export function rowsRoute<Path extends string>(route: {
  path: Path;
  operationId: string;
  summary: string;
}) {
  return opsRoute({
    ...route,
    method: "post",
    request: { query: strict({}), body: requiredJson(idsBody) },
    responses: { 200: jsonAnswer("How many", changedRows) },
  });
}
