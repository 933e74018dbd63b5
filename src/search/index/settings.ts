import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { toHiragana } from "wanakana";
import { isRecord } from "../../lib/is-record.ts";
import { documentVersion } from "./document.ts";
import { hasEmbedder, toEmbedderSettings, type Embedder } from "./embedder.ts";
import { inKanji } from "./numerals.ts";
import { numerals, synonymGroups } from "./spellings.ts";
import { confusedByTypos } from "./voiced-kana.ts";

/** Every query needs this too: without it Meilisearch segments texts of kanji alone as Chinese. */
export const locales = ["jpn"];

const kanjiNumbers = Array.from({ length: 99 }, (_, i) => inKanji(String(i + 1)));

/** The most hits that are counted exactly and can be paged through. */
export const maxTotalHits = 1_000_000;

/** A facet with more values shows the most frequent ones. */
export const maxValuesPerFacet = 1000;

const equality = (facetSearch: boolean, attributePatterns: string[]) => ({
  attributePatterns,
  features: { facetSearch, filter: { equality: true, comparison: false } },
});
const comparison = (attributePatterns: string[]) => ({
  attributePatterns,
  features: { facetSearch: false, filter: { equality: true, comparison: true } },
});

/** The attributes with a text's own words, in the order of relevance. */
const literalAttributes = [
  "title",
  "words",
  "category_text",
  "shop_name",
  "identifier",
  "gtins",
  "detail",
];

/** The attributes that the engine searches. A phrase in quotes must stand in the text itself. */
export function searchedAttributes(q: string): { attributesToSearchOn?: string[] } {
  return q.includes('"') ? { attributesToSearchOn: literalAttributes } : {};
}

/** The order of products in a search for no word, where the length of titles says nothing. */
export const orderWithoutWords = ["in_stock:desc", "popularity:desc", "modified:desc", "id:asc"];

const base = {
  searchableAttributes: ["title", "words", "forms", ...literalAttributes.slice(2)],
  localizedAttributes: [{ attributePatterns: ["*"], locales }],
  filterableAttributes: [
    equality(true, ["shop_id", "categories"]),
    equality(false, ["gtins", "in_stock", "on_sale", "condition", "colours", "size"]),
    comparison([
      "id",
      "price",
      "discount_percent",
      "stock",
      "popularity",
      "modified",
      "first_seen",
    ]),
  ],
  sortableAttributes: [
    "accessory",
    "discount_percent",
    "first_seen",
    "id",
    "in_stock",
    "modified",
    "popularity",
    "price",
    "stock",
    "unit_price",
    "variants",
  ],
  /** A requested order holds strictly, so `sort` comes first; it has no effect in a search by relevance. */
  rankingRules: [
    "sort",
    "words",
    "typo",
    "proximity",
    "attribute",
    "exactness",
    "in_stock:desc",
    "accessory:asc",
    "title_length:asc",
    "popularity:desc",
    "modified:desc",
    "id:asc",
  ],
  typoTolerance: {
    enabled: true,
    minWordSizeForTypos: { oneTypo: 6, twoTypos: 9 },
    disableOnWords: confusedByTypos,
    disableOnAttributes: ["gtins", "identifier", "words", "forms"],
    disableOnNumbers: true,
  },
  faceting: { maxValuesPerFacet, sortFacetValuesBy: { "*": "count" } },
  pagination: { maxTotalHits },
  stopWords: [],
  separatorTokens: [],
  nonSeparatorTokens: [],
  // If スマートフォン were split into スマート and フォン, its synonym would not be found, and 三巻 would be found in 十三巻.
  dictionary: [...synonymGroups.flat(), ...kanjiNumbers].filter((word) => word.length > 1),
  distinctAttribute: null,
  displayedAttributes: ["*"],
  proximityPrecision: "byWord",
};

/** Two letters are also the beginning of words: vi. */
const synonyms = {
  ...synonymsOf(synonymGroups),
  ...Object.fromEntries(
    numerals.flatMap(([digits, roman]) => [
      [digits, [roman]],
      ...(roman.length > 2 ? [[roman, [digits]]] : []),
    ]),
  ),
};

/** What the settings of an index depend on. */
export interface IndexKind {
  embedder: Embedder | null;
  /** On one of several hosts: searches choose its products by bucket. */
  isPlaced: boolean;
}

