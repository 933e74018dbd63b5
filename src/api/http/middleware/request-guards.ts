import { isUtf8 } from "node:buffer";
import { randomUUID } from "node:crypto";
import type { Next } from "hono";
import { bodyLimit } from "hono/body-limit";
import { every } from "hono/combine";
import type { Clock } from "../../../lib/clock.ts";
import type { ApiContext, Middleware } from "../deps.ts";
import { refuseForNow } from "../problems/failures.ts";
import { invalid } from "../route.ts";
import { refuse } from "../problems/problem.ts";

const safeRequestId = /^[\w.~-]{1,64}$/;

/** Uses the caller's X-Request-Id if it is safe for a log; otherwise generates one. */
export function requestId(): Middleware {
  return async (c, next) => {
    const given = c.req.header("X-Request-Id");
    const id = given !== undefined && safeRequestId.test(given) ? given : randomUUID();
    c.set("requestId", id);
    c.header("X-Request-Id", id);
    await next();
  };
}

/** Addresses that are answered before the migrations have ended: health, and static files. */
const withoutDatabase = /^\/(healthz|metrics|assets\/.*)$/;

/**
 * Answers 503 until the migrations have ended, because tables may be old or missing before. Metrics
 * themselves show that the database is not ready.
 */
export function onlyWhenReady(isReady: () => boolean): Middleware {
  return async (c, next) => {
    if (!isReady() && !withoutDatabase.test(c.req.path)) {
      refuseForNow("not_ready", "Kurabe is starting; try again in a moment");
    }
    await next();
  };
}

/** Refuses addresses with invalid UTF-8 or a NUL, because neither Postgres nor Meilisearch accepts them. */
export function wellFormedUrl(): Middleware {
  return async (c, next) => {
    const { url } = c.req;
    if (!isReadable(url)) {
      refuse(400, "malformed_url", "the address must be percent-encoded UTF-8 without NUL");
    }
    // Query objects cannot contain this name, so it would be silently ignored.
    if (/[?&]__proto__(=|&|$)/.test(url)) {
      throw invalid([{ parameter: "__proto__", message: "is not known here" }]);
    }
    await next();
  };
}

function isReadable(url: string): boolean {
  try {
    return !decodeURIComponent(url).includes("\0");
  } catch {
    return false;
  }
}

/** Refuses, without reading it, a body of a GET, and one that would be misread: compressed, or not in UTF-8. */
export function readableBody(): Middleware {
  return async (c, next) => {
    const { method } = c.req;
    const length = Number(c.req.header("Content-Length") ?? 0);
    const hasBody = length > 0 || c.req.header("Transfer-Encoding") !== undefined;
    if (hasBody && (method === "GET" || method === "HEAD")) {
      const headers = { Connection: "close" };
      refuse(413, "body_too_large", `a ${method} request must not have a body`, { headers });
    }
    const coding = c.req.header("Content-Encoding") ?? "identity";
    if (
      hasBody &&
      (coding.toLowerCase() !== "identity" || !saysUtf8(c.req.header("Content-Type")))
    ) {
      misread();
    }
    await next();
  };
}

/** Refuses a body of more bytes, and one that is not the UTF-8 that it is said to be: its letters would become "�". */
export function boundedBody(maxSize: number): Middleware {
  return every(bodyLimit({ maxSize }), async (c: ApiContext, next: Next) => {
    if (c.req.raw.body !== null && !isUtf8(await c.req.arrayBuffer())) misread();
    await next();
  });
}

function misread(): never {
  refuse(415, "unsupported_media_type", "the body must be sent as UTF-8, and not compressed");
}

function saysUtf8(contentType = ""): boolean {
  const [, charset = "utf-8"] = /;\s*charset="?([^\s;"]*)/i.exec(contentType) ?? [];
  return /^(utf-?8|us-ascii)$/i.test(charset);
}

/** Answers 503 after `ms`, even if the handler is still waiting. Its statements have their own time limits. */
export function deadline(clock: Clock, ms: number): Middleware {
  return async (_, next) => {
    const answered = new AbortController();
    try {
      await Promise.race([next(), overdue(clock, ms, answered.signal)]);
    } finally {
      // Our own reason, because the default one is an error with a stack.
      answered.abort(null);
    }
  };
}

async function overdue(clock: Clock, ms: number, answered: AbortSignal): Promise<void> {
  await clock.sleep(ms, answered);
  if (answered.aborted) return;
  refuseForNow("timeout", "the answer took too long");
}

/**
 * Ends the connection after an answer if the client must not send its next request there: the answer did not wait
 * for the request's whole body, or the process is stopping.
 */
export function closeConnections(stopping: AbortSignal): Middleware {
  return async (c, next) => {
    await next();
    const isUnread = c.env?.incoming?.complete === false;
    if (isUnread || stopping.aborted) c.header("Connection", "close");
  };
}
