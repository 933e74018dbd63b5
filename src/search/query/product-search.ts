import { toConditionKind } from "../../catalog/attributes.ts";
import { gtin14sOf, toPrintedGtin } from "../../catalog/gtin.ts";
import { livingOf, type ProductRecord } from "../../catalog/products.ts";
import type { Db } from "../../db/open.ts";
import type { Cache } from "../../lib/cache.ts";
import type { Clock } from "../../lib/clock.ts";
import { escapeMarkup } from "../../lib/escape-markup.ts";
import { EngineUnavailable } from "../engine/engine.ts";
import { isOnSale } from "../index/document.ts";
import { highlightClose, highlightOpen, withoutMarks } from "../index/normalise.ts";
import { maxTotalHits } from "../index/settings.ts";
import type { IndexVersion } from "../mirror/indexes/serving-index.ts";
import { searchCandidates } from "./candidates.ts";
import {
  facetAttributes,
  readFacet,
  readHistogram,
  readFormatted,
  splitFacets,
  toCountQuery,
  toEngineQuery,
  withoutFacet,
} from "./engine-query.ts";
import { searchDegraded } from "./sql/fallback.ts";
import type { Facets, OfferGroup, ProductHits, ProductQuery } from "./query.ts";
import { createRelaxedSearch, type RelaxOptions } from "./relaxed/relax.ts";
import type { SearchClient } from "./search-client.ts";

export type SearchProducts = (query: ProductQuery) => Promise<ProductHits>;

const rememberMs = 600_000;
/** An answer that lacks what took too long; the next one may have it. */
const rememberLackingMs = 1000;
/** Callers also keep the page that they write from the hits, which is larger. */
const timesKept = 3;

const maxFallbacks = 32;

/**
 * A remembered answer is always the same object. A search throws the database's error, or
 * EngineUnavailable, only if Postgres cannot answer either.
 */
export function createProductSearch(options: {
  /** For searches that only Postgres can answer; its limits bound their time and connections. */
  searchDb: Db;
  searchClient: SearchClient;
  clock: Clock;
  cache: Cache;
  readFrequencies: RelaxOptions["readFrequencies"];
  meaning: RelaxOptions["meaning"];
  /** The engine's answers are remembered until it changes. */
  indexVersion: IndexVersion;
}): SearchProducts {
  const { searchDb, searchClient, clock, indexVersion } = options;
  const remembered = options.cache.open<ProductHits>(
    "hits",
    ({ warnings }) => (warnings.length > 0 ? rememberLackingMs : rememberMs),
    timesKept,
  );
  const relaxed = createRelaxedSearch(options);
  let runningFallbacks = 0;

  async function fallBack(query: ProductQuery, cause: EngineUnavailable): Promise<ProductHits> {
    // More searches would only wait for a connection until nobody wants the answer any more.
    if (runningFallbacks >= maxFallbacks) throw cause;
    runningFallbacks += 1;
    try {
      return await relaxed(query, (variant) => searchDegraded(searchDb, clock.now(), variant));
    } finally {
      runningFallbacks -= 1;
    }
  }

  return async (query) => {
    const needsCatalogue = query.maxAgeSeconds !== undefined || query.group !== undefined;
    try {
      if (needsCatalogue)
        return await relaxed(query, (variant) => searchCandidates(options, variant));
      return await remembered.fetch(`${await indexVersion()} ${JSON.stringify(query)}`, () =>
        relaxed(query, (variant) => searchEngine(searchClient, variant)),
      );
    } catch (error) {
      if (!(error instanceof EngineUnavailable)) throw error;
      return fallBack(query, error);
    }
  };
}

/** Finds products with the engine alone, always in one request. */
async function searchEngine(searchClient: SearchClient, query: ProductQuery): Promise<ProductHits> {
  const { own, apart } = splitFacets(query);
  const { answers, indexUid } = await searchClient.askAnew([
    { ...toEngineQuery(query), facets: own.map((facet) => facetAttributes[facet]) },
    ...apart.map((facet) => toCountQuery(withoutFacet(query, facet), [facetAttributes[facet]])),
  ]);
  const [main, ...others] = answers;
  if (!main) throw new Error("the engine's answer has no results");
  const found = main.totalHits ?? 0;
  const counted = [
    ...own.map((facet) => readFacet(main, facet, query)),
    ...apart.flatMap((facet, i) => {
      const answer = others[i];
      return answer ? [readFacet(answer, facet, query)] : [];
    }),
  ];
  const facets: Facets = Object.assign({}, ...counted.map((facet) => facet.values));
  if (query.priceHistogram && facets.price) {
    const answer = own.includes("price") ? main : others[apart.indexOf("price")];
    facets.price.histogram = await readHistogram(searchClient, query, facets.price, answer);
  }
  return {
    ids: main.hits.map((hit) => Number(hit.id)),
    found,
    foundExact: found < maxTotalHits,
    titles: readFormatted(main, "title"),
    facets,
    facetsExact: Object.assign({}, ...counted.map((facet) => facet.exact)),
    lowCounts: counted.flatMap((facet) => facet.low),
    groups: new Map(),
    partial: new Map(),
    corrected: null,
    engine: "meilisearch",
    degraded: false,
    indexUid,
    warnings: [],
  };
}

