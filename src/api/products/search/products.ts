import { LRUCache } from "lru-cache";
import type { ReadProductsResult, ProductRecord } from "../../../catalog/products.ts";
import { readLagSeconds } from "../../../search/mirror/status.ts";
import { toFoundProducts } from "../../../search/query/product-search.ts";
import { isWordsAlone, type ProductHits, type ProductQuery } from "../../../search/query/query.ts";
import { etagOf, type JsonOf, sendText, type TextPayload, beginReads } from "../../http/answer.ts";
import type { ApiDeps } from "../../http/deps.ts";
import { publicRoute, jsonAnswer, createRoutes } from "../../http/route.ts";
import { largeSearches, type Lanes } from "../../http/lanes.ts";
import { productQuery, toSearch } from "./product-query.ts";
import { searchSchema, type SearchBody, withLabel } from "./search-schema.ts";
import { ageSeconds, toItemExtra, writeItem, type ItemExtra } from "../to-product.ts";
import { tenths } from "../../http/to-members.ts";

const route = publicRoute("get /v1/products", {
  operationId: "searchProducts",
  tags: ["products"],
  summary: "Search products across all shops",
  description: `The index finds and orders the products; price, stock and existence are read from the catalogue at answer time. ${largeSearches}`,
  request: { query: productQuery },
  responses: { 200: jsonAnswer("A page", searchSchema) },
});

export function productsRoutes(deps: ApiDeps, lanes: Lanes) {
  const { demand, clientAddress } = deps;
  const answerTo = createSearchAnswerer(deps);
  return createRoutes().openapi(route, async (c) => {
    const parameters = c.req.valid("query");
    const query = toSearch(parameters);
    const answer = await lanes.search(query, clientAddress(c), () =>
      answerTo(query, parameters.fields),
    );
    demand.shown(answer.itemIds, (query.page - 1) * query.perPage);
    if (answer.found === 0 && isWordsAlone(query)) {
      demand.foundNothing(query.q ?? "", clientAddress(c));
    }
    // Safe: the text is the JSON of a SearchBody, or a 304 for it.
    return (await sendText(c, answer)) as JsonOf<SearchBody>;
  });
}

interface SearchAnswer extends TextPayload {
  itemIds: number[];
  found: number;
}

type Deps = Pick<
  ApiDeps,
  "db" | "replica" | "clock" | "logger" | "search" | "shopNames" | "readProducts" | "market"
>;

/** The part of an answer, without the products, that is valid until the catalogue or the index changes. */
interface Page {
  /** The catalogue state at which it was written. */
  state: string | null;
  lasting: Omit<SearchBody, "currency" | "took_ms" | "freshness" | "mirror_lag_s" | "items">;
  items: ItemExtra[];
  etag: string;
}

/** Cached as long as the hits exist. */
const pages = new WeakMap<ProductHits, Page>();

/** Searches, reads the found products from the catalogue, and writes the answer. `fields`: empty for all. */
function createSearchAnswerer(deps: Deps) {
  const { db, clock } = deps;
  const lagOf = createLagReader(deps, (indexUid) => readLagSeconds(db, indexUid));
  return async (query: ProductQuery, fields: readonly string[]): Promise<SearchAnswer> => {
    const startedMs = clock.monotonicMs();
    const source = beginReads(deps);
    const hits = await deps.search(query);
    const [read, facets] = await Promise.all([
      deps.readProducts(hits.ids),
      toFacets(hits.facets, deps.shopNames),
    ]);
    const lagSeconds = await lagOf(hits.indexUid);
    const now = clock.now();
    const page = pageOf({ hits, facets, read }, query, now);
    const shown = page.items.flatMap((extra) => {
      const record = read.records.get(extra.itemId);
      return record ? [{ record, extra }] : [];
    });
    const head: Omit<SearchBody, "items"> = {
      ...page.lasting,
      currency: deps.market.currency,
      took_ms: Math.round(clock.monotonicMs() - startedMs),
      freshness: { ...toFreshness(shown, now), ...source() },
      mirror_lag_s: tenths(lagSeconds),
    };
    const items = shown.map(({ record, extra }) =>
      writeItem(record, extra, { fields, market: deps.market, now }),
    );
    return {
      text: `${JSON.stringify(head).slice(0, -1)},"items":[${items.join(",")}]}`,
      contentType: "application/json; charset=utf-8",
      etag: page.etag,
      itemIds: shown.map(({ record }) => record.itemId),
      found: hits.found,
    };
  };
}

