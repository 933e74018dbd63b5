import { isRecord } from "../../lib/is-record.ts";
import type { SearchAnswer } from "../engine/answers.ts";
import { asksForThing, variantOrder } from "../index/accessory.ts";
import { filterKeysOf } from "../index/facet-key.ts";
import { countPrices, priceRanges, type PriceCount } from "./price-histogram.ts";
import type { SearchClient } from "./search-client.ts";
import { highlightClose, highlightOpen } from "../index/normalise.ts";
import { withoutPolitePrefixes } from "../index/polite.ts";
import { withConfusedWordEnded } from "../index/voiced-kana.ts";
import { hasPositiveWords, readableQuery } from "../index/words.ts";
import type {
  Facets,
  FacetValue,
  ProductFacet,
  ProductHits,
  ProductQuery,
  ProductSort,
} from "./query.ts";
import {
  locales,
  maxValuesPerFacet,
  orderWithoutWords,
  searchedAttributes,
} from "../index/settings.ts";

/** Their names in the index. */
export const facetAttributes = {
  shop_id: "shop_id",
  category: "categories",
  condition: "condition",
  colour: "colours",
  size: "size",
  price: "price",
  in_stock: "in_stock",
} as const;

/** Ties are broken by id, so that pages of one order neither repeat nor skip products. */
function sortRules(sort: ProductSort, q: string): string[] {
  const thingFirst = asksForThing(q) ? ["accessory:asc", `variants:${variantOrder(q)}`] : [];
  if (sort === "relevance") return ["in_stock:desc", ...thingFirst];
  return [sort === "discount:desc" ? "discount_percent:desc" : sort, "id:asc"];
}

/** Gives the ids of what has all words. */
export const idSearch = {
  locales,
  matchingStrategy: "all",
  attributesToRetrieve: ["id"],
  highlightPreTag: highlightOpen,
  highlightPostTag: highlightClose,
};

