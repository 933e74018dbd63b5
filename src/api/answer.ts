import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import type { Context, TypedResponse } from "hono";
import type { JSONParsed } from "hono/utils/types";
import type { ApiEnv } from "./env.ts";

/** Smaller bodies grow or stay equal when compressed. */
const MIN_GZIP_CHARS = 1024;

/**
 * Answers a public GET with JSON. The ETag is weak and made of `stable`: the answer without what
 * changes by itself, such as ages, so that an unchanged product is a 304 a minute later too. Hono's
 * own etag and compress middleware cost five and ten times as much per request.
 */
export function answer<T>(
  c: Context<ApiEnv>,
  body: T,
  stable: unknown = body,
): Response & TypedResponse<JSONParsed<T>, 200, "json"> {
  const text = JSON.stringify(body);
  const response = sendText(c, {
    text,
    contentType: "application/json; charset=utf-8",
    etag: etagOf(stable === body ? text : JSON.stringify(stable)),
  });
  // Safe: what was sent is the JSON of `body`, or a 304 that stands for it.
  return response as Response & TypedResponse<JSONParsed<T>, 200, "json">;
}

/** Answers a public POST: the same, but nothing that a cache could keep. */
export function answerOnce<T>(
  c: Context<ApiEnv>,
  body: T,
): Response & TypedResponse<JSONParsed<T>, 200, "json"> {
  const headers = {
    "Cache-Control": "no-store",
    "Content-Type": "application/json; charset=utf-8",
  };
  // Safe: what was sent is the JSON of `body`.
  return sendPacked(c, { text: JSON.stringify(body) }, headers) as Response &
    TypedResponse<JSONParsed<T>, 200, "json">;
}

export function etagOf(text: string): string {
  return `W/"${createHash("sha256").update(text).digest("base64url").slice(0, 27)}"`;
}

export interface Payload {
  text: string;
  /** Made when first asked for; kept with a payload that is sent more than once. */
  zipped?: Uint8Array<ArrayBuffer>;
}

export interface TextPayload extends Payload {
  contentType: string;
  etag: string;
}

export function sendText(c: Context<ApiEnv>, payload: TextPayload): Response {
  const headers = { ETag: payload.etag, "Cache-Control": "public, no-cache" };
  if (matchesEtag(c.req.header("If-None-Match"), payload.etag)) return c.body(null, 304, headers);
  return sendPacked(c, payload, { ...headers, "Content-Type": payload.contentType });
}

function sendPacked(
  c: Context<ApiEnv>,
  payload: Payload,
  headers: Record<string, string>,
): Response {
  const { text } = payload;
  if (text.length < MIN_GZIP_CHARS || !acceptsGzip(c.req.header("Accept-Encoding"))) {
    return c.body(text, 200, headers);
  }
  payload.zipped ??= new Uint8Array(gzipSync(text, { level: 1 }));
  return c.body(payload.zipped, 200, { ...headers, "Content-Encoding": "gzip" });
}

/** Weak comparison, by RFC 9110 section 13.1.2. */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const opaque = (tag: string) => tag.trim().replace(/^W\//, "");
  return header.split(",").some((tag) => opaque(tag) === "*" || opaque(tag) === opaque(etag));
}

/** By RFC 9110 section 12.5.3: named (or `*`), and not with weight 0. */
export function acceptsGzip(header: string | undefined): boolean {
  if (header === undefined) return false;
  const weights = new Map(
    header.split(",").map((part) => {
      const [coding = "", ...parameters] = part.split(";").map((piece) => piece.trim());
      const weight = parameters.find((p) => p.toLowerCase().startsWith("q="))?.slice(2);
      return [coding.toLowerCase(), weight === undefined ? 1 : Number(weight)];
    }),
  );
  return (weights.get("gzip") ?? weights.get("*") ?? 0) > 0;
}
