import type { z } from "zod";
import { isRecord } from "../lib/is-record.ts";
import { isVisible } from "../lib/visible.ts";
import type { ImageSlot, ItemPage, KeptField, RefreshItem, SearchItem } from "./product.ts";
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

const maxTitleChars = 10_000;
const maxDetailChars = 200_000;
const maxTextChars = 2_000;
const maxRawChars = 65_536;
const maxReasonChars = 500;
const maxUnknownFields = 50;

type Sent = Record<string, unknown>;

/** What a product can do without, by its name on the wire: where it cannot be read, a new product has `instead`. */
const dispensable = new Map<string, { field: KeptField; instead: unknown }>([
  ["detail", { field: "detail", instead: null }],
  ["modified", { field: "modified", instead: 0 }],
  ["shop_name", { field: "shopName", instead: null }],
  ["shop_url", { field: "shopUrl", instead: null }],
  ["categories", { field: "categories", instead: null }],
  ["proper_price", { field: "properPrice", instead: null }],
  ["visible", { field: "visible", instead: 1 }],
  ["list_order", { field: "listOrder", instead: null }],
  ["identifier", { field: "identifier", instead: null }],
  ["variations", { field: "variations", instead: null }],
]);
type CleanText = (text: string, maxChars?: number) => string;

/**
 * Reads the items of a search reply; `json` is the reply's whole text, `sent` its parsed array. `isDamaged`: U+FFFD
 * stands for bytes of it that were no UTF-8.
 */
export const readSearchItems = createReader(wireSearchItem, toSearchItem);
/** Reads the items of a refresh reply, as `readSearchItems` does. */
export const readRefreshItems = createReader(wireRefreshItem, toRefreshItem);

function createReader<W, T extends RefreshItem>(
  schema: z.ZodType<W> & { shape: object },
  toItem: (wire: W, sent: Sent, clean: CleanText) => T,
) {
  return (json: string, sent: readonly unknown[], isDamaged = false): ItemPage<T> => {
    const page: ItemPage<T> = {
      items: [],
      broken: [],
      unknownFields: [],
      truncatedFields: 0,
    };
    const known = new Set([...Object.keys(schema.shape), ...imageKeys]);
    const unknown = new Set<string>();
    let raw: string[] | undefined;
    const clean: CleanText = (text, maxChars = maxTextChars) => {
      const whole = text.replaceAll("\0", "").toWellFormed();
      if (whole.length <= maxChars) return whole;
      page.truncatedFields += 1;
      return cut(whole, maxChars);
    };
    for (const [index, value] of sent.entries()) {
      const { parsed, error, faults } = parseItem(schema, value);
      const item = parsed.success && isRecord(value) ? toItem(parsed.data, value, clean) : null;
      const isRead = item !== null && !(isDamaged && isGarbled(item));
      if (isRead && isRecord(value)) {
        for (const name of Object.keys(value)) if (!known.has(name)) unknown.add(name);
        if (faults.length === 0) {
          page.items.push(item);
          continue;
        }
      }
      raw ??= rawItems(json);
      const evidence = {
        reason: cut(error ? toReason(error, "item") : "not in UTF-8", maxReasonChars),
        raw: cut(raw[index] ?? "", maxRawChars),
      };
      if (isRead) {
        const reason = `${evidence.reason} (its other fields are stored)`;
        const fields = faults.flatMap(toKept);
        page.items.push({ ...item, unreadable: { fields, reason, raw: evidence.raw } });
      } else page.broken.push({ itemId: itemIdOf(value), ...evidence });
    }
    page.unknownFields = [...unknown]
      .map((name) => cut(name.replaceAll("\0", "").toWellFormed(), 100))
      .toSorted()
      .slice(0, maxUnknownFields);
    return page;
  };
}

/** Reads an item; if nothing but dispensable fields are at fault, without those, which `faults` names. */
function parseItem<W>(schema: z.ZodType<W>, value: unknown) {
  const whole = schema.safeParse(value);
  const { error } = whole;
  const faults = [...new Set(error?.issues.map(({ path }) => String(path[0])))];
  if (whole.success || !isRecord(value) || !faults.every((name) => dispensable.has(name)))
    return { parsed: whole, error, faults: [] };
  const instead = faults.map((name) => [name, dispensable.get(name)?.instead]);
  const parsed = schema.safeParse({ ...value, ...Object.fromEntries(instead) });
  return { parsed, error, faults };
}

const toKept = (name: string) => dispensable.get(name)?.field ?? [];

const imageKeys = imageSlots.flatMap((slot) => imageSizes.map((size) => imageKey(slot, size)));

function toRefreshItem(wire: WireRefreshItem, sent: Sent, clean: CleanText): RefreshItem {
  return {
    itemId: wire.item_id,
    title: clean(wire.title, maxTitleChars),
    detail: clean(wire.detail ?? "", maxDetailChars),
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
export function toReason(error: z.ZodError, whole: string): string {
  return error.issues
    .slice(0, 3)
    .map((issue) => `${issue.path.join(".") || whole}: ${issue.message}`)
    .join("; ");
}

/** Cutting may split a surrogate pair, which neither Postgres nor Meilisearch accepts. */
function cut(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : text.slice(0, maxChars).toWellFormed();
}
