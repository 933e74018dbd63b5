import {
  readDistinct,
  readFacets,
  readSearchOn,
  readSort,
  type InstantQuery,
} from "../../../search/instantsearch/instant-query.ts";
import { QueryFault } from "../../../search/instantsearch/query-fault.ts";
import { readFilter } from "../../../search/instantsearch/read-filter.ts";
import { MeiliProblem } from "../../http/problems/instantsearch-problem.ts";
import { maxDepth } from "../../products/search/product-query.ts";
import {
  invalidIndexUid,
  isIndexUid,
  type MeiliMultiQuery,
  type MeiliSearchBody,
} from "./request-schema.ts";

/** The most hits per page. A larger limit is reduced to it, and the answer says so. */
const maxHits = 200;
const defaultCropWords = 10;
const maxCropWords = 500;

/** The sort order in an index name such as `products:price:asc`. Throws for any other index. */
export function readIndexUid(indexUid: string): string[] {
  const [name, ...order] = indexUid.split(":");
  if (!isIndexUid(indexUid)) {
    throw new QueryFault("invalid_index_uid", invalidIndexUid(indexUid));
  }
  if (name !== "products") {
    throw new MeiliProblem(404, "index_not_found", `Index \`${indexUid}\` not found.`);
  }
  return order.length === 0 ? [] : readSort([order.join(":")]);
}

export type SearchBody = Omit<MeiliSearchBody, "limit" | "offset"> &
  Pick<MeiliMultiQuery, "limit" | "offset">;

/** Converts the body, and checks what its schema cannot check, in Meilisearch's order. */
export function toInstantQuery(body: SearchBody, order: string[]): InstantQuery {
  refuseVectors(body);
  const sort = readSort(body.sort ?? order);
  const filter = readFilter(body.filter ?? []);
  return {
    q: body.q ?? "",
    window: toWindow(body),
    filter,
    sort,
    searchOn: readSearchOn(body.attributesToSearchOn ?? ["*"]),
    distinct: typeof body.distinct === "string" ? readDistinct(body.distinct) : null,
    facets: body.facets ? readFacets(body.facets) : null,
    matchingStrategy: body.matchingStrategy ?? "last",
    retrieve: body.attributesToRetrieve ?? ["*"],
    highlight: body.attributesToHighlight ?? [],
    crop: toCrop(body),
    showMatchesPosition: body.showMatchesPosition ?? false,
    showRankingScore: body.showRankingScore ?? false,
    showRankingScoreDetails: body.showRankingScoreDetails ?? false,
    rankingScoreThreshold: body.rankingScoreThreshold ?? null,
    retrieveVectors: body.retrieveVectors ?? false,
  };
}

/** The index has no embedders, so a search that needs one is refused as Meilisearch refuses it. */
function refuseVectors({ q, vector, media, hybrid }: Partial<SearchBody>): void {
  const hasVector = (vector ?? media ?? null) !== null;
  if (!hybrid) {
    if (!hasVector) return;
    throw new QueryFault(
      "missing_search_hybrid",
      "Invalid request: missing `hybrid` parameter when `vector` or `media` are present.",
    );
  }
  const isByWords = hybrid.semanticRatio === 0 || (q ?? "").trim() === "";
  if (isByWords && !hasVector) return;
  throw new QueryFault(
    "invalid_search_embedder",
    `Cannot find embedder with name \`${hybrid.embedder.slice(0, 100).toWellFormed()}\`.`,
  );
}

function toWindow(body: SearchBody): InstantQuery["window"] {
  if ((body.page ?? body.hitsPerPage ?? null) !== null) {
    return { page: body.page ?? 1, hitsPerPage: Math.min(body.hitsPerPage ?? 20, maxHits) };
  }
  return toOffsetWindow(body);
}

export function toOffsetWindow(asked: Pick<SearchBody, "offset" | "limit">) {
  const offset = Math.min(asked.offset ?? 0, maxDepth);
  return { offset, limit: Math.min(asked.limit ?? 20, maxHits, maxDepth - offset) };
}

/** Parses `name` or `name:words`; `*` means every attribute. */
function toCrop(body: SearchBody): Map<string, number> {
  const words = new Map<string, number>();
  for (const entry of body.attributesToCrop ?? []) {
    const [, name = "", count] = /^([^:]*)(?::(\d{1,9}))?$/.exec(entry) ?? [];
    if (name === "") {
      throw new QueryFault(
        "invalid_search_attributes_to_crop",
        `\`${entry}\` is neither a name nor a name, a colon and a number of words.`,
      );
    }
    words.set(name, Math.min(Number(count ?? body.cropLength ?? defaultCropWords), maxCropWords));
  }
  return words;
}
