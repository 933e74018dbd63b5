import { z } from "@hono/zod-openapi";
import { readCursor, writeCursor } from "../../catalog/changes/change-cursor.ts";
import {
  ForeignCursor,
  readChanges,
  type Change,
  type ChangePage,
} from "../../catalog/changes/changes.ts";
import { type JsonOf, maxAnswerBytes, sendOnce } from "../http/answer.ts";
import type { ApiDeps } from "../http/deps.ts";
import type { Lanes } from "../http/lanes.ts";
import { cursorParam, limitParam } from "../http/parameters.ts";
import { publicRoute, jsonAnswer, orNull, failure, createRoutes, strict } from "../http/route.ts";
import { productSchema } from "./product-schema.ts";
import { toProduct } from "./to-product.ts";
import { refuse } from "../http/problems/problem.ts";

/** Larger pages wait for one another. */
const plainLimit = 100;
const maxBytes = maxAnswerBytes / 2;
const pollSeconds = 5;

const example = writeCursor({ epoch: "5f0c3c6e3f0e", position: 20_417, listedTo: null });

const changeSchema = z
  .object({
    cursor: z.string().openapi({ description: "to go on behind this change", example }),
    item_id: z.int(),
    kind: z
      .enum(["listed", "added", "changed", "deleted", "returned"])
      .describe(
        "what happened then. listed: part of the first reading of everything that lives; returned: shown again after it was deleted",
      ),
    product: orNull(productSchema).describe(
      "its state at the time of this answer, whatever the kind; null: the shop has deleted it",
    ),
  })
  .openapi("Change");

const changesSchema = z
  .object({
    items: z.array(changeSchema),
    next: z
      .string()
      .openapi({ description: "the `after` of the next request; always given", example }),
    poll_after_s: z
      .int()
      .describe("how long to wait before it, in seconds; 0: there is more to read now"),
  })
  .openapi("ChangeList");

type ChangesBody = z.infer<typeof changesSchema>;

const query = strict({
  after: cursorParam(200, readCursor, "must be the `cursor` of an item, or the `next` of an answer")
    .optional()
    .openapi({
      example,
      description: "a cursor; without it: from the beginning, which is everything that lives",
    }),
  limit: limitParam(1000, 100),
});

const route = publicRoute("get /v1/changes", {
  operationId: "listChanges",
  tags: ["products"],
  summary: "What changed, in the order of commits",
  description: `To keep a copy in step: put \`product\` where it is given, remove the copy where it is null, keep \`next\`, ask again. Reading the same part twice does no harm. Without \`after\`: first everything that lives, by item_id, then what has changed since the beginning of that reading. Members that change with time or with other products (\`age_s\`, \`checked_at\`, \`group\`) make no change of their own. Of old changes only the newest of each product is kept, which is all that a reader needs. A page may have fewer than \`limit\` items, because it ends at ${maxBytes} bytes. Pages of more than ${plainLimit} wait for one another; if too many wait, the answer is 503.`,
  request: { query },
  responses: {
    200: jsonAnswer("The next changes", changesSchema),
    410: failure(
      "The cursor is of a catalogue that was restored, or whose database was replaced, since: begin again, with an empty copy and without `after`",
    ),
  },
});

export function changesRoutes(deps: ApiDeps, lanes: Lanes) {
  const { db, writeDb, replica, market, clock, clientAddress } = deps;
  return createRoutes().openapi(route, async (c) => {
    const { after, limit } = c.req.valid("query");
    const write = ({ cursor, itemId, kind, record }: Change): string =>
      JSON.stringify({
        cursor: writeCursor(cursor),
        item_id: itemId,
        kind,
        product: record && toProduct(record, market, clock.now()),
      } satisfies ChangesBody["items"][number]);
    const request = { after: after ?? null, limit, maxBytes };
    const read = async () => {
      try {
        const page = await readChanges(db, request, write);
        if (!page.behind || !replica?.isUsed()) return page;
      } catch (error) {
        if (!(error instanceof ForeignCursor) || !replica?.isUsed()) throw error;
      }
      // The replica does not have yet what the reader has seen elsewhere: changes, or a new order of them.
      return readChanges(writeDb, request, write);
    };
    const respond = async () => sendOnce(c, toBody(await read().catch(toProblem)));
    const response = await (limit > plainLimit
      ? lanes.changes(clientAddress(c), respond)
      : respond());
    // Safe: the text is the JSON of a ChangesBody.
    return response as JsonOf<ChangesBody>;
  });
}

function toBody({ items, next, more, behind }: ChangePage): string {
  const pollAfter = more ? 0 : behind ? 1 : pollSeconds;
  return `{"items":[${items.join(",")}],"next":"${writeCursor(next)}","poll_after_s":${pollAfter}}`;
}

function toProblem(error: unknown): never {
  if (!(error instanceof ForeignCursor)) throw error;
  const detail =
    "the catalogue was restored, or its database replaced, since: begin again with an empty copy, without `after`";
  const fault = { parameter: "after", message: "is of a catalogue that is no longer there" };
  refuse(410, "cursor_expired", detail, { errors: [fault] });
}
