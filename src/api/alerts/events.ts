import { z } from "@hono/zod-openapi";
import { readEventsAfter, readLastEventId } from "../../alerts/events.ts";
import { answerOnce } from "../http/answer.ts";
import type { ApiDeps } from "../http/deps.ts";
import { integerParam, limitParam, orElse } from "../http/parameters.ts";
import { objectAnswer, createRoutes, strict } from "../http/route.ts";
import { eventSchema, toEvent } from "./event-schema.ts";
import { createEventStreams, mostStreams, mostStreamsOfKey } from "./event-stream.ts";
import { alertRoute, requireOwnerKey } from "./key-of.ts";

const pollSeconds = 5;
const cursorParam = integerParam(0, Number.MAX_SAFE_INTEGER);

const listRoute = alertRoute("get /v1/events", {
  operationId: "listEvents",
  summary: "What the key's saved searches have told, in the order of commits",
  description:
    "Each saved search, product, kind and version of the product is told once. Keep `next` and ask again: nothing is missed. Events are kept for 90 days.",
  request: {
    query: strict({
      after: orElse(cursorParam, 0, {
        description: "a cursor; without it: from the oldest event that is kept",
      }),
      limit: limitParam(1000, 100),
    }),
  },
  responses: {
    200: objectAnswer("The next events", "AlertEventList", {
      items: z.array(eventSchema),
      next: z
        .string()
        .openapi({ description: "the `after` of the next request; always given", example: "1042" }),
      poll_after_s: z
        .int()
        .describe("how long to wait before it, in seconds; 0: there is more to read now"),
    }),
  },
});

const streamRoute = alertRoute("get /v1/events/stream", {
  operationId: "streamEvents",
  summary: "The same as Server-Sent Events",
  description: `Each event has its cursor as \`id\`, its kind as \`event\`, and an item of \`GET /v1/events\` as \`data\`. It goes on behind \`Last-Event-ID\` or \`after\`; without both: with what is told from now on. The connection ends after ten minutes; event sources connect again by themselves. A key may have ${mostStreamsOfKey} streams at once, a process has ${mostStreams}.`,
  request: {
    query: strict({ after: cursorParam.optional() }),
    headers: z.object({ "last-event-id": cursorParam.optional() }),
  },
  responses: {
    200: {
      description: "The stream",
      content: { "text/event-stream": { schema: z.string() } },
    },
  },
});

export function eventRoutes({ db, clock, market, cache, stopping }: ApiDeps) {
  const readLast = cache.remember("last event", 1000, () => readLastEventId(db));
  const open = createEventStreams({
    clock,
    stopping,
    readLast,
    readAfter: async (keyId, after) => {
      const events = await readEventsAfter(db, keyId, { after, limit: 100 });
      return events.map((event) => toEvent(event, market));
    },
  });
  return createRoutes()
    .openapi(listRoute, async (c) => {
      const { after, limit } = c.req.valid("query");
      const events = await readEventsAfter(db, requireOwnerKey(c), { after, limit });
      return answerOnce(c, {
        items: events.map((event) => toEvent(event, market)),
        next: String(events.at(-1)?.eventId ?? after),
        poll_after_s: events.length === limit ? 0 : pollSeconds,
      });
    })
    .openapi(streamRoute, (c) => {
      const after = c.req.valid("header")["last-event-id"] ?? c.req.valid("query").after ?? null;
      return open(c, { keyId: requireOwnerKey(c), after });
    });
}
