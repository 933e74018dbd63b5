import type { z } from "zod";
import { rawItems } from "./raw-items.ts";
import {
  imageKey,
  imageSizes,
  imageSlots,
  wireRefreshItem,
  wireSearchItem,
  type WireRefreshItem,
  type WireSearchItem,
} from "./wire.ts";

/** URLs by size; only existing sizes. */
export type ImageSlot = Record<string, string>;

export interface Variation {
  variation_id: number;
  variation: string;
  variation_stock: number;
  variation_identifier: string | null;
  barcode: string | null;
}

/** The fields of a product in a refresh. Only a search has the other fields. */
export interface RefreshItem {
  itemId: number;
  title: string;
  detail: string;
  price: number;
  stock: number;
  /** Always five slots, null where unused. */
  images: (ImageSlot | null)[];
  /** The upstream's raw integer; its unit is not specified. */
  modified: number;
  shopId: string;
  shopName: string;
  shopUrl: string;
  categories: string[];
}

export interface SearchItem extends RefreshItem {
  properPrice: number | null;
  visible: number;
  listOrder: number;
  identifier: string | null;
  variations: Variation[];
}

/** An item that could not be read: the reason, and its text as sent (at most 64 KiB). */
export interface BrokenItem {
  itemId: number | null;
  reason: string;
  raw: string;
}

/** `items` and `broken` together are all items of the reply, each in its order. */
export interface ItemPage<T> {
  items: T[];
  broken: BrokenItem[];
  /** Names of unspecified fields, sorted. */
  unknownFields: string[];
  /** How many texts were cut to their maximum length. */
  truncatedFields: number;
}

export interface SearchPage extends ItemPage<SearchItem> {
  found: number;
  start: number;
}

export type RefreshPage = ItemPage<RefreshItem>;

const MAX_TITLE_CHARS = 10_000;
const MAX_DETAIL_CHARS = 200_000;
const MAX_TEXT_CHARS = 2_000;
const MAX_RAW_CHARS = 65_536;
const MAX_REASON_CHARS = 500;
const MAX_UNKNOWN_FIELDS = 50;

/** Reads the items of a search reply; `json` is the reply's whole text, `items` its parsed array. */
export function readSearchItems(json: string, items: readonly unknown[]): ItemPage<SearchItem> {
  return readItems(json, items, wireSearchItem, toSearchItem);
}

/** The same for a refresh reply. */
export function readRefreshItems(json: string, items: readonly unknown[]): RefreshPage {
  return readItems(json, items, wireRefreshItem, toRefreshItem);
}

type Sent = Record<string, unknown>;
type CleanText = (text: string, maxChars?: number) => string;

function readItems<W, T>(
  json: string,
  sent: readonly unknown[],
  schema: z.ZodType<W> & { shape: object },
  toItem: (wire: W, sent: Sent, clean: CleanText) => T,
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
    if (parsed.success && isRecord(value)) {
      page.items.push(toItem(parsed.data, value, clean));
      for (const name of Object.keys(value)) if (!known.has(name)) unknown.add(name);
      continue;
    }
    raw ??= rawItems(json);
    page.broken.push({
      itemId: itemIdOf(value),
      reason: cut(parsed.success ? "not an object" : toReason(parsed.error), MAX_REASON_CHARS),
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
    categories: (wire.categories ?? []).map((name) => clean(name)),
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

function isRecord(value: unknown): value is Sent {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function itemIdOf(value: unknown): number | null {
  const id = isRecord(value) ? value["item_id"] : null;
  return typeof id === "number" && Number.isSafeInteger(id) && id >= 1 ? id : null;
}

function toReason(error: z.ZodError): string {
  return error.issues
    .slice(0, 3)
    .map((issue) => `${issue.path.join(".") || "item"}: ${issue.message}`)
    .join("; ");
}

/** Cutting may split a surrogate pair, which neither Postgres nor Meilisearch accepts. */
function cut(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : text.slice(0, maxChars).toWellFormed();
}
