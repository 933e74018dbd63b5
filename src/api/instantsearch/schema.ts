import { z } from "@hono/zod-openapi";
import { facetNames } from "../../search/instantsearch/filter-attributes.ts";
import { FilterFault } from "../../search/instantsearch/filter-grammar.ts";
import {
  readFilter,
  readSort,
  textNames,
  type InstantQuery,
} from "../../search/instantsearch/instant-query.ts";
import { mostWork } from "./bounds.ts";
import { MeiliProblem } from "../http/instantsearch-problem.ts";
import { maxDepth } from "../products/product-query.ts";

/** The most hits per page. A larger limit is reduced to it, as Meilisearch does with its own limit. */
const maxHits = 200;
const maxListed = 50;
const defaultCropWords = 10;
const maxCropWords = 500;

/** The engine refuses a body with half a surrogate pair. */
const text = z.string().refine((text) => text.isWellFormed(), "must be well-formed Unicode");
const list = z.array(text.max(200)).max(maxListed).nullish();
const whole = z.int().min(0).optional();
const tag = text.max(100).optional();
const filter = z.union([text, z.array(z.union([text, z.array(text).max(200)])).max(200)]).nullish();

const searchShape = {
  q: text.refine((q) => Array.from(q).length <= 200, "must have at most 200 characters").nullish(),
  offset: whole,
  limit: whole,
  page: whole,
  hitsPerPage: whole,
  attributesToRetrieve: list,
  attributesToCrop: list,
  cropLength: whole,
  cropMarker: tag,
  attributesToHighlight: list,
  highlightPreTag: tag,
  highlightPostTag: tag,
  showMatchesPosition: z.boolean().optional(),
  showRankingScore: z.boolean().optional(),
  rankingScoreThreshold: z.number().min(0).max(1).nullish(),
  filter,
  sort: z.array(text.max(100)).max(3).nullish(),
  facets: list,
  matchingStrategy: z.enum(["all", "last", "frequency"]).optional(),
  attributesToSearchOn: list,
  locales: list,
};

/** Other members of Meilisearch's protocol are refused as unknown, not ignored. */
export const meiliSearch = z.strictObject(searchShape).openapi("MeilisearchQuery");

export const meiliMultiSearch = z
  .strictObject({
    queries: z
      .array(z.strictObject({ indexUid: text.max(200), ...searchShape }))
      .max(mostWork.queries),
  })
  .openapi("MeilisearchMultiQuery", {
    example: { queries: [{ indexUid: "products", q: "革財布", facets: ["categories"] }] },
  });

export const meiliFacetSearch = z
  .strictObject({
    ...searchShape,
    facetName: text.max(200),
    facetQuery: text.max(200).nullish(),
    exhaustiveFacetCount: z.boolean().optional(),
  })
  .openapi("MeilisearchFacetQuery", { example: { facetName: "categories", facetQuery: "バ" } });

export type MeiliSearchBody = z.output<typeof meiliSearch>;

/** The sort order in an index name such as `products:price:asc`. Throws for any other index. */
export function readIndexUid(indexUid: string): string[] {
  const [name, ...order] = indexUid.split(":");
  if (name !== "products") {
    throw new MeiliProblem(404, "index_not_found", `Index \`${indexUid}\` not found.`);
  }
  return order.length === 0 ? [] : sorted([order.join(":")]);
}

function sorted(rules: readonly string[]): string[] {
  try {
    return readSort(rules);
  } catch (error) {
    if (!(error instanceof FilterFault)) throw error;
    throw new MeiliProblem(400, "invalid_search_sort", `Invalid sort: ${error.message}.`);
  }
}

/** Converts the body, and checks what the schema cannot check. */
export function toInstantQuery(body: MeiliSearchBody, order: string[]): InstantQuery {
  const facets = named(body.facets ?? [], facetNames, "invalid_search_facets");
  const searchOn = body.attributesToSearchOn ?? ["*"];
  return {
    q: body.q ?? "",
    window: toWindow(body),
    filter: readFilter(body.filter ?? ""),
    sort: sorted(body.sort ?? order),
    facets,
    matchingStrategy: body.matchingStrategy ?? "last",
    searchOn: searchOn.includes("*")
      ? null
      : named(searchOn, [...textNames.keys()], "invalid_search_attributes_to_search_on"),
    highlight: body.attributesToHighlight?.includes("*")
      ? [...textNames.keys()]
      : (body.attributesToHighlight ?? []),
    crop: toCrop(body),
    cropMarker: body.cropMarker ?? "…",
    showRankingScore: body.showRankingScore ?? false,
    rankingScoreThreshold: body.rankingScoreThreshold ?? null,
  };
}

function named(names: readonly string[], known: readonly string[], code: string): string[] {
  if (names.includes("*")) return known.filter((name) => name !== "category");
  const stranger = names.find((name) => !known.includes(name));
  if (stranger === undefined) return [...names];
  throw new MeiliProblem(400, code, `\`${stranger}\` is not one of: ${known.join(", ")}.`);
}

function toWindow(body: MeiliSearchBody): InstantQuery["window"] {
  if (body.page !== undefined || body.hitsPerPage !== undefined) {
    const hitsPerPage = Math.min(body.hitsPerPage ?? 20, maxHits);
    const lastPage = hitsPerPage === 0 ? 1 : Math.floor(maxDepth / hitsPerPage);
    return { page: Math.min(body.page ?? 1, lastPage + 1), hitsPerPage };
  }
  const offset = Math.min(body.offset ?? 0, maxDepth);
  return { offset, limit: Math.min(body.limit ?? 20, maxHits, maxDepth - offset) };
}

/** Parses `name` or `name:words`; `*` means every text. If the text has fewer words, it is not cropped. */
function toCrop(body: MeiliSearchBody): Map<string, number> {
  const words = new Map<string, number>();
  for (const entry of body.attributesToCrop ?? []) {
    const [, name = "", count] = /^([^:]*)(?::(\d{1,9}))?$/.exec(entry) ?? [];
    if (name === "") {
      throw new MeiliProblem(
        400,
        "invalid_search_attributes_to_crop",
        `\`${entry}\` is neither a name nor a name, a colon and a number of words.`,
      );
    }
    const length = Math.min(Number(count ?? body.cropLength ?? defaultCropWords), maxCropWords);
    for (const each of name === "*" ? textNames.keys() : [name]) words.set(each, length);
  }
  return words;
}
