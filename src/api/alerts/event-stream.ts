import { streamSSE } from "hono/streaming";
import type { Clock } from "../../lib/clock.ts";
import type { ApiContext } from "../http/deps.ts";
import type { EventBody } from "./event-schema.ts";
import { refuse } from "../http/problems/problem.ts";

export const mostStreams = 200;
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
