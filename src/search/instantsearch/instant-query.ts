import { highlightClose, highlightOpen } from "../index/normalise.ts";
import { locales, orderWithoutWords, searchedAttributes } from "../index/settings.ts";
import { withConfusedWordEnded } from "../index/voiced-kana.ts";
import { hasPositiveWords, readableQuery } from "../index/words.ts";
import { facetNames, filterAttributes, sortNames, textNames } from "./filter-attributes.ts";
import { toEngineFilter } from "./filter-engine.ts";
import type { Filter } from "./filter.ts";
import { cutMark } from "./marked-text.ts";
import { indexName, QueryFault } from "./query-fault.ts";

/** A search as InstantSearch sends it, with Meilisearch's names. Absent fields have Meilisearch's defaults. */
export interface InstantQuery {
  q: string;
  /** Pages of `hitsPerPage` with exact totals, or an offset and a limit. */
  window: { page: number; hitsPerPage: number } | { offset: number; limit: number };
  filter: Filter;
  /** `attribute:asc` or `attribute:desc`. */
  sort: string[];
  /** null: the answer does not count values. */
  facets: string[] | null;
  /** Only the first of the hits with the same value of this attribute is shown; null: all. */
  distinct: string | null;
  matchingStrategy: "all" | "last" | "frequency";
  /** Some of `textNames`; null: all. */
  searchOn: string[] | null;
  /** Names of the product's attributes; `*` means all. */
  retrieve: string[];
  highlight: string[];
  /** Maps the name of an attribute to the number of words that it is cropped to; 0: not cropped. */
  crop: ReadonlyMap<string, number>;
  showMatchesPosition: boolean;
  showRankingScore: boolean;
  showRankingScoreDetails: boolean;
  rankingScoreThreshold: number | null;
  retrieveVectors: boolean;
}

/** The attributes whose matches can be shown: their public name and their name in the index. */
export const markedNames: ReadonlyMap<string, string> = new Map([
  ["title", "title"],
  ["detail", "detail"],
  ["shop_name", "shop_name"],
  ["identifier", "identifier"],
  ["categories", "category_text"],
  ["category", "category_text"],
]);

/** Throws QueryFault for an unknown attribute or direction. */
export function readSort(rules: readonly string[]): string[] {
  for (const rule of rules) {
    const [, name = null] = /^(.*):(?:asc|desc)$/su.exec(rule) ?? [];
    if (name === null) {
      throw new QueryFault(
        "invalid_search_sort",
        `Invalid syntax for the sort parameter: expected expression ending by \`:asc\` or \`:desc\`, found \`${rule}\`.`,
      );
    }
    if (!sortNames.includes(name)) {
      const attribute = name.startsWith("_geoPoint(") ? "_geo" : name;
      throw new QueryFault(
        "invalid_search_sort",
        `Index \`${indexName}\`: Attribute \`${attribute}\` is not sortable. Available sortable attributes are: \`${listed(sortNames)}\`.`,
      );
    }
  }
  return [...rules];
}

export function readFacets(names: readonly string[]): string[] {
  if (names.includes("*")) return facetNames.filter((name) => name !== "category");
  const unknown = [...new Set(names.filter((name) => !facetNames.includes(name)))];
  if (unknown.length === 0) return [...new Set(names)];
  const [is, attributes] = unknown.length === 1 ? ["is", "Attribute"] : ["are", "Attributes"];
  throw new QueryFault(
    "invalid_search_facets",
    `Invalid facet distribution: ${attributes} \`${listed(unknown)}\` ${is} not filterable. Available filterable attributes patterns are: \`${listed(facetNames)}\`.`,
  );
}

export function readDistinct(name: string): string {
  if (filterAttributes.has(name)) return name;
  throw new QueryFault(
    "invalid_search_distinct",
    `Index \`${indexName}\`: Attribute \`${name}\` is not filterable and thus, cannot be used as distinct attribute. Available filterable attributes patterns are: \`${listed([...filterAttributes.keys()])}\`.`,
  );
}

/** null: all texts. */
export function readSearchOn(names: readonly string[]): string[] | null {
  const unknown = names.find((name) => name !== "*" && !textNames.has(name));
  if (unknown === undefined) return names.includes("*") ? null : [...names];
  throw new QueryFault(
    "invalid_search_attributes_to_search_on",
    `Index \`${indexName}\`: Attribute \`${unknown}\` is not searchable. Available searchable attributes are: \`${listed([...textNames.keys()])}\`.`,
  );
}

function listed(names: readonly string[]): string {
  return names.toSorted().join(", ");
}

/** What decides which products are found and in which order, in the engine's language. */
export function toEngineSearch(query: InstantQuery): Record<string, unknown> {
  const q = withConfusedWordEnded(readableQuery(query.q));
  return {
    q,
    locales,
    matchingStrategy: query.matchingStrategy,
    ...(isEmpty(query.filter) ? {} : { filter: toEngineFilter(query.filter) }),
    ...(query.rankingScoreThreshold === null
      ? {}
      : { rankingScoreThreshold: query.rankingScoreThreshold }),
    ...(query.searchOn === null
      ? searchedAttributes(q)
      : { attributesToSearchOn: query.searchOn.flatMap((name) => textNames.get(name) ?? []) }),
  };
}

/** `toEngineSearch` with what is shown of each hit; pages, order and counts are the caller's. */
export function toEngineHits(query: InstantQuery): Record<string, unknown> {
  const marked = (names: readonly string[]) => {
    const named = [...markedNames].filter(([name]) => names.includes("*") || names.includes(name));
    return [...new Set(named.map(([, engine]) => engine))];
  };
  const crops = new Map<string, number>();
  for (const [name, words] of query.crop) {
    for (const engine of marked([name])) crops.set(engine, words);
  }
  // Lists are not cropped.
  crops.delete("category_text");
  const { distinct } = query;
  return {
    ...toEngineSearch(query),
    attributesToRetrieve: query.showMatchesPosition ? ["id", ...marked(["*"])] : ["id"],
    attributesToHighlight: marked(query.highlight),
    attributesToCrop: [...crops].flatMap(([name, words]) =>
      words > 0 ? [`${name}:${words}`] : [],
    ),
    cropMarker: cutMark,
    highlightPreTag: highlightOpen,
    highlightPostTag: highlightClose,
    showMatchesPosition: query.showMatchesPosition,
    showRankingScore: query.showRankingScore,
    showRankingScoreDetails: query.showRankingScoreDetails,
    ...(distinct === null ? {} : { distinct: filterAttributes.get(distinct)?.engine ?? distinct }),
  };
}

/** A whole search. */
export function toInstantEngineQuery(query: InstantQuery): Record<string, unknown> {
  return {
    ...toEngineHits(query),
    sort:
      query.sort.length > 0
        ? [...query.sort, "id:asc"]
        : hasPositiveWords(query.q)
          ? []
          : orderWithoutWords,
    facets: toEngineFacets(query.facets ?? []),
    ...query.window,
  };
}

export function toEngineFacets(names: readonly string[]): string[] {
  return [...new Set(names.flatMap((name) => filterAttributes.get(name)?.engine ?? []))];
}

function isEmpty(filter: Filter): boolean {
  return filter.kind === "all" && filter.parts.length === 0;
}
