import { filterAttributes, sortNames } from "./filter-attributes.ts";
import { toEngineFilter } from "./filter-engine.ts";
import { FilterFault, parseFilter, type Filter } from "./filter-grammar.ts";
import { highlightClose, highlightOpen, normalise } from "../index/normalise.ts";
import { locales } from "../index/settings.ts";

/** A search as InstantSearch sends it, in Meilisearch's words; what is absent has Meilisearch's default. */
export interface InstantQuery {
  q: string;
  /** Pages of `hitsPerPage` with exact totals, or a window. */
  window: { page: number; hitsPerPage: number } | { offset: number; limit: number };
  filter: Filter;
  /** `attribute:asc` or `attribute:desc`. */
  sort: string[];
  facets: string[];
  matchingStrategy: "all" | "last" | "frequency";
  /** Of `textNames`; null: all. */
  searchOn: string[] | null;
  highlight: string[];
  /** Name to the number of words it is cut to. */
  crop: ReadonlyMap<string, number>;
  cropMarker: string;
  showRankingScore: boolean;
  rankingScoreThreshold: number | null;
}

/** The texts of a product that are searched and can be highlighted, and where the index has them. */
export const textNames: ReadonlyMap<string, readonly string[]> = new Map([
  ["title", ["title", "words"]],
  ["detail", ["detail"]],
  ["shop_name", ["shop_name"]],
  ["categories", ["category_text"]],
  ["identifier", ["identifier"]],
  ["gtins", ["gtins"]],
]);

/** Those of which a product has one text, so that the index's marked text can stand for it. */
export const markedNames = ["title", "detail", "shop_name"] as const;

export type FilterSource = string | readonly (string | readonly string[])[];

/** A filter as it is sent: one expression, or a list of which all hold, its inner lists of which any. */
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

/** Throws FilterFault for an attribute or direction we do not sort by. */
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
    sort: query.sort.length > 0 ? [...query.sort, "id:asc"] : [],
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
      ? {}
      : { attributesToSearchOn: query.searchOn.flatMap((name) => textNames.get(name) ?? []) }),
    ...query.window,
  };
}

/** An inner list without expressions restricts nothing, as with Meilisearch. */
function withoutEmpty(filter: Filter): Filter {
  if (filter.kind !== "all") return filter;
  const parts = filter.parts.filter((part) => part.kind !== "any" || part.parts.length > 0);
  return { ...filter, parts };
}
