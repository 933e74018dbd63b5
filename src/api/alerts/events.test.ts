import { Hono } from "hono";
import { expect, it } from "vitest";
import { createTestClock } from "../../../test/support/clock.ts";
import type { ApiEnv } from "../http/deps.ts";
import { createEventStreams, mostStreamsOfKey } from "./events.ts";

/** An app that streams, to one key; no event is newer than `last`. */
function createStreams(last = 0) {
  const stopping = new AbortController();
  const clock = createTestClock();
  const open = createEventStreams({
    clock,
    stopping: stopping.signal,
    readLast: async () => last,
    readAfter: async () => [],
  });
  const app = new Hono<ApiEnv>().get("/", (c) => open(c, { keyId: 1, after: null }));
  return { app, clock, stopping };
}

it("a stream ends when the process is told to stop, and not before", async () => {
  const { app, clock, stopping } = createStreams();
  let isOver = false;
  const answer = await app.request("/");
  const whole = answer.text().then((text) => {
    isOver = true;
    return text;
  });
  await clock.advance(60_000);
  expect(isOver).toBe(false);
  stopping.abort();
  await clock.advance(1000);
  expect(await whole).toContain(": alive");
});

it("a stream that ends before its first event has said where to go on", async () => {
  const { app, clock, stopping } = createStreams(7);
  const answer = await app.request("/");
  stopping.abort();
  const whole = answer.text();
  await clock.advance(1000);
  // An event source takes the id also of what has no data, and sends it as `Last-Event-ID`.
  expect(await whole).toMatch(/^id: 7$/m);
});

it("a request for its headers alone takes no place of a stream", async () => {
  const { app } = createStreams();
  for (let i = 0; i < mostStreamsOfKey; i += 1) {
    const { headers } = await app.request("/", { method: "HEAD" });
    expect(headers.get("Content-Type")).toBe("text/event-stream");
  }
  const { status, body } = await app.request("/");
  expect(status).toBe(200);
  await body?.cancel();
});
