import type { z } from "zod";
import { BadReply } from "./errors.ts";
import { exchange } from "./exchange.ts";
import type { RefreshPage, SearchPage } from "./product.ts";
import { readRefreshItems, readSearchItems, toReason } from "./read-items.ts";
import { toRefreshQuery, toSearchQuery, type RefreshParams, type SearchParams } from "./request.ts";
import type { UpstreamClock } from "./upstream-clock.ts";
import { refreshEnvelope, searchEnvelope } from "./wire.ts";

/**
 * The two Search operations. Both reject with a `StorefrontError` if there is no usable answer. They
 * reject with a `RangeError`, and send nothing, if the upstream would refuse the parameters.
 */
export interface StorefrontClient {
  search(params: SearchParams, signal?: AbortSignal): Promise<SearchPage>;
  refresh(params: RefreshParams, signal?: AbortSignal): Promise<RefreshPage>;
}

export interface StorefrontOptions {
  /** https, or http on a loopback address. */
  baseUrl: string;
  clientId: string;
  clientSecret: string;
  /** For a whole call, including the body; 15,000 by default. */
  timeoutMs?: number;
  /** Largest decompressed body; 8 MiB by default. */
  maxBytes?: number;
  fetch?: typeof fetch;
  /** Learns from the answers. */
  upstreamClock?: UpstreamClock;
}

const defaultTimeoutMs = 15_000;
const defaultMaxBytes = 8 * 1024 * 1024;
/** A call asks for 50; an upstream that ignores that is read so far, because each item takes time to read and store. */
const maxItems = 1000;

/** Opens no connection; `fetch` keeps connections alive. Throws if the base URL is unusable. */
export function createStorefrontClient(options: StorefrontOptions): StorefrontClient {
  const base = checkedBase(options.baseUrl);
  const scrub = createScrubber([options.clientId, options.clientSecret]);
  const sending = {
    fetch: options.fetch ?? fetch,
    timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
    maxBytes: options.maxBytes ?? defaultMaxBytes,
    upstreamClock: options.upstreamClock,
    scrub,
  };

  function get(path: string, params: Record<string, string>, signal?: AbortSignal) {
    // Only here the credentials are put into a URL, and only the exchange gets this URL.
    const query = new URLSearchParams({
      ...params,
      client_id: options.clientId,
      client_secret: options.clientSecret,
    });
    const url = `${base}${path}?${query.toString().replaceAll("+", "%20")}`;
    return exchange(sending, url, signal);
  }

  return {
    async search(params, signal) {
      const { text, json, isDamaged } = await get("/1/search", toSearchQuery(params), signal);
      const { found, start, items } = readEnvelope(searchEnvelope, json, "a search result");
      // Others stand on the next pages.
      const read = readSearchItems(text, items.slice(0, maxItems), isDamaged);
      return { found, start, ...withoutSecrets(read, scrub) };
    },
    async refresh(params, signal) {
      const query = toRefreshQuery(params);
      const { text, json, isDamaged } = await get("/1/search/refresh", query, signal);
      const { items } = readEnvelope(refreshEnvelope, json, "a refresh result");
      if (items.length > maxItems) {
        const most = `${items.length} items, more than ${maxItems}`;
        throw new BadReply("too_large", `the answer to a refresh has ${most}`);
      }
      return withoutSecrets(readRefreshItems(text, items, isDamaged), scrub);
    },
  };
}

/** Throws a `BadReply` that names the members at fault; `what` the answer should be. */
function readEnvelope<T>(schema: z.ZodType<T>, json: unknown, what: string): T {
  const envelope = schema.safeParse(json);
  if (envelope.success) return envelope.data;
  const reason = toReason(envelope.error, "the whole");
  throw new BadReply("bad_reply", `the answer is not ${what}: ${reason}`);
}

/** The base URL without a trailing slash. Errors do not quote the URL. */
function checkedBase(baseUrl: string): string {
  if (!URL.canParse(baseUrl)) throw new TypeError("the storefront's base URL is not a URL");
  const url = new URL(baseUrl);
  if (url.username || url.password || /[?#]/.test(url.href)) {
    throw new TypeError("the storefront's base URL must have no credentials, query or fragment");
  }
  const isLoopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback)) {
    throw new TypeError(
      "the storefront's base URL must be https (http is for loopback addresses only)",
    );
  }
  return url.href.replace(/\/+$/, "");
}

/** Removes credentials that the upstream may have echoed from unreadable items before they are stored. */
function withoutSecrets<P extends RefreshPage>(page: P, scrub: (text: string) => string): P {
  const scrubbed = <E extends { reason: string; raw: string }>(evidence: E): E => ({
    ...evidence,
    reason: scrub(evidence.reason),
    raw: scrub(evidence.raw),
  });
  return {
    ...page,
    items: page.items.map((item) =>
      item.unreadable ? { ...item, unreadable: scrubbed(item.unreadable) } : item,
    ),
    broken: page.broken.map(scrubbed),
    unknownFields: page.unknownFields.map(scrub),
  };
}

/** Returns a function that removes the secrets from a text, in every form in which they may be echoed. */
function createScrubber(secrets: readonly string[]): (text: string) => string {
  const forms = new Set(secrets.filter((secret) => secret !== "").flatMap(formsOf));
  // Longest first, because a form may contain another one.
  const ordered = [...forms].toSorted((a, b) => b.length - a.length);
  return (text) => ordered.reduce((rest, form) => rest.replaceAll(form, "[secret]"), text);
}

function formsOf(secret: string): string[] {
  const encoded = encodeURIComponent(secret.toWellFormed());
  const formEncoded = new URLSearchParams({ s: secret }).toString().slice(2);
  const bytes = Buffer.from(secret);
  return [
    secret,
    encoded,
    lowerCaseEscapes(encoded),
    formEncoded,
    lowerCaseEscapes(formEncoded),
    JSON.stringify(secret).slice(1, -1),
    bytes.toString("base64"),
    bytes.toString("base64").replace(/=+$/, ""),
    bytes.toString("base64url"),
    bytes.toString("hex"),
  ];
}

function lowerCaseEscapes(encoded: string): string {
  return encoded.replaceAll(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase());
}
