import { isUtf8 } from "node:buffer";
import {
  BadReply,
  NoConnection,
  RetryLater,
  SlowDown,
  StopForHour,
  StopForToday,
  toApiError,
  type StorefrontError,
} from "./errors.ts";
import type { UpstreamClock } from "./upstream-clock.ts";
import { errorEnvelope } from "./wire.ts";
import { isRecord } from "../lib/is-record.ts";

/** The body of a reply without an error: its text, and what that is as JSON. */
export interface Body extends Text {
  json: unknown;
}

interface Text {
  text: string;
  /** Some bytes are no UTF-8: U+FFFD stands for them in the text. */
  isDamaged: boolean;
}

interface Reply extends Text {
  status: number;
  isJson: boolean;
  retryAfterMs: number | null;
}

export interface ExchangeOptions {
  fetch: typeof fetch;
  /** From sending to the last byte of the body. */
  timeoutMs: number;
  /** Size of the body after decompression. */
  maxBytes: number;
  upstreamClock?: UpstreamClock | undefined;
  /** Removes the credentials from a text of the upstream that is put into an error. */
  scrub(text: string): string;
}

const maxDescriptionChars = 300;

/**
 * Sends one GET and reads the whole reply within the limits. Follows no redirect, because that would
 * give the URL's credentials to another host. Throws a `StorefrontError` without any part of the URL;
 * throws the signal's reason if that is a `RetryLater`.
 */
export async function exchange(
  options: ExchangeOptions,
  url: string,
  signal?: AbortSignal,
): Promise<Body> {
  return bodyOf(await send(options, url, signal), options.scrub);
}

async function send(options: ExchangeOptions, url: string, signal?: AbortSignal): Promise<Reply> {
  const { fetch: fetcher, timeoutMs, maxBytes } = options;
  if (signal?.aborted)
    throw new RetryLater("aborted", "the call was given up before it was sent", false);
  // Not AbortSignal.any and .timeout: on Node 20 a combined timeout may be garbage-collected before it
  // fires.
  const controller = new AbortController();
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    controller.abort();
  }, timeoutMs);
  const giveUp = () => controller.abort();
  signal?.addEventListener("abort", giveUp, { once: true });
  let headersSeen = false;
  const answered = options.upstreamClock?.sending();
  try {
    const response = await fetcher(url, {
      redirect: "manual",
      signal: controller.signal,
      headers: { accept: "application/json" },
    });
    headersSeen = true;
    answered?.(response.headers);
    refuseStatus(response);
    return {
      status: response.status,
      isJson: isJson(response.headers.get("content-type")),
      retryAfterMs: readRetryAfter(response.headers),
      ...(await readText(response, maxBytes)),
    };
  } catch (error) {
    // Frees the connection if the body was not read to the end.
    controller.abort();
    if (error instanceof BadReply || error instanceof RetryLater) throw error;
    if (timedOut) throw new RetryLater("timeout", `no whole answer within ${timeoutMs} ms`);
    if (signal?.aborted) {
      if (signal.reason instanceof RetryLater) throw signal.reason;
      throw new RetryLater("aborted", "the call was given up after it was sent");
    }
    throw toFailure(error, headersSeen);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", giveUp);
  }
}

function refuseStatus(response: Response): void {
  const { status } = response;
  if (response.type === "opaqueredirect" || (status >= 300 && status < 400)) {
    throw new BadReply("redirected", `the storefront answered a redirect (${status})`);
  }
  if (status >= 500 || status === 408) {
    throw new RetryLater(`http_${status}`, `the storefront answered status ${status}`);
  }
}

function isJson(contentType: string | null): boolean {
  return /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(contentType ?? "");
}

/** In seconds, or until a moment of the upstream's clock, which begins with a day's name: `Date.parse` takes -5 for one too. */
function readRetryAfter(headers: Headers): number | null {
  const text = headers.get("retry-after") ?? "";
  const toMs = (date: string | null) => (/^[a-z]/i.test(date ?? "") ? Date.parse(date ?? "") : NaN);
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : toMs(text) - toMs(headers.get("date"));
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}

async function readText(response: Response, maxBytes: number): Promise<Text> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes)
      throw new BadReply("too_large", `the answer is larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  const body = Buffer.concat(chunks);
  return { text: new TextDecoder().decode(body), isDamaged: !isUtf8(body) };
}

/** Uses only the system's error code, because messages of `fetch` may quote the URL. */
function toFailure(error: unknown, headersSeen: boolean): StorefrontError {
  const code = systemCode(error);
  if (
    code.startsWith("Z_") ||
    code.startsWith("ERR_BROTLI") ||
    code.startsWith("ERR__ERROR_FORMAT")
  ) {
    return new BadReply("bad_reply", `the answer could not be decompressed (${code})`);
  }
  if (headersSeen) return new RetryLater("truncated", `the answer broke off (${code})`);
  if (code === "UND_ERR_HEADERS_TIMEOUT") {
    return new RetryLater("timeout", `the storefront did not answer in time (${code})`);
  }
  if (brokenOff.test(code)) {
    return new RetryLater("disconnected", `the connection broke off before an answer (${code})`);
  }
  return new NoConnection("network", `the storefront could not be reached (${code})`);
}

/** `fetch` names no code, nor what it was, where it refuses the status or the headers of an answer. */
const noCode = "status 407 of a proxy, or unusable headers";
/** The connection was made, so the cause may be this request. All other failures concern every call. */
const brokenOff = new RegExp(
  `^(ECONNRESET|EPIPE|UND_ERR_SOCKET|UND_ERR_HEADERS_OVERFLOW|HPE_.+|${noCode})$`,
);

function systemCode(error: unknown): string {
  for (
    let e: unknown = error, depth = 0;
    e instanceof Error && depth < 4;
    e = e.cause, depth += 1
  ) {
    if ("code" in e && typeof e.code === "string" && /^[A-Z][A-Z0-9_]{1,60}$/.test(e.code))
      return e.code;
  }
  return noCode;
}

function bodyOf(reply: Reply, scrub: ExchangeOptions["scrub"]): Body {
  const { status, isJson, text, isDamaged } = reply;
  const json = parse(text);
  const safe = (told: string) =>
    scrub(told).replaceAll("\0", "").slice(0, maxDescriptionChars).toWellFormed();
  const sent = errorEnvelope.safeParse(json).data;
  const failure = sent ? toApiError(safe(sent.error), safe(sent.error_description ?? "")) : null;
  // A limit holds whatever the status: the calls that find that out again are lost.
  if (failure instanceof StopForToday || failure instanceof StopForHour) throw failure;
  if (status === 429) throw new SlowDown(reply.retryAfterMs);
  if (status >= 400) throw failure ?? unspecified(`status ${status}`);
  if (status !== 200) throw unspecified(`status ${status}`);
  if (text.trim() === "") throw unspecified("an empty body");
  if (!isJson) throw unspecified("a content type that is not JSON");
  if (json === undefined) throw unspecified(isDamaged ? "text that is not UTF-8" : "invalid JSON");
  const error = isRecord(json) ? json["error"] : null;
  // An empty one is none.
  if (isRecord(error) ? Object.keys(error).length > 0 : error)
    throw unspecified("an error with status 200");
  return { text, json, isDamaged };
}

/** `undefined` if the text is not JSON. The parser's message is dropped, because it quotes the body. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function unspecified(what: string): BadReply {
  return new BadReply("bad_reply", `the storefront answered ${what}`);
}
