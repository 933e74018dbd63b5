import type { z } from "zod";
import { isRecord } from "../lib/is-record.ts";
import { isVisible } from "../lib/visible.ts";
import { BadReply } from "./errors.ts";
import { exchange } from "./exchange.ts";
import type {
  ImageSlot,
  ItemPage,
  RefreshItem,
  RefreshPage,
  SearchItem,
  SearchPage,
} from "./product.ts";
import { rawItems } from "./raw-items.ts";
import { toRefreshQuery, toSearchQuery, type RefreshParams, type SearchParams } from "./request.ts";
import { createScrubber } from "./scrub.ts";
import type { UpstreamClock } from "./upstream-clock.ts";
import {
  imageKey,
  imageSizes,
  imageSlots,
  refreshEnvelope,
  searchEnvelope,
  wireRefreshItem,
  wireSearchItem,
  type WireRefreshItem,
  type WireSearchItem,
} from "./wire.ts";

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

const DEFAULT_TIMEOUT_MS = 15_000;
const DEFAULT_MAX_BYTES = 8 * 1024 * 1024;
const MAX_TITLE_CHARS = 10_000;
const MAX_DETAIL_CHARS = 200_000;
const MAX_TEXT_CHARS = 2_000;
const MAX_RAW_CHARS = 65_536;
const MAX_REASON_CHARS = 500;
const MAX_UNKNOWN_FIELDS = 50;
/** A call asks for 50; an upstream that ignores that is read so far, because each item takes time to read and store. */
const MAX_ITEMS = 1000;