/** A number with a space behind it is no beginning of another: 3 finds no 30, II no III. One of more digits may be half of a code. */
const lastNumber = /(?<![\w,/-]|\d\.)(?:\d{1,3}|[IVX]{2,4})$/;
/** Nor is a single letter behind other words: M is a size, no Medium. */
const lastLetter = /(?<=[^\p{Script=Latin}\p{M}\p{N}'])[A-Za-z]$/u;

export function toEngineQuery(query: ProductQuery): Record<string, unknown> {
  const words = withoutPolitePrefixes(readableQuery(query.q ?? ""));
  const q = withConfusedWordEnded(words.replace(lastNumber, "$& ").replace(lastLetter, "$& "));
  const { sort = "relevance" } = query;
  return {
    ...idSearch,
    q,
    ...searchedAttributes(q),
    filter: toFilters(query),
    sort:
      sort === "relevance" && !hasPositiveWords(q)
        ? orderWithoutWords
        : [...new Set([...(query.availableFirst ? ["in_stock:desc"] : []), ...sortRules(sort, q)])],
    page: query.page,
    hitsPerPage: query.perPage,
    attributesToHighlight: q === "" ? [] : ["title"],
  };
}

/** The query without its hits: their number, and how many have each value of these attributes. */
export function toCountQuery(
  query: ProductQuery,
  facets: readonly string[],
): Record<string, unknown> {
  return { ...toEngineQuery(query), hitsPerPage: 0, attributesToHighlight: [], facets };
}

/** One expression for each restriction; all must hold. Only values come from outside, and they are quoted. */
export function toFilters(query: ProductQuery): string[] {
  const filters: string[] = [];
  const anyOf = (attribute: string, values: readonly string[] | undefined, not = "") => {
    if (values?.length) filters.push(`${attribute} ${not}IN [${values.map(quoted).join(", ")}]`);
  };
  const compared = (attribute: string, operator: string, value: number | boolean | undefined) => {
    if (value !== undefined) filters.push(`${attribute} ${operator} ${String(value)}`);
  };
  anyOf("shop_id", query.shopIds?.flatMap(filterKeysOf));
  anyOf("shop_id", query.excludeShopIds?.flatMap(filterKeysOf), "NOT ");
  anyOf("categories", query.categories?.flatMap(filterKeysOf));
  anyOf("gtins", query.gtins);
  anyOf("condition", query.conditions);
  anyOf("colours", query.colours);
  anyOf("size", query.sizes);
  compared("price", ">=", query.priceMin);
  compared("price", "<=", query.priceMax);
  compared("in_stock", "=", query.inStock);
  compared("on_sale", "=", query.onSale);
  return filters;
}

/** Quotes a value of a filter expression, whatever characters it has. */
export function quoted(value: string): string {
  return `"${value.toWellFormed().replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

/** The restrictions of a search on each facet. */
const restrictionsOf = {
  shop_id: ["shopIds"],
  category: ["categories"],
  condition: ["conditions"],
  colour: ["colours"],
  size: ["sizes"],
  price: ["priceMin", "priceMax"],
  in_stock: ["inStock"],
} as const satisfies Record<ProductFacet, readonly (keyof ProductQuery)[]>;

/**
 * Facets that are counted over the found products (`own`), and those whose own restriction must be
 * removed first (`apart`).
 */
export function splitFacets(query: ProductQuery): { own: ProductFacet[]; apart: ProductFacet[] } {
  const facets = [...new Set(query.facets ?? [])];
  const isChosen = (facet: ProductFacet) =>
    restrictionsOf[facet].some((name) => [query[name] ?? []].flat().length > 0);
  return {
    own: facets.filter((facet) => !isChosen(facet)),
    apart: facets.filter(isChosen),
  };
}

export function withoutFacet(query: ProductQuery, facet: ProductFacet): ProductQuery {
  const rest = { ...query };
  for (const name of restrictionsOf[facet]) delete rest[name];
  return rest;
}

/** One attribute with the engine's marks, by product id. */
export function readFormatted(answer: SearchAnswer | undefined, name: string): Map<number, string> {
  const texts = new Map<number, string>();
  for (const { id, _formatted: formatted } of answer?.hits ?? []) {
    const text = isRecord(formatted) ? formatted[name] : null;
    if (typeof text === "string") texts.set(Number(id), text);
  }
  return texts;
}

interface CountedFacet {
  values: Facets;
  low: ProductFacet[];
  exact: ProductHits["facetsExact"];
}

export function readFacet(
  answer: SearchAnswer,
  facet: ProductFacet,
  { facetLimit = maxValuesPerFacet }: ProductQuery,
): CountedFacet {
  if (facet === "price") {
    const stats = answer.facetStats?.price;
    return {
      values: stats ? { price: { min: stats.min, max: stats.max } } : {},
      low: [],
      exact: { price: true },
    };
  }
  const counts = answer.facetDistribution?.[facetAttributes[facet]] ?? {};
  const values = Object.entries(counts).map(([value, count]) => ({ value, count }));
  const sorted = values.toSorted(byCount);
  const shown = sorted.slice(0, facetLimit);
  // As rare as the rarest value that was counted, others may be too.
  const isCertain = (shown.at(-1)?.count ?? 0) > (sorted.at(-1)?.count ?? 0);
  const isLow = answer.lowCounts?.includes(facetAttributes[facet]) === true;
  return {
    values: { [facet]: shown },
    low: isLow ? [facet] : [],
    exact: { [facet]: !isLow && (values.length < maxValuesPerFacet || isCertain) },
  };
}

/**
 * The engine has counted each price, if there are not too many of them; otherwise it counts each range,
 * in one more request.
 */
export async function readHistogram(
  searchClient: SearchClient,
  query: ProductQuery,
  { min, max }: { min: number; max: number },
  answer: SearchAnswer | undefined,
): Promise<PriceCount[]> {
  const ranges = priceRanges(min, max);
  const prices = Object.entries(answer?.facetDistribution?.price ?? {});
  if (prices.length < maxValuesPerFacet) {
    return countPrices(
      ranges,
      prices.map(([price, count]) => [Number(price), count]),
    );
  }
  const { answers } = await searchClient.askAnew(
    ranges.map(({ from, to }) => toCountQuery({ ...query, priceMin: from, priceMax: to }, [])),
  );
  return ranges.map((range, i) => ({ ...range, count: answers[i]?.totalHits ?? 0 }));
}

/** Most frequent first, then by code unit: the same everywhere. */
export function byCount(a: FacetValue, b: FacetValue): number {
  if (a.count !== b.count) return b.count - a.count;
  return a.value < b.value ? -1 : Number(a.value > b.value);
}
