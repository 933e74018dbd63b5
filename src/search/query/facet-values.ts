import { findShops, maxPrefix, type ShopNames } from "../../catalog/shops.ts";
import type { Db } from "../../db/open.ts";
import { fold } from "../index/fold.ts";
import { normalise } from "../index/normalise.ts";
import { maxValuesPerFacet } from "../index/settings.ts";
import { typedUmlaut, withUmlauts } from "../index/word-forms.ts";
import {
  byCount,
  facetAttributes,
  quoted,
  toCountQuery,
  toFilters,
  withoutFacet,
} from "./engine-query.ts";
import type { SearchProducts } from "./product-search.ts";
import type { FacetValue, ProductHits, ProductQuery } from "./query.ts";
import type { SearchClient } from "./search-client.ts";

export const searchableFacets = ["category", "shop_id", "condition", "colour", "size"] as const;
export type SearchableFacet = (typeof searchableFacets)[number];

export interface FacetValuesQuery {
  facet: SearchableFacet;
  /** As typed; empty: any value. */
  prefix: string;
  limit: number;
  /** What is counted, apart from the facet's own restriction. */
  query: ProductQuery;
}

export interface FoundFacetValues extends Pick<
  ProductHits,
  "found" | "foundExact" | "corrected" | "engine" | "degraded" | "warnings"
> {
  /** Most frequent first; of shops the ids. */
  values: FacetValue[];
  /** false: values are missing, or counts are too low. */
  exact: boolean;
}

export type FindFacetValues = (query: FacetValuesQuery) => Promise<FoundFacetValues>;

/**
 * Values that begin with a text, of shops their names or ids, whatever their spelling (`fold`). A search
 * counts up to 1,000 values of a facet, the most frequent ones, and its answer is remembered for the
 * next letters; only where it has too few of these, the rarer values are looked up.
 */
export function createFacetValues(options: {
  db: Db;
  search: SearchProducts;
  searchClient: SearchClient;
  shopNames: ShopNames;
}): FindFacetValues {
  const { db, search, searchClient, shopNames } = options;

  return async ({ facet, prefix, limit, query }) => {
    const begins = beginningsOf(prefix);
    const counted = { ...query, page: 1, perPage: 1, facets: [facet] };
    const hits = await search(counted);
    const all = hits.facets[facet] ?? [];
    const common = await beginningWith(begins, facet, all);
    // As rare as the rarest value that was counted, others may be too.
    const isCut = all.length >= maxValuesPerFacet;
    const certain = common.filter(({ count }) => !isCut || count > (all.at(-1)?.count ?? 0));
    const isEnough = !isCut || certain.length >= limit;
    if (isEnough || begins.includes("")) {
      const isSure = isCut ? !hits.lowCounts?.includes(facet) : hits.facetsExact[facet] === true;
      const isExact = isEnough && hits.foundExact && isSure;
      return answer(hits, common, isExact);
    }
    const rest = await (hits.engine === "meilisearch" && !needsCatalogue(query)
      ? findRare({ ...counted, ...(hits.corrected === null ? {} : { q: hits.corrected }) })
      : search({ ...counted, facetPrefixes: begins }).then((again) => ({
          values: again.facets[facet] ?? [],
          exact: again.engine === "postgres" && again.foundExact,
        })));
    const values = new Map([...common, ...rest.values].map((value) => [value.value, value]));
    const matching = await beginningWith(begins, facet, [...values.values()]);
    return answer(hits, matching, rest.exact);

    function answer(found: ProductHits, values: FacetValue[], isExact: boolean): FoundFacetValues {
      return { ...found, values: values.toSorted(byCount).slice(0, limit), exact: isExact };
    }

    async function findRare(searched: ProductQuery) {
      return facet === "shop_id" ? countShops(searched) : findNames(searched);
    }

    /** The engine counts the shops that Postgres knows by this name. */
    async function countShops(searched: ProductQuery) {
      const shopIds = await findShops(db, begins, maxValuesPerFacet - 1);
      if (shopIds === null) return { values: [], exact: false };
      const ofShops = { ...withoutFacet(searched, facet), shopIds };
      const { answers } = await searchClient.askAnew([toCountQuery(ofShops, ["shop_id"])]);
      return { values: toValues(answers[0]?.facetDistribution?.shop_id), exact: true };
    }

    /** The engine folds width and case of names, but not kana. Its own search of facets misses most of them. */
    async function findNames(searched: ProductQuery) {
      const apart = withoutFacet(searched, facet);
      const attribute = facetAttributes[facet];
      const tests = spellingsOf(normalise(prefix)).map(
        (text) => `${attribute} STARTS WITH ${quoted(text)}`,
      );
      const filter = [...toFilters(apart), tests.join(" OR ")];
      const { answers } = await searchClient.askAnew([
        { ...toCountQuery(apart, [attribute]), filter },
      ]);
      return { values: toValues(answers[0]?.facetDistribution?.[attribute]), exact: false };
    }
  };

  async function beginningWith(
    begins: readonly string[],
    facet: SearchableFacet,
    values: readonly FacetValue[],
  ): Promise<FacetValue[]> {
    if (begins.includes("")) return [...values];
    const names = facet === "shop_id" ? await shopNames(values.map(({ value }) => value)) : null;
    return values.filter(({ value }) =>
      [value, names?.get(value) ?? value].some((text) => {
        const folded = fold(text);
        return begins.some((begin) => folded.startsWith(begin));
      }),
    );
  }
}

const needsCatalogue = ({ maxAgeSeconds, group }: ProductQuery) =>
  maxAgeSeconds !== undefined || group !== undefined;

/** Folded, also with ü for ue. */
function beginningsOf(prefix: string): string[] {
  const folded = fold(prefix);
  const spelt = [folded, withUmlauts(folded)];
  return [...new Set(spelt.map((text) => Array.from(text).slice(0, maxPrefix).join("")))];
}

/** As typed, in katakana, in hiragana, and with ü for ue. */
function spellingsOf(text: string): string[] {
  const shifted = (letters: RegExp, by: number) =>
    text.replaceAll(letters, (kana) => String.fromCharCode(kana.charCodeAt(0) + by));
  const kana = [shifted(/[ぁ-ゖ]/g, 0x60), shifted(/[ァ-ヶ]/g, -0x60)];
  const umlauts = text.toLowerCase().replaceAll(typedUmlaut, "$1\u0308").normalize("NFC");
  return [...new Set([text, ...kana, umlauts])];
}

function toValues(counts: Record<string, number> = {}): FacetValue[] {
  return Object.entries(counts).map(([value, count]) => ({ value, count }));
}
