export const productSorts = [
  "relevance",
  "price:asc",
  "price:desc",
  "modified:desc",
  "discount:desc",
  "popularity:desc",
] as const;
export type ProductSort = (typeof productSorts)[number];

export const productFacets = ["shop_id", "category", "price", "in_stock"] as const;
export type ProductFacet = (typeof productFacets)[number];

/** What to find; absent means no restriction, lists mean any of. */
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
  /** Only products that the upstream showed within so many seconds. */
  maxAgeSeconds?: number;
  sort?: ProductSort;
  /** Only products that have every word; otherwise those that have most follow where a page stays empty. */
  match?: "all";
  /** One row a comparable product: those that share their smallest GTIN. */
  group?: "gtin";
  /** From 1. */
  page: number;
  perPage: number;
  /**
   * Counted over all that is found, but each without the restriction on itself, so that the other
   * values of a chosen facet stay countable.
   */
  facets?: readonly ProductFacet[];
}

export interface ProductHits {
  /** In order; whether they still exist, and at what price, only the catalogue knows. */
  ids: number[];
  /** Products that have every word, or rows where they are grouped. */
  found: number;
  /** false: there are at least `found`. */
  foundExact: boolean;
  /** Titles as indexed, with the matches between `highlightOpen` and `highlightClose`. */
  titles: ReadonlyMap<number, string>;
  facets: Facets;
  /** Of those asked for; false: values are missing, or counts too low. */
  facetsExact: Partial<Record<ProductFacet, boolean>>;
  /** By the id that stands for the row; empty unless grouped. */
  groups: ReadonlyMap<number, OfferGroup>;
  /** Those that follow with most of the words, up to a hundred: what each lacks, as typed. */
  partial: ReadonlyMap<number, readonly string[]>;
  /** What was searched instead of what was typed, because no product has a word of it; else null. */
  corrected: string | null;
  engine: "meilisearch" | "postgres";
  /** true: the search engine does not answer, and Postgres answers as well as it can. */
  degraded: boolean;
  /** The index that was asked; null where Postgres, which lags behind nothing, knew everything. */
  indexUid: string | null;
  /** What was approximated, for people. */
  warnings: string[];
}

export interface Facets {
  shop_id?: FacetValue[];
  category?: FacetValue[];
  in_stock?: FacetValue[];
  /** Absent when nothing is found. */
  price?: { min: number; max: number };
}

export interface FacetValue {
  value: string;
  count: number;
}

/** The offers found of one comparable product. */
export interface OfferGroup {
  /** GTIN-14; null: the product has none and stands alone. */
  gtin: string | null;
  offers: number;
  offersInStock: number;
  shops: number;
  lowestPrice: number;
  highestPrice: number;
}