const usual: IndexKind = { embedder: null, isPlaced: false };

function baseOf(isPlaced: boolean): typeof base {
  if (!isPlaced) return base;
  const byBucket = equality(false, ["bucket"]);
  return { ...base, filterableAttributes: [...base.filterableAttributes, byBucket] };
}

/** The last of the ranking rules: they order what searches find equally well. */
export const tieBreakers = base.rankingRules.filter((rule) => rule.includes(":"));

/**
 * Changes with the settings and with the content of documents: an index with another hash is rebuilt.
 * The ratio of an embedder belongs to searches and is not part of it.
 */
export function settingsHash({ embedder, isPlaced }: IndexKind = usual): string {
  const ofEmbedder = embedder ? [toEmbedderSettings(embedder)] : [];
  return createHash("sha256")
    .update(JSON.stringify([documentVersion, baseOf(isPlaced), synonyms, ...ofEmbedder]))
    .digest("hex")
    .slice(0, 16);
}

/** A word nobody searches for; its only "synonym" is the epoch of the index. */
const markerWord = "kurabeepoch";

/**
 * The settings that an index must have. They contain the epoch, as a synonym that no query matches:
 * unlike a marker document it is in no count of documents, and it is gone if the engine lost the index
 * or created it anew.
 */
export function desiredSettings(
  epoch: string,
  { embedder, isPlaced }: IndexKind = usual,
): Record<string, unknown> {
  return {
    ...baseOf(isPlaced),
    synonyms: { ...synonyms, [markerWord]: [epoch] },
    ...(embedder ? { embedders: toEmbedderSettings(embedder) } : {}),
  };
}

function readMarker({ synonyms }: Record<string, unknown>): unknown {
  return (isRecord(synonyms) ? synonyms[markerWord] : null) ?? null;
}

/** Whether the index has a marker, and that of another epoch. */
export function isForeign(actual: Record<string, unknown>, epoch: string): boolean {
  const marker = readMarker(actual);
  return marker !== null && !isDeepStrictEqual(marker, [epoch]);
}

export type SettingsState = "equal" | "drifted" | "unmarked" | "foreign";

/** unmarked, foreign: the marker is missing or another one, so the documents are unknown too. */
export function compareSettings(
  actual: Record<string, unknown>,
  epoch: string,
  kind: IndexKind = usual,
): SettingsState {
  const { embedder } = kind;
  if (readMarker(actual) === null) return "unmarked";
  if (isForeign(actual, epoch)) return "foreign";
  const desired = desiredSettings(epoch, { ...kind, embedder: null });
  const same = Object.keys(desired).every((key) =>
    isDeepStrictEqual(canonical(key, actual[key]), canonical(key, desired[key])),
  );
  const embeds = !embedder || hasEmbedder(actual.embedders, embedder);
  return same && embeds ? "equal" : "drifted";
}

const unordered = new Set([
  "sortableAttributes",
  "stopWords",
  "separatorTokens",
  "nonSeparatorTokens",
  "dictionary",
]);

/** Meilisearch returns sets in an order of its own, and synonyms sorted. */
function canonical(key: string, value: unknown): unknown {
  if (unordered.has(key) && Array.isArray(value)) return value.map(String).toSorted();
  if (key === "typoTolerance" && isRecord(value)) {
    return {
      ...value,
      disableOnAttributes: toSorted(value.disableOnAttributes),
      disableOnWords: toSorted(value.disableOnWords).map(sounded).toSorted(),
    };
  }
  if (key === "synonyms" && isRecord(value)) {
    return Object.fromEntries(
      Object.keys(value)
        .toSorted()
        .map((word) => [word, toSorted(value[word])]),
    );
  }
  return value;
}

/** The engine returns words in hiragana with marks apart, some long vowels as kana: ぐれえぷ for グレープ. */
const sounded = (word: string) =>
  toHiragana(word.normalize("NFC")).replaceAll(/(?<=.)[あいうえお]/g, "ー");

function toSorted(list: unknown): string[] {
  return Array.isArray(list) ? list.map(String).toSorted() : [];
}

function synonymsOf(groups: readonly (readonly string[])[]): Record<string, string[]> {
  return Object.fromEntries(
    groups.flatMap((group) => group.map((word) => [word, group.filter((other) => other !== word)])),
  );
}