/** Opens no connection; `fetch` keeps connections alive. Throws if the base URL is unusable. */
export function createStorefrontClient(options: StorefrontOptions): StorefrontClient {
  const base = checkedBase(options.baseUrl);
  const scrub = createScrubber([options.clientId, options.clientSecret]);
  const sending = {
    fetch: options.fetch ?? fetch,
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    maxBytes: options.maxBytes ?? DEFAULT_MAX_BYTES,
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
      const read = readSearchItems(text, items.slice(0, MAX_ITEMS), isDamaged);
      return { found, start, ...withoutSecrets(read, scrub) };
    },
    async refresh(params, signal) {
      const query = toRefreshQuery(params);
      const { text, json, isDamaged } = await get("/1/search/refresh", query, signal);
      const { items } = readEnvelope(refreshEnvelope, json, "a refresh result");
      if (items.length > MAX_ITEMS) {
        const most = `${items.length} items, more than ${MAX_ITEMS}`;
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

/**
 * Reads the items of a search reply; `json` is the reply's whole text, `items` its parsed array. `isDamaged`: U+FFFD stands
 * for bytes of it that were no UTF-8.
 */
export function readSearchItems(
  json: string,
  items: readonly unknown[],
  isDamaged = false,
): ItemPage<SearchItem> {
  return readItems(json, items, { schema: wireSearchItem, toItem: toSearchItem, isDamaged });
}

/** Reads the items of a refresh reply, as `readSearchItems` does. */
export function readRefreshItems(
  json: string,
  items: readonly unknown[],
  isDamaged = false,
): RefreshPage {
  return readItems(json, items, { schema: wireRefreshItem, toItem: toRefreshItem, isDamaged });
}

type Sent = Record<string, unknown>;
type CleanText = (text: string, maxChars?: number) => string;

function readItems<W, T extends RefreshItem>(
  json: string,
  sent: readonly unknown[],
  {
    schema,
    toItem,
    isDamaged,
  }: {
    schema: z.ZodType<W> & { shape: object };
    toItem: (wire: W, sent: Sent, clean: CleanText) => T;
    isDamaged: boolean;
  },
): ItemPage<T> {
  const page: ItemPage<T> = { items: [], broken: [], unknownFields: [], truncatedFields: 0 };
  const known = new Set([...Object.keys(schema.shape), ...imageKeys]);
  const unknown = new Set<string>();
  let raw: string[] | undefined;
  const clean: CleanText = (text, maxChars = MAX_TEXT_CHARS) => {
    const whole = text.replaceAll("\0", "").toWellFormed();
    if (whole.length <= maxChars) return whole;
    page.truncatedFields += 1;
    return cut(whole, maxChars);
  };
  for (const [index, value] of sent.entries()) {
    const parsed = schema.safeParse(value);
    const item = parsed.success && isRecord(value) ? toItem(parsed.data, value, clean) : null;
    if (item && isRecord(value) && !(isDamaged && isGarbled(item))) {
      page.items.push(item);
      for (const name of Object.keys(value)) if (!known.has(name)) unknown.add(name);
      continue;
    }
    raw ??= rawItems(json);
    page.broken.push({
      itemId: itemIdOf(value),
      reason: cut(parsed.error ? toReason(parsed.error, "item") : "not in UTF-8", MAX_REASON_CHARS),
      raw: cut(raw[index] ?? "", MAX_RAW_CHARS),
    });
  }
  page.unknownFields = [...unknown]
    .map((name) => cut(name.replaceAll("\0", "").toWellFormed(), 100))
    .toSorted()
    .slice(0, MAX_UNKNOWN_FIELDS);
  return page;
}

const imageKeys = imageSlots.flatMap((slot) => imageSizes.map((size) => imageKey(slot, size)));

function toRefreshItem(wire: WireRefreshItem, sent: Sent, clean: CleanText): RefreshItem {
  return {
    itemId: wire.item_id,
    title: clean(wire.title, MAX_TITLE_CHARS),
    detail: clean(wire.detail ?? "", MAX_DETAIL_CHARS),
    price: wire.price,
    stock: wire.stock,
    images: toImages(sent, clean),
    modified: wire.modified,
    shopId: wire.shop_id,
    shopName: clean(wire.shop_name),
    shopUrl: clean(wire.shop_url),
    categories: (wire.categories ?? []).filter(isVisible).map((name) => clean(name)),
  };
}

function toSearchItem(wire: WireSearchItem, sent: Sent, clean: CleanText): SearchItem {
  const cleanOrNull = (text: string | null | undefined) =>
    text === null || text === undefined ? null : clean(text);
  return {
    ...toRefreshItem(wire, sent, clean),
    properPrice: wire.proper_price ?? null,
    visible: wire.visible,
    listOrder: wire.list_order,
    identifier: cleanOrNull(wire.identifier),
    variations: (wire.variations ?? []).map((v) => ({
      variation_id: v.variation_id,
      variation: clean(v.variation),
      variation_stock: v.variation_stock,
      variation_identifier: cleanOrNull(v.variation_identifier),
      barcode: cleanOrNull(v.barcode),
    })),
  };
}

/** A size that is not a text counts as absent, because the upstream makes resized images later in a batch. */
function toImages(sent: Sent, clean: CleanText): (ImageSlot | null)[] {
  return imageSlots.map((slot) => {
    const sizes: ImageSlot = {};
    for (const size of imageSizes) {
      const url = sent[imageKey(slot, size)];
      if (typeof url === "string" && url !== "") sizes[size] = clean(url);
    }
    return Object.keys(sizes).length === 0 ? null : sizes;
  });
}

/** In a description a letter that was cut harms nothing; another title or shop than was meant does. */
function isGarbled(item: RefreshItem): boolean {
  return JSON.stringify({ ...item, detail: null }).includes("\uFFFD");
}

function itemIdOf(value: unknown): number | null {
  const id = isRecord(value) ? value["item_id"] : null;
  return typeof id === "number" && Number.isSafeInteger(id) && id >= 1 ? id : null;
}

/** `whole`: what the value itself is called. */
function toReason(error: z.ZodError, whole: string): string {
  return error.issues
    .slice(0, 3)
    .map((issue) => `${issue.path.join(".") || whole}: ${issue.message}`)
    .join("; ");
}

/** Cutting may split a surrogate pair, which neither Postgres nor Meilisearch accepts. */
function cut(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : text.slice(0, maxChars).toWellFormed();
}

/** Removes credentials that the upstream may have echoed from unreadable items before they are stored. */
function withoutSecrets<P extends RefreshPage>(page: P, scrub: (text: string) => string): P {
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
