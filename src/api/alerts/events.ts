import { z } from "@hono/zod-openapi";
import { streamSSE } from "hono/streaming";
import { readEventsAfter, readLastEventId, type AlertEvent } from "../../alerts/events.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Market } from "../../catalog/market.ts";
import { alertKinds, lowWindows } from "../../db/schema.ts";
import { answerOnce } from "../http/answer.ts";
import type { ApiContext, ApiDeps } from "../http/deps.ts";
import { integerParam, limitParam, orElse } from "../http/parameters.ts";
import { refuse } from "../http/problems/problem.ts";
import {
  objectAnswer,
  createRoutes,
  strict,
  instantSchema,
  webUrlSchema,
  intOrNull,
  textOrNull,
} from "../http/route.ts";
import { toMembers } from "../http/to-members.ts";
import { alertRoute, requireOwnerKey } from "./key-of.ts";

const dataSchema = z
  .object({
    title: z.string(),
    shop_id: z.string(),
    price: intOrNull("after the change; null: deleted"),
    prev_price: intOrNull("before it, of a price that jumped: before the jump; null: new"),
    stock: z.int().nullable(),
    prev_stock: z.int().nullable(),
    target: z.int().optional().describe("price_below: the rule's price"),
    percent: z.number().optional().describe("price_drop, price_rise: how much it moved, above 0"),
    window: z.enum(lowWindows).optional().describe("new_low"),
    low: z.int().optional().describe("new_low: the lowest price known before"),
    low_at: instantSchema.optional().describe("new_low: when that was first seen"),
  })
  .openapi("AlertEventData");

const eventSchema = z
  .object({
    cursor: z.string().openapi({ description: "to go on behind this event", example: "1042" }),
    event_id: z.int(),
    kind: z.enum(alertKinds),
    saved_search_id: z.int(),
    saved_search_name: textOrNull("null: deleted since"),
    item_id: z.int(),
    ver: z.int().describe("of the product after the change; rises"),
    url: webUrlSchema.describe("where the product is sold"),
    at: instantSchema.describe("when the event was written"),
    changed_at: instantSchema.describe("when the change was stored"),
    is_quiet: z.boolean().describe("beyond `daily_max`: not sent at once"),
    data: dataSchema,
  })
  .openapi("AlertEvent");

export type EventBody = z.infer<typeof eventSchema>;

function toEvent({ shop, data, ...event }: AlertEvent, market: Market): EventBody {
  return {
    cursor: String(event.eventId),
    ...toMembers(event),
    url: shop && market.urlOf({ itemId: event.itemId, shop }),
    // Safe: `judge` wrote it.
    data: data as EventBody["data"],
  };
}

const mostStreams = 200;
export const mostStreamsOfKey = 5;

const lookEveryMs = 1000;
/** Well below the time after which a silent connection is cut. */
const aliveEveryMs = 10_000;
/** A stream does not outlive a revoked key by more than this. */
const lastsMs = 600_000;

interface Source {
  clock: Clock;
  /** Streams end then; their clients come back to another process. */
  stopping: AbortSignal;
  /** The last event of anybody; may be asked by every stream. */
  readLast(): Promise<number>;
  readAfter(keyId: number, after: number): Promise<EventBody[]>;
}

/** Opens bounded numbers of streams; throws 429 beyond them. */
export function createEventStreams({ clock, stopping, readLast, readAfter }: Source) {
  const open = new Map<number, number>();
  let all = 0;
  const count = (keyId: number, change: 1 | -1) => {
    all += change;
    const own = (open.get(keyId) ?? 0) + change;
    if (own > 0) open.set(keyId, own);
    else open.delete(keyId);
  };
  return (c: ApiContext, { keyId, after }: { keyId: number; after: number | null }) => {
    c.header("Cache-Control", "no-store");
    // Nobody would read the stream, so it would never end.
    if (c.req.method === "HEAD") return c.body(null, 200, { "Content-Type": "text/event-stream" });
    if (all >= mostStreams || (open.get(keyId) ?? 0) >= mostStreamsOfKey) refuseTooMany();
    count(keyId, 1);
    return streamSSE(c, async (stream) => {
      const startedMs = clock.monotonicMs();
      const aborted = new AbortController();
      stream.onAbort(() => aborted.abort());
      const ends = () =>
        aborted.signal.aborted || stopping.aborted || clock.monotonicMs() - startedMs >= lastsMs;
      try {
        let cursor = after ?? (await readLast());
        // With the position, so that who is cut off before the first event goes on from here.
        await stream.write(`: open\nid: ${cursor}\n\n`);
        let wroteMs = startedMs;
        while (!ends()) {
          const events = (await readLast()) > cursor ? await readAfter(keyId, cursor) : [];
          for (const event of events) {
            const data = JSON.stringify(event);
            await stream.writeSSE({ id: event.cursor, event: event.kind, data });
            cursor = event.event_id;
          }
          if (events.length > 0) wroteMs = clock.monotonicMs();
          else if (clock.monotonicMs() - wroteMs >= aliveEveryMs) {
            await stream.write(": alive\n\n");
            wroteMs = clock.monotonicMs();
          }
          if (events.length === 0) await clock.sleep(lookEveryMs, aborted.signal);
        }
      } finally {
        count(keyId, -1);
      }
    });
  };
}

function refuseTooMany(): never {
  const detail = `there are too many streams; a key may have ${mostStreamsOfKey}`;
  refuse(429, "too_many_streams", detail, { headers: { "Retry-After": "30" } });
}

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
