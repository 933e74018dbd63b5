import { BadReply, toApiError, type StorefrontError } from "./errors.ts";
import { exchange, type Reply } from "./exchange.ts";
import { readRefreshItems, readSearchItems, type RefreshPage, type SearchPage } from "./product.ts";
import { createScrubber } from "./scrub.ts";
import {
  errorEnvelope,
  maxPageSize,
  maxRefreshIds,
  refreshEnvelope,
  searchEnvelope,
  type sortColumns,
  type sortDirections,
} from "./wire.ts";

export type SortTerm = {
  column: (typeof sortColumns)[number];
  direction: (typeof sortDirections)[number];
};

/** Section 4.1. The upstream has defaults for omitted fields. */
export interface SearchParams {
  /** Keywords separated by spaces. */
  q: string;
  sort?: readonly SortTerm[];
  start?: number;
  /** 1 to 50. */
  size?: number;
  fields?: readonly string[];
  shopId?: string;
}

/** Section 4.2: at most 50 ids of one shop. */
interface RefreshParams {
  shopId: string;
  itemIds: readonly number[];
}

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
}

const DEFAULT_TIMEOUT_MS = 15_000;
const DEFAULT_MAX_BYTES = 8 * 1024 * 1024;
const MAX_DESCRIPTION_CHARS = 300;

/** Opens no connection; `fetch` keeps connections alive. Throws if the base URL is unusable. */
export function createStorefrontClient(options: StorefrontOptions): StorefrontClient {
  const base = checkedBase(options.baseUrl);
  const scrub = createScrubber([options.clientId, options.clientSecret]);
  const limits = {
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    maxBytes: options.maxBytes ?? DEFAULT_MAX_BYTES,
  };

  async function get(
    path: string,
    params: Record<string, string>,
    signal?: AbortSignal,
  ): Promise<Body> {
    // Only here the credentials are put into a URL, and only the exchange gets this URL.
    const query = new URLSearchParams({
      ...params,
      client_id: options.clientId,
      client_secret: options.clientSecret,
    });
    const url = `${base}${path}?${query.toString().replaceAll("+", "%20")}`;
    return bodyOf(await exchange(options.fetch ?? fetch, url, limits, signal), scrub);
  }

  return {
    async search(params, signal) {
      const { text, json } = await get("/1/search", toSearchQuery(params), signal);
      const envelope = searchEnvelope.safeParse(json);
      if (!envelope.success) throw new BadReply("bad_reply", "the answer is not a search result");
      const { found, start, items } = envelope.data;
      return { found, start, ...withoutSecrets(readSearchItems(text, items), scrub) };
    },
    async refresh(params, signal) {
      const { text, json } = await get("/1/search/refresh", toRefreshQuery(params), signal);
      const envelope = refreshEnvelope.safeParse(json);
      if (!envelope.success) throw new BadReply("bad_reply", "the answer is not a refresh result");
      return withoutSecrets(readRefreshItems(text, envelope.data.items), scrub);
    },
  };
}

/** The base URL without a trailing slash. Errors do not quote the URL. */
function checkedBase(baseUrl: string): string {
  if (!URL.canParse(baseUrl)) throw new TypeError("the storefront's base URL is not a URL");
  const url = new URL(baseUrl);
  if (url.username || url.password || url.search || url.hash) {
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

function toSearchQuery(params: SearchParams): Record<string, string> {
  const { q, sort, start, size, fields, shopId } = params;
  if (q.trim() === "") throw new RangeError("q must contain a keyword");
  if (start !== undefined && !(Number.isSafeInteger(start) && start >= 0)) {
    throw new RangeError("start must be a whole number from 0");
  }
  if (size !== undefined && !(Number.isInteger(size) && size >= 1 && size <= maxPageSize)) {
    throw new RangeError(`size must be a whole number from 1 to ${maxPageSize}`);
  }
  return {
    q,
    ...(sort && { sort: sort.map((term) => `${term.column} ${term.direction}`).join(",") }),
    ...(start !== undefined && { start: String(start) }),
    ...(size !== undefined && { size: String(size) }),
    ...(fields && { fields: fields.join(",") }),
    ...(shopId !== undefined && { shop_id: shopId }),
  };
}

function toRefreshQuery({ shopId, itemIds }: RefreshParams): Record<string, string> {
  if (shopId === "") throw new RangeError("a refresh needs a shop");
  if (itemIds.length < 1 || itemIds.length > maxRefreshIds) {
    throw new RangeError(`a refresh asks for 1 to ${maxRefreshIds} ids, not ${itemIds.length}`);
  }
  if (!itemIds.every((id) => Number.isSafeInteger(id) && id >= 1)) {
    throw new RangeError("product ids are whole numbers from 1");
  }
  return { item_id: itemIds.join(","), shop_id: shopId };
}

interface Body {
  text: string;
  json: unknown;
}

type Scrub = (text: string) => string;

function bodyOf({ status, isJson, text }: Reply, scrub: Scrub): Body {
  const json = parse(text);
  const failure = errorEnvelope.safeParse(json);
  if (status >= 400) {
    throw failure.success ? refusal(failure.data, scrub) : unspecified(`status ${status}`);
  }
  if (status !== 200) throw unspecified(`status ${status}`);
  if (text.trim() === "") throw unspecified("an empty body");
  if (!isJson) throw unspecified("a content type that is not JSON");
  if (json === undefined) throw unspecified("invalid JSON");
  if (holdsError(json)) throw unspecified("an error with status 200");
  return { text, json };
}

function holdsError(json: unknown): boolean {
  return typeof json === "object" && json !== null && "error" in json && json.error !== null;
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

function refusal(
  sent: { error: string; error_description?: string | null | undefined },
  scrub: Scrub,
): StorefrontError {
  const safe = (text: string) =>
    scrub(text).replaceAll("\0", "").slice(0, MAX_DESCRIPTION_CHARS).toWellFormed();
  return toApiError(safe(sent.error), safe(sent.error_description ?? ""));
}

/** Removes credentials that the upstream may have echoed from unreadable items before they are stored. */
function withoutSecrets<P extends RefreshPage>(page: P, scrub: Scrub): P {
  return {
    ...page,
    broken: page.broken.map((item) => ({
      ...item,
      raw: scrub(item.raw),
      reason: scrub(item.reason),
    })),
    unknownFields: page.unknownFields.map(scrub),
  };
}
