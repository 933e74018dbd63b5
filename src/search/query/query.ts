import type { PriceCount } from "./price-histogram.ts";

export const productSorts = [
  "relevance",
  "price:asc",
  "price:desc",
  "unit_price:asc",
  "first_seen:desc",
  "modified:desc",
  "discount:desc",
  "popularity:desc",
] as const;
export type ProductSort = (typeof productSorts)[number];

export const productFacets = [
  "shop_id",
  "category",
  "condition",
  "colour",
  "size",
  "price",
  "in_stock",
] as const;
export type ProductFacet = (typeof productFacets)[number];

/** gtin: the products with the same smallest GTIN; product: those of one group. */
export const groupings = ["gtin", "product"] as const;
export type GroupBy = (typeof groupings)[number];

/** What to find. Absent means no restriction; a list means any of its values. */
export interface ProductQuery {
  /** As typed: `-word` excludes, `"…"` is a phrase. */
  q?: string;
  shopIds?: readonly string[];
  excludeShopIds?: readonly string[];
  categories?: readonly string[];
  /** As GTIN-14. */
  gtins?: readonly string[];
  /** Both ends included. */
  priceMin?: number;
  priceMax?: number;
  inStock?: boolean;
  onSale?: boolean;
  /** As titles tell them: first words of conditions, English names of colours, sizes in lower case. */
  conditions?: readonly string[];
  colours?: readonly string[];
  sizes?: readonly string[];
  /** Only products that the upstream showed within so many seconds. */
  maxAgeSeconds?: number;
  sort?: ProductSort;
  /** Products out of stock follow all others, whatever the order; relevance has them last anyway. */
  availableFirst?: true;
  /** Only products that have every word; otherwise those with most words follow on a page not full. */
  match?: "all";
  /** One row for each comparable product. */
  group?: GroupBy;
  /** From 1. */
  page: number;
  perPage: number;
  /**
   * Counted over all found products, but each facet without its own restriction, so that its other
   * values are counted too.
   */
  facets?: readonly ProductFacet[];
  /** Most values of a facet, the most frequent ones; absent: as many as the index names. */
  facetLimit?: number;
  /** Whether the price facet has a histogram. */
  priceHistogram?: boolean;
  /**
   * As `fold` gives them: Postgres counts only facet values that begin with one, of shops their names or
   * ids. The engine does not know them.
   */
  facetPrefixes?: readonly string[];
}

export interface ProductHits {
  /** In order. Only the catalogue knows whether they still exist, and at what price. */
  ids: number[];
  /** Products that have every word, or rows where they are grouped. */
  found: number;
  /** false: there are at least `found`. */
  foundExact: boolean;
  /** Titles as indexed, with the matches between `highlightOpen` and `highlightClose`. */
  titles: ReadonlyMap<number, string>;
  facets: Facets;
  /** For the requested facets; false: values are missing, or counts are too low. */
  facetsExact: Partial<Record<ProductFacet, boolean>>;
  /** Facets whose values may be counted too low, by several hosts that each named only some. */
  lowCounts?: readonly ProductFacet[];
  /** By the id that represents the row; empty unless grouped. */
  groups: ReadonlyMap<number, OfferGroup>;
  /** The products that follow with most of the words, up to a hundred, with the words that each lacks. */
  partial: ReadonlyMap<number, readonly string[]>;
  /** The query that was searched instead, if no product has one of the typed words; else null. */
  corrected: string | null;
  engine: "meilisearch" | "postgres";
  /** true: the search engine does not answer, and Postgres replaces it as well as it can. */
  degraded: boolean;
  /** The index that answered; null if Postgres alone did, which is never behind. */
  indexUid: string | null;
  /** What was approximated, for people. */
  warnings: string[];
}

export type Facets = Partial<Record<Exclude<ProductFacet, "price">, FacetValue[]>> & {
  /** Absent when nothing with a price is found. */
  price?: { min: number; max: number; histogram?: PriceCount[] };
};

export interface FacetValue {
  value: string;
  count: number;
}

/** The found offers of one comparable product. */
export interface OfferGroup {
  /** What they share, a GTIN-14 or `group` and an id; null: the product stands alone. */
  key: string | null;
  count: number;
  in_stock: number;
  shops: number;
  /** Of the offers that have a price; used ones count only if all are used. 0: none has one. */
  lowest_price: number;
  highest_price: number;
  /** Of those whose title tells a condition; 0: there is none. */
  lowest_used_price: number;
}

const presentation = new Set([
  "q",
  "match",
  "sort",
  "page",
  "perPage",
  "group",
  "facets",
  "facetLimit",
  "priceHistogram",
]);

/** Whether a search has only words, so that an empty result is caused by the words. */
export function isWordsAlone(query: ProductQuery): boolean {
  return Object.entries(query).every(
    ([name, value]) => presentation.has(name) || (Array.isArray(value) && value.length === 0),
  );
}