/** With the names of the shops. */
async function toFacets(
  facets: ProductHits["facets"],
  shopNames: ApiDeps["shopNames"],
): Promise<SearchBody["facets"]> {
  const { shop_id: shops, price, ...others } = facets;
  const names = await shopNames((shops ?? []).map(({ value }) => value));
  return {
    ...others,
    ...(shops ? { shop_id: shops.map((shop) => withLabel(shop, names)) } : {}),
    ...(price ? { price: { histogram: [], ...price } } : {}),
  };
}

interface Answered {
  hits: ProductHits;
  facets: SearchBody["facets"];
  read: ReadProductsResult;
}

/** Written once until the hits or the catalogue change. */
function pageOf(
  { hits, facets, read: { records, state } }: Answered,
  query: ProductQuery,
  now: Date,
): Page {
  const known = pages.get(hits);
  if (known && state !== null && known.state === state) return known;
  const { items, warnings } = toFoundProducts(hits, records, query, now);
  const lasting = {
    found: hits.found,
    found_exact: hits.foundExact,
    partially_found: hits.partial.size,
    corrected: hits.corrected,
    page: query.page,
    per_page: query.perPage,
    engine: hits.engine,
    degraded: hits.degraded,
    facets,
    facets_exact: hits.facetsExact,
    warnings: [...hits.warnings, ...warnings],
  };
  const page = {
    state,
    lasting,
    items: items.map(toItemExtra),
    etag: etagOf(JSON.stringify([lasting, versionsOf(hits, records)])),
  };
  if (state !== null) pages.set(hits, page);
  return page;
}

/** Identifies the items and their order in a tenth of the text. */
function versionsOf(hits: ProductHits, records: ReadonlyMap<number, ProductRecord>): unknown[] {
  return hits.ids.map((id) => {
    const record = records.get(id);
    return [
      id,
      record?.ver,
      record?.checkedAt.getTime(),
      record?.shop,
      record?.group,
      record?.attributes,
      hits.titles.get(id),
      hits.groups.get(id),
      hits.partial.get(id),
    ];
  });
}

function toFreshness(shown: readonly { record: ProductRecord }[], now: Date) {
  const ages = shown.map(({ record }) => ageSeconds(record, now)).toSorted((a, b) => a - b);
  const quantile = (share: number) => ages[Math.max(0, Math.ceil(ages.length * share) - 1)] ?? null;
  return { p50_s: quantile(0.5), p95_s: quantile(0.95), oldest_s: ages.at(-1) ?? null };
}

const trustMs = 250;
const patienceMs = 50;
/** Those that searches read at the same time: with several hosts, other sets of indexes while hosts come and go. */
const maxIndexes = 20;

/**
 * Seconds that an index is behind the catalogue, from `read`; 0 without an index. Calls `read` at most
 * a few times a second. If a read fails or takes longer than 50 ms, callers get the last value.
 */
export function createLagReader(
  { clock, logger }: Pick<ApiDeps, "clock" | "logger">,
  read: (indexUid: string) => Promise<number>,
): (indexUid: string | null) => Promise<number> {
  /** Resolves 50 ms after the last read began. */
  let patience: Promise<void> = Promise.resolve();
  const lags = new LRUCache<string, number>({
    max: maxIndexes,
    ttl: trustMs,
    ttlResolution: 0,
    perf: { now: () => 1 + clock.monotonicMs() },
    noDeleteOnStaleGet: true,
    noDeleteOnFetchRejection: true,
    // Waiting callers get the value, even if its entry was evicted meanwhile.
    ignoreFetchAbort: true,
    async fetchMethod(indexUid) {
      patience = clock.sleep(patienceMs);
      try {
        return await read(indexUid);
      } catch (error) {
        logger.warn({ err: error }, "the mirror's lag is not known");
        throw error;
      }
    },
  });
  return async (indexUid) => {
    if (indexUid === null) return 0;
    const fresh = lags.get(indexUid);
    if (fresh !== undefined) return fresh;
    const last = lags.get(indexUid, { allowStale: true });
    const reading = lags.forceFetch(indexUid);
    if (last === undefined) return reading;
    return Promise.race([reading.catch(() => last), patience.then(() => last)]);
  };
}