/** A product to show, with what belongs to this search only. */
export interface FoundProduct {
  record: ProductRecord;
  /** As HTML: escaped text, the matches in <em>. */
  highlights: { title: string };
  /** Words of the query that it lacks, as typed; empty if it has all. */
  missingWords: readonly string[];
  /** Only if products are grouped. */
  offers?: FoundOffers;
}

export interface FoundOffers extends Omit<OfferGroup, "key"> {
  /** With `group: "gtin"`, as printed; null: the product has none and is not grouped. */
  gtin: string | null;
}

/**
 * The products of a page of hits, as the index found and ordered them. Products that no longer exist or match,
 * according to the catalogue, are left out with a warning.
 */
export function toFoundProducts(
  hits: ProductHits,
  records: ReadonlyMap<number, ProductRecord>,
  query: ProductQuery,
  now: Date,
): { items: FoundProduct[]; warnings: string[] } {
  const existing = livingOf(hits.ids, records);
  const matching = existing.filter((record) => matches(record, query, now));
  const warnings: string[] = [];
  const deletedCount = hits.ids.length - existing.length;
  if (deletedCount > 0) warnings.push(left(deletedCount, "deleted a moment ago"));
  const changedCount = existing.length - matching.length;
  if (changedCount > 0) warnings.push(left(changedCount, "changed and no longer match"));
  const items = matching.map((record) => {
    const group = hits.groups.get(record.itemId);
    return {
      record,
      missingWords: hits.partial.get(record.itemId) ?? [],
      highlights: {
        title: toHighlightHtml(hits.titles.get(record.itemId) ?? withoutMarks(record.title)),
      },
      ...(group ? { offers: toOffers(group, query.group) } : {}),
    };
  });
  return { items, warnings };
}

function toOffers({ key, ...offers }: OfferGroup, by: ProductQuery["group"]): FoundOffers {
  return { gtin: by === "gtin" && key !== null ? toPrintedGtin(key) : null, ...offers };
}

function left(count: number, why: string): string {
  return `${count} of this page's products ${count === 1 ? "is" : "are"} left out: ${why}; \`found\` still counts ${count === 1 ? "it" : "them"}`;
}

type Restricted = Pick<
  ProductRecord,
  | "price"
  | "properPrice"
  | "stock"
  | "categories"
  | "variations"
  | "shop"
  | "checkedAt"
  | "attributes"
>;

/** Whether a product matches the filters, by the catalogue. The engine alone decides about `q`. */
export function matches(record: Restricted, query: ProductQuery, now: Date): boolean {
  const { priceMin, priceMax, maxAgeSeconds = Infinity } = query;
  const within = (value: string, allowed: readonly string[] | undefined) =>
    !allowed?.length || allowed.includes(value);
  return (
    (priceMin === undefined || (record.price > 0 && record.price >= priceMin)) &&
    (priceMax === undefined || (record.price > 0 && record.price <= priceMax)) &&
    now.getTime() - record.checkedAt.getTime() <= maxAgeSeconds * 1000 &&
    (query.inStock === undefined || query.inStock === record.stock > 0) &&
    (query.onSale === undefined || query.onSale === isOnSale(record)) &&
    within(record.shop.shopId, query.shopIds) &&
    !query.excludeShopIds?.includes(record.shop.shopId) &&
    (!query.categories?.length ||
      record.categories.some((name) => within(name, query.categories))) &&
    (!query.gtins?.length || [...gtin14sOf(record)].some((gtin) => within(gtin, query.gtins))) &&
    hasAttributes(record.attributes, query)
  );
}

function hasAttributes(
  attributes: Restricted["attributes"],
  { conditions, colours, sizes }: ProductQuery,
): boolean {
  const has = (told: readonly (string | null | undefined)[], wanted: readonly string[] = []) =>
    wanted.length === 0 || told.some((value) => value && wanted.includes(value));
  return (
    has([toConditionKind(attributes?.condition ?? null)], conditions) &&
    has(attributes?.colours ?? [], colours) &&
    has([attributes?.size], sizes)
  );
}

/** Escapes first and adds the tags then, so that a shop's text cannot contain markup. */
export function toHighlightHtml(marked: string): string {
  return escapeMarkup(marked).replaceAll(highlightOpen, "<em>").replaceAll(highlightClose, "</em>");
}
