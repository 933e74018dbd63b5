import type { ProductRecord, ReadProducts } from "../../../catalog/products.ts";
import { passes } from "../../../search/instantsearch/filter-engine.ts";
import { type InstantQuery, markedNames } from "../../../search/instantsearch/instant-query.ts";
import { isRecord } from "../../../lib/is-record.ts";
import { toMarkedText, alignText } from "../../../search/instantsearch/marked-text.ts";
import { withoutMarks, normalise } from "../../../search/index/normalise.ts";
import { escapeMarkup } from "../../../lib/escape-markup.ts";
import type { Market } from "../../../catalog/market.ts";
import { toWebUrl } from "../../../lib/safe-url.ts";
import { isOnSale } from "../../../search/index/document.ts";
import { gtin14sOf } from "../../../catalog/gtin.ts";
import type { ApiDeps } from "../../http/deps.ts";
import { toIso } from "../../http/to-members.ts";
import { ageSeconds, toImage, toPlainMembers } from "../../products/to-product.ts";

export interface ParsedQuery {
  indexUid: string;
  query: InstantQuery;
  tags: Tags;
  /** As asked: beyond the last page there are no hits. */
  page: number;
}

export type MeiliDeps = Pick<
  ApiDeps,
  "readProducts" | "clock" | "searchClient" | "market" | "demand"
>;

/** A hit that the engine found for one of the queries. */
export interface FoundHit {
  engineHit: Record<string, unknown>;
  one: ParsedQuery;
  /** Further members. */
  extra?: Record<string, unknown>;
}

/** The hits as JSON; only those that exist and still match the filter, because the index may lag. */
export async function writeHits(
  { market, clock }: Pick<MeiliDeps, "market" | "clock">,
  found: readonly FoundHit[],
  records: ReadonlyMap<number, ProductRecord>,
) {
  const now = clock.now();
  const itemIds: number[] = [];
  const hits: string[] = [];
  for (const { engineHit, one, extra } of found) {
    const { query, tags } = one;
    // Marking a hit's long texts takes a millisecond, so let other requests run in between.
    if (query.highlight.length > 0 || query.crop.size > 0 || query.showMatchesPosition) {
      await new Promise(setImmediate);
    }
    const record = records.get(Number(engineHit.id));
    if (!record || record.state === "gone") continue;
    const whole = toMeiliHit(record, market, now);
    if (!passes(query.filter, filterValuesOf(whole, record))) continue;
    const formatted = toFormatted(whole, engineHit, tags, query);
    itemIds.push(record.itemId);
    hits.push(
      JSON.stringify({
        ...picked(whole, query.retrieve),
        // JSON leaves out members that are undefined.
        _vectors: query.retrieveVectors ? {} : undefined,
        ...extra,
        _formatted: formatted ?? undefined,
        _matchesPosition: query.showMatchesPosition
          ? toMatchesPosition(whole, engineHit)
          : undefined,
        _rankingScore: query.showRankingScore ? engineHit._rankingScore : undefined,
        _rankingScoreDetails: query.showRankingScoreDetails
          ? engineHit._rankingScoreDetails
          : undefined,
      }),
    );
  }
  return { itemIds, hits };
}

export async function readFound(
  readProducts: ReadProducts,
  engineHits: readonly Record<string, unknown>[],
): Promise<ReadonlyMap<number, ProductRecord>> {
  const ids = new Set(engineHits.map((hit) => Number(hit.id)));
  return (await readProducts([...ids])).records;
}

/** How matches and cuts are written. */
interface Tags {
  open: string;
  close: string;
  cut: string;
}

/**
 * The attributes that are retrieved, highlighted or cropped, as texts with matches between the front
 * end's tags. If the tags are markup, the result is HTML, so shops' texts are escaped. With other tags
 * (InstantSearch's own) it is plain text, which InstantSearch escapes itself. null if nothing of the
 * product is highlighted or cropped.
 */
function toFormatted(
  hit: MeiliHit,
  engineHit: Record<string, unknown>,
  tags: Tags,
  query: InstantQuery,
): MeiliHit | null {
  const asked = [...query.highlight, ...query.crop.keys()];
  if (Object.keys(picked(hit, asked)).length === 0) return null;
  const isHtml = /[<>&"']/.test(tags.open + tags.close);
  const written = (text: string) =>
    isHtml ? escapeMarkup(withoutMarks(text)) : withoutMarks(text);
  const withMarks = (text: string, engineText: string): string => {
    const marked = toMarkedText(text, engineText);
    if (!marked) return written(text);
    const parts = marked.parts.map((part) =>
      part.isMatch ? tags.open + written(part.text) + tags.close : written(part.text),
    );
    const cut = (isCut: boolean) => (isCut ? tags.cut : "");
    return cut(marked.cutBefore) + parts.join("") + cut(marked.cutAfter);
  };
  const { _formatted: found } = engineHit;
  const engineTexts = isRecord(found) ? found : {};
  const members = Object.entries(picked(hit, [...query.retrieve, ...asked])).map(
    ([name, value]) => {
      const engineText = engineTexts[markedNames.get(name) ?? ""];
      const isAsked = asked.includes("*") || asked.includes(name);
      return isAsked && typeof engineText === "string"
        ? [name, toMarked(value, engineText, withMarks)]
        : [name, formatValue(value, written)];
    },
  );
  return Object.fromEntries(members);
}

/** Stands between the categories in the index's text of them. */
const separator = " / ";

function toMarked(
  value: unknown,
  engineText: string,
  withMarks: (text: string, engineText: string) => string,
): unknown {
  if (typeof value === "string") return withMarks(value, engineText);
  if (!Array.isArray(value)) return value;
  const parts = engineText.split(separator);
  const isSame = parts.length === value.length;
  return value.map((one, i) => withMarks(String(one), isSame ? (parts[i] ?? "") : ""));
}

/** Numbers become texts, as in Meilisearch. */
function formatValue(value: unknown, written: (text: string) => string): unknown {
  if (typeof value === "string") return written(value);
  if (typeof value === "number") return String(value);
  if (Array.isArray(value)) return value.map((part) => formatValue(part, written));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, formatValue(part, written)]),
  );
}

