import type { Db } from "../../../db/open.ts";
import type { Clock } from "../../../lib/clock.ts";
import { maxValuesPerFacet } from "../../index/settings.ts";
import { byCount, splitFacets } from "../engine-query.ts";
import type { Facets, FacetValue, ProductFacet, ProductHits, ProductQuery } from "../query.ts";
import { searchSql } from "../sql/sql-search.ts";
import { createAsTyped } from "../words/query-words.ts";
import type { PartialMatch } from "./partial-matches.ts";

interface Source {
  searchDb: Db;
  clock: Clock;
}

interface Found {
  /** All that has every word. */
  first: ProductHits;
  matches: readonly PartialMatch[];
  /** Of the first ones, those that follow what has other forms of the words. */
  late: ReadonlySet<number>;
}

/**
 * The page of the products that have every word, then of those that have other forms of them, then of the rest. In an order
 * that was asked for, the first two are one list. Of other forms only the best are read, so `found` is then not exact.
 */
export async function appendMatches(
  source: Source,
  query: ProductQuery,
  { first, matches, late }: Found,
): Promise<ProductHits> {
  const missing = new Map(matches.map(({ id, missing: words }) => [id, words]));
  const ofForms = matches.filter((match) => match.missing.length === 0).map(({ id }) => id);
  const lacking = matches.filter((match) => match.missing.length > 0).map(({ id }) => id);
  const [formed, incomplete, together] = await Promise.all([
    arranged(source, query, ofForms, query.facets),
    arranged(source, query, lacking),
    ofForms.length === 0 || query.group
      ? null
      : arranged(source, query, [...first.ids, ...ofForms], pricesOf(query)),
  ]);
  const others = withoutGroupsOf(first.groups, formed);
  const rest = withoutGroupsOf(new Map([...first.groups, ...others.groups]), incomplete);
  const isLate = (id: number) => isByRelevance(query) && late.has(id);
  const byRelevance = [
    ...first.ids.filter((id) => !isLate(id)),
    ...others.ids,
    ...first.ids.filter(isLate),
  ];
  const whole = together && !isByRelevance(query) ? together.ids : byRelevance;
  const ids = [...whole, ...rest.ids];
  const asTyped = createAsTyped(query.q ?? "");
  const from = (query.page - 1) * query.perPage;
  return {
    ...first,
    ids: ids.slice(from, from + query.perPage),
    found: first.found + others.ids.length,
    foundExact: first.foundExact && others.ids.length === 0,
    facets: {
      ...(others.ids.length === formed.ids.length
        ? withAdded(first.facets, formed.facets, query.facetLimit)
        : first.facets),
      ...together?.facets,
    },
    facetsExact:
      others.ids.length === 0
        ? first.facetsExact
        : Object.fromEntries(Object.keys(first.facetsExact).map((facet) => [facet, false])),
    groups: new Map([...first.groups, ...others.groups, ...rest.groups]),
    partial: new Map(rest.ids.map((id) => [id, (missing.get(id) ?? []).map(asTyped)])),
  };
}

/** The facet of prices, if it is asked for and has no restriction of its own, without which it is counted. */
function pricesOf(query: ProductQuery): ProductFacet[] {
  return splitFacets(query).own.filter((facet) => facet === "price");
}

/** In the order asked for and in groups, where one was asked for. */
async function arranged(
  { searchDb, clock }: Source,
  query: ProductQuery,
  ids: readonly number[],
  facets: readonly ProductFacet[] = [],
): Promise<Rows> {
  const isInOrder = isByRelevance(query) && query.group === undefined && facets.length === 0;
  if (ids.length === 0 || isInOrder) return { ids: [...ids], groups: new Map(), facets: {} };
  const all = { ...query, page: 1, perPage: ids.length, facets };
  return searchSql(searchDb, clock.now(), all, () => ({ source: { ids }, isWhole: true }));
}

const isByRelevance = ({ sort = "relevance" }: ProductQuery) => sort === "relevance";

type Rows = Pick<ProductHits, "ids" | "groups" | "facets">;

/** Other offers of a product that is shown already get no row of their own. */
function withoutGroupsOf(
  shown: Rows["groups"],
  { ids, groups }: Pick<Rows, "ids" | "groups">,
): Pick<Rows, "ids" | "groups"> {
  const keys = new Set([...shown.values()].map(({ key }) => key));
  const isNew = (id: number) => {
    const key = groups.get(id)?.key ?? null;
    return key === null || !keys.has(key);
  };
  return { ids: ids.filter(isNew), groups };
}

/** The facets of what was found, with those of further products; prices as found, or of these if nothing was. */
function withAdded(found: Facets, added: Facets, limit = maxValuesPerFacet): Facets {
  const { price = added.price, ...counted } = found;
  const { price: _price, ...others } = added;
  const sums = Object.entries(others).map(([facet, values]) => {
    const known = Object.entries(counted).find(([name]) => name === facet)?.[1] ?? [];
    return [facet, sumOf(known, values).slice(0, limit)];
  });
  return { ...counted, ...Object.fromEntries(sums), ...(price ? { price } : {}) };
}

function sumOf(known: readonly FacetValue[], added: readonly FacetValue[]): FacetValue[] {
  const counts = new Map<string, number>();
  for (const { value, count } of [...known, ...added])
    counts.set(value, (counts.get(value) ?? 0) + count);
  return [...counts].map(([value, count]) => ({ value, count })).toSorted(byCount);
}
