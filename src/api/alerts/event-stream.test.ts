import { Hono } from "hono";
import { expect, it } from "vitest";
import { createTestClock } from "../../../test/support/clock.ts";
import type { ApiEnv } from "../http/env.ts";
import { createEventStreams } from "./event-stream.ts";

it("a stream ends when the process is told to stop, and not before", async () => {
  const stopping = new AbortController();
  const clock = createTestClock();
  const open = createEventStreams({
    clock,
    stopping: stopping.signal,
    readLast: async () => 0,
    readAfter: async () => [],
  });
  const app = new Hono<ApiEnv>().get("/", (c) => open(c, { keyId: 1, after: null }));
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
