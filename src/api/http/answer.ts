import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { TypedResponse } from "hono";
import { parseAccept } from "hono/utils/accept";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { JSONParsed } from "hono/utils/types";
import type { ApiDeps, ApiContext } from "./deps.ts";
import { refuse } from "./problems/problem.ts";
import type { z } from "@hono/zod-openapi";
import type { freshnessSchema } from "./route.ts";

/** Compression does not make smaller bodies smaller. */
const minGzipChars = 1024;
/** The size of an answer's body before compression. */
export const maxAnswerBytes = 8_388_608;

/** What handlers of routes return that answer with JSON of this type. */
export type JsonOf<T> = Response & TypedResponse<JSONParsed<T>, 200, "json">;

/**
 * Answers a public GET with JSON. The weak ETag is made of `stable`, the answer without ages and the
 * like, so that an unchanged product is still a 304 a minute later. Hono's own etag and compress
 * middleware cost five and ten times as much per request.
 */
export async function answer<T>(c: ApiContext, body: T, stable: unknown = body) {
  const text = JSON.stringify(body);
  const response = await sendText(c, {
    text,
    contentType: "application/json; charset=utf-8",
    etag: etagOf(stable === body ? text : JSON.stringify(stable)),
  });
  // Safe: the response is the JSON of `body`, or a 304 for it.
  return response as JsonOf<T>;
}

/** Answers a public POST with JSON that nobody may keep. */
export async function answerOnce<T>(c: ApiContext, body: T) {
  const response = await sendOnce(c, JSON.stringify(body));
  // Safe: the response is the JSON of `body`.
  return response as JsonOf<T>;
}

/** `answerOnce` for a body that is JSON text already. */
export function sendOnce(c: ApiContext, text: string): Promise<Response> {
  return sendPacked(c, text, {
    "Cache-Control": "no-store",
    "Content-Type": "application/json; charset=utf-8",
  });
}

export function etagOf(text: string): string {
  return `W/"${createHash("sha256").update(text).digest("base64url").slice(0, 27)}"`;
}

export interface TextPayload {
  text: string;
  contentType: string;
  etag: string;
}

export async function sendText(c: ApiContext, payload: TextPayload): Promise<Response> {
  const { text, contentType, etag } = payload;
  // Shared caches keep no answer to a key, because its headers tell of the key's limits.
  const whose = c.get("keyId") ? "private" : "public";
  const headers = { ETag: etag, "Cache-Control": `${whose}, no-cache` };
  if (matchesEtag(c.req.header("If-None-Match"), etag)) return c.body(null, 304, headers);
  return sendPacked(c, text, { ...headers, "Content-Type": contentType });
}

async function sendPacked(
  c: ApiContext,
  text: string,
  headers: Record<string, string>,
): Promise<Response> {
  if (text.length > maxAnswerBytes / maxUtf8Bytes && Buffer.byteLength(text) > maxAnswerBytes) {
    refuseTooLarge();
  }
  if (text.length < minGzipChars) return c.body(text, 200, headers);
  return sendZipped(c, text, 200, headers);
}

const gzipAsync = promisify(gzip);

/** The text, compressed if the client accepts that. */
export async function sendZipped(
  c: ApiContext,
  text: string,
  status: ContentfulStatusCode,
  headers: Record<string, string>,
): Promise<Response> {
  const coding = acceptedCoding(c.req.header("Accept-Encoding"), ["gzip"]);
  if (coding === null) return c.body(text, status, headers);
  // Asynchronous, because compressing a large answer takes longer than a search.
  const zipped = new Uint8Array(await gzipAsync(text, { level: 1 }));
  return c.body(zipped, status, { ...headers, "Content-Encoding": coding });
}

const maxUtf8Bytes = 3;

export function refuseTooLarge(): never {
  const detail = `the answer would have more than the ${maxAnswerBytes} bytes that are allowed; ask for fewer products or fewer of their fields`;
  refuse(400, "answer_too_large", detail);
}

/** Weak comparison, by RFC 9110 section 13.1.2. */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const opaque = (tag: string) => tag.trim().replace(/^W\//, "");
  return header.split(",").some((tag) => opaque(tag) === "*" || opaque(tag) === opaque(etag));
}

/**
 * The first of these content codings that the client accepts; null for none. By RFC 9110 section
 * 12.5.3 a client accepts a coding if it names it (or `*`) without the weight 0.
 */
export function acceptedCoding<T extends string>(
  header: string | undefined,
  codings: readonly T[],
): T | null {
  const weights = new Map(parseAccept(header ?? "").map(({ type, q }) => [type.toLowerCase(), q]));
  return codings.find((coding) => (weights.get(coding) ?? weights.get("*") ?? 0) > 0) ?? null;
}

type ReadSource = Pick<z.infer<typeof freshnessSchema>, "read_from" | "replica_lag_s">;

/** To be called before an answer's reads; the result states where they went, and how far behind that may be. */
export function beginReads(deps: Pick<ApiDeps, "replica" | "clock">): () => ReadSource {
  const { replica, clock } = deps;
  if (replica === null) return () => ({});
  const wasUsed = replica.isUsed();
  const completeToMs = replica.completeToMs();
  return () => {
    if (!wasUsed && !replica.isUsed()) return { read_from: "primary" };
    if (completeToMs === null) return { read_from: "replica", replica_lag_s: null };
    const lagSeconds = (clock.monotonicMs() - completeToMs) / 1000;
    return { read_from: "replica", replica_lag_s: Math.ceil(lagSeconds * 10) / 10 };
  };
}
