import { filterAttributes, sortNames } from "./filter-attributes.ts";
import { toEngineFilter } from "./filter-engine.ts";
import { FilterFault, parseFilter, type Filter } from "./filter-grammar.ts";
import { highlightClose, highlightOpen, normalise } from "../index/normalise.ts";
import { locales, orderWithoutWords, searchedAttributes } from "../index/settings.ts";
import { hasPositiveWords } from "../index/words.ts";

/** A search as InstantSearch sends it, with Meilisearch's names. Absent fields have Meilisearch's defaults. */
export interface InstantQuery {
  q: string;
  /** Pages of `hitsPerPage` with exact totals, or an offset and a limit. */
  window: { page: number; hitsPerPage: number } | { offset: number; limit: number };
  filter: Filter;
  /** `attribute:asc` or `attribute:desc`. */
  sort: string[];
  facets: string[];
  matchingStrategy: "all" | "last" | "frequency";
  /** Of `textNames`; null: all. */
  searchOn: string[] | null;
  highlight: string[];
  /** Maps the name of a text to the number of words that it is cropped to. */
  crop: ReadonlyMap<string, number>;
  cropMarker: string;
  showRankingScore: boolean;
  rankingScoreThreshold: number | null;
}

/** The searchable texts of a product that can be highlighted, with their names in the index. */
export const textNames: ReadonlyMap<string, readonly string[]> = new Map([
  ["title", ["title", "words"]],
  ["detail", ["detail"]],
  ["shop_name", ["shop_name"]],
  ["categories", ["category_text"]],
  ["identifier", ["identifier"]],
  ["gtins", ["gtins"]],
]);

/** Those with one text per product, so that the index's highlighted text can replace it. */
export const markedNames = ["title", "detail", "shop_name"] as const;

export type FilterSource = string | readonly (string | readonly string[])[];

/**
 * A filter as sent: one expression, or a list. All entries of the list must hold, and one entry of an
 * inner list.
 */
export function readFilter(source: FilterSource): Filter {
  if (typeof source === "string") {
    return source.trim() === "" ? { kind: "all", parts: [] } : parseFilter(source);
  }
  const parts = source.map((part): Filter => {
    if (typeof part === "string") return parseFilter(part);
    return { kind: "any", parts: part.map(parseFilter) };
  });
  return { kind: "all", parts };
}

/** Throws FilterFault for an unknown attribute or direction. */
export function readSort(rules: readonly string[]): string[] {
  for (const rule of rules) {
    const [name = "", direction = "", ...rest] = rule.split(":");
    const known = sortNames.includes(name) && (direction === "asc" || direction === "desc");
    if (!known || rest.length > 0) {
      throw new FilterFault(
        `\`${rule}\` is no order; sort by :asc or :desc of ${sortNames.join(", ")}`,
      );
    }
  }
  return [...rules];
}

export function toInstantEngineQuery(query: InstantQuery): Record<string, unknown> {
  const marked = (names: Iterable<string>) =>
    markedNames.filter((name) => [...names].includes(name));
  const isEmpty = (filter: Filter) => filter.kind === "all" && filter.parts.length === 0;
  return {
    q: normalise(query.q),
    locales,
    matchingStrategy: query.matchingStrategy,
    ...(isEmpty(query.filter) ? {} : { filter: toEngineFilter(withoutEmpty(query.filter)) }),
    sort:
      query.sort.length > 0
        ? [...query.sort, "id:asc"]
        : hasPositiveWords(query.q)
          ? []
          : orderWithoutWords,
    facets: [...new Set(query.facets.flatMap((name) => filterAttributes.get(name)?.engine ?? []))],
    attributesToRetrieve: ["id"],
    attributesToHighlight: marked(query.highlight),
    attributesToCrop: marked(query.crop.keys()).map(
      (name) => `${name}:${query.crop.get(name) ?? 10}`,
    ),
    cropMarker: query.cropMarker,
    highlightPreTag: highlightOpen,
    highlightPostTag: highlightClose,
    showRankingScore: query.showRankingScore,
    ...(query.rankingScoreThreshold === null
      ? {}
      : { rankingScoreThreshold: query.rankingScoreThreshold }),
    ...(query.searchOn === null
      ? searchedAttributes(query.q)
      : { attributesToSearchOn: query.searchOn.flatMap((name) => textNames.get(name) ?? []) }),
    ...query.window,
  };
}

/** An empty inner list restricts nothing, as in Meilisearch. */
function withoutEmpty(filter: Filter): Filter {
  if (filter.kind !== "all") return filter;
  const parts = filter.parts.filter((part) => part.kind !== "any" || part.parts.length > 0);
  return { ...filter, parts };
}