/** In bytes of the attribute's text, or of the text at `indices` of a list. */
interface MatchPosition {
  start: number;
  length: number;
  indices?: number[];
}

/** Where the engine found the words, in the texts of the catalogue. Texts that differ by now have none. */
function toMatchesPosition(
  hit: MeiliHit,
  engineHit: Record<string, unknown>,
): Record<string, MatchPosition[]> {
  const { _matchesPosition: found } = engineHit;
  const positions: Record<string, MatchPosition[]> = {};
  if (!isRecord(found)) return positions;
  for (const [name, engineName] of markedNames) {
    const matches = toPositions(found[engineName]);
    const engineText = engineHit[engineName];
    const value = hit[name];
    if (typeof engineText !== "string") continue;
    const placed =
      typeof value === "string"
        ? inText(value, engineText, matches)
        : Array.isArray(value)
          ? inList(value.map(String), engineText, matches)
          : [];
    if (placed.length > 0) positions[name] = placed;
  }
  return positions;
}

function toPositions(value: unknown): MatchPosition[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one) => {
    if (!isRecord(one)) return [];
    const { start, length } = one;
    return typeof start === "number" && typeof length === "number" ? [{ start, length }] : [];
  });
}

/** The index may have only the first part of a long text. */
function inText(text: string, engineText: string, matches: readonly MatchPosition[]) {
  const { normal, source, startOf } = alignText(text);
  if (source !== text || !normal.startsWith(engineText)) return [];
  const bytes = Buffer.from(engineText);
  const toIndex = (byte: number) => bytes.subarray(0, byte).toString().length;
  const toByte = (index: number) => Buffer.byteLength(text.slice(0, startOf(index)));
  return matches.map(({ start, length }): MatchPosition => {
    const from = toByte(toIndex(start));
    return { start: from, length: toByte(toIndex(start + length)) - from };
  });
}

function inList(texts: readonly string[], engineText: string, matches: readonly MatchPosition[]) {
  const parts = texts.map((text) => normalise(text));
  if (parts.join(separator) !== engineText) return [];
  let from = 0;
  return parts.flatMap((part, i) => {
    const begin = from;
    const length = Buffer.byteLength(part);
    from += length + separator.length;
    const inside = matches.filter(({ start }) => start >= begin && start < begin + length);
    const local = inside.map((match) => ({ ...match, start: match.start - begin }));
    return inText(texts[i] ?? "", part, local).map((match) => ({ ...match, indices: [i] }));
  });
}

export type MeiliHit = Record<string, unknown>;

/** A product for front ends: flat, with the names that filters, facets and sort orders use. */
function toMeiliHit(record: ProductRecord, market: Market, now: Date): MeiliHit {
  const images = record.images.flatMap((slot) => (slot ? [toImage(slot)] : []));
  return Object.assign({ id: record.itemId }, toPlainMembers(record, market), {
    on_sale: isOnSale(record),
    image: images[0]?.origin ?? null,
    images,
    shop_id: record.shop.shopId,
    shop_name: record.shop.shopName,
    shop_url: toWebUrl(record.shop.shopUrl),
    categories: record.categories,
    category: record.categories,
    popularity: record.popularity,
    modified: record.modified,
    first_seen: Math.floor(record.firstSeenAt.getTime() / 1000),
    checked_at: toIso(record.checkedAt),
    age_s: ageSeconds(record, now),
  });
}

/** The values that filters compare with, by the index's names. */
function filterValuesOf(hit: MeiliHit, record: ProductRecord): (name: string) => string[] {
  const values = new Map(
    Object.entries({
      ...hit,
      gtins: [...gtin14sOf(record)],
      // A price of 0 is none, as in the index.
      ...(record.price > 0 ? {} : { price: null, discount_percent: null }),
    }),
  );
  return (name) => {
    const value = values.get(name);
    return value === null || value === undefined ? [] : [value].flat().map(String);
  };
}

/** The attributes with these names; `images.origin` names one inside another, `*` all. */
function picked(hit: MeiliHit, names: readonly string[]): MeiliHit {
  if (names.includes("*")) return hit;
  const members = Object.entries(hit).flatMap(([name, value]) => {
    if (names.includes(name)) return [[name, value]];
    const inner = names.flatMap((each) =>
      each.startsWith(`${name}.`) ? [each.slice(name.length + 1)] : [],
    );
    const part = inner.length === 0 ? undefined : pickedInside(value, inner);
    return part === undefined ? [] : [[name, part]];
  });
  return Object.fromEntries(members);
}

function pickedInside(value: unknown, names: readonly string[]): unknown {
  if (Array.isArray(value)) {
    const parts = value.flatMap((one) => pickedInside(one, names) ?? []);
    return parts.length === 0 && value.length > 0 ? undefined : parts;
  }
  if (!isRecord(value)) return undefined;
  const part = picked(value, names);
  return Object.keys(part).length === 0 ? undefined : part;
}
