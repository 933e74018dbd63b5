import { createProductReader } from "../../catalog/product-reader.ts";
import { createCatalogueState } from "../../catalog/state.ts";
import type { ProductRecord } from "../../catalog/products.ts";
import type { ProductHits, ProductQuery } from "../../search/query/query.ts";
import { createMarkedCache, type Marked } from "../../search/query/versioned-cache.ts";
import { readLagSeconds } from "../../search/mirror/status.ts";
import { etagOf, type TextPayload } from "../http/answer.ts";
import type { ApiDeps } from "../http/deps.ts";
import { toFoundProducts } from "./found-products.ts";
import { lastKnown } from "../http/last-known.ts";
import { toItemExtra, writeItem, type ItemExtra } from "./product-json.ts";
import type { SearchBody } from "./search-schema.ts";
import { ageSeconds } from "./to-product.ts";

export interface SearchAnswer extends TextPayload {
  itemIds: number[];
  found: number;
}

type Deps = Pick<ApiDeps, "db" | "cache" | "clock" | "logger" | "search" | "mirrorMark">;

/** What an answer says until the catalogue or the index changes, but for the products themselves. */
interface Page {
  lasting: Omit<SearchBody, "took_ms" | "freshness" | "mirror_lag_s" | "items">;
  items: ItemExtra[];
  etag: string;
  indexUid: string | null;
}

const pageKeptMs = 60_000;

/** Searches, reads what was found from the catalogue, and writes the answer; `fields`: empty for all. */
export function createSearchAnswerer(
  deps: Deps,
): (query: ProductQuery, fields: readonly string[]) => Promise<SearchAnswer> {
  const { db, cache, clock, mirrorMark } = deps;
  const stateNow = createCatalogueState(db);
  const readProducts = createProductReader(db, cache);
  const lagOf = createLagReader(deps);
  const remembered = createMarkedCache(cache.open<Marked<Page>>("page", pageKeptMs), {
    // The engine may be back at any moment.
    isKept: ({ lasting }) => !lasting.degraded,
  });

  async function toPage(
    query: ProductQuery,
    fields: readonly string[],
    state: string | null,
  ): Promise<Page> {
    const hits = await deps.search(query);
    const records = await readProducts(hits.ids, state);
    const now = clock.now();
    const { items, warnings } = toFoundProducts(hits, records, query, now);
    const lasting = {
      found: hits.found,
      found_exact: hits.foundExact,
      page: query.page,
      per_page: query.perPage,
      engine: hits.engine,
      degraded: hits.degraded,
      facets: hits.facets,
      facets_exact: hits.facetsExact,
      warnings: [...hits.warnings, ...warnings],
    };
    return {
      lasting,
      items: items.map(toItemExtra),
      etag: etagOf(JSON.stringify([lasting, fields, versionsOf(hits, records)])),
      indexUid: hits.indexUid,
    };
  }

  return async (query, fields) => {
    const startedMs = clock.monotonicMs();
    const state = await stateNow();
    const write = () => toPage(query, fields, state);
    // What is young enough now may not be in a moment.
    const isLasting = state !== null && query.maxAgeSeconds === undefined;
    const page = await (isLasting
      ? remembered(JSON.stringify([fields, query]), `${state} ${await mirrorMark()}`, write)
      : write());
    const itemIds = page.items.map(({ itemId }) => itemId);
    // Found in the cache as a rule: the products are remembered once, however many pages show them.
    const records = await readProducts(itemIds, state);
    const now = clock.now();
    const shown = page.items.flatMap((extra) => {
      const record = records.get(extra.itemId);
      return record ? [{ record, extra }] : [];
    });
    const head: Omit<SearchBody, "items"> = {
      ...page.lasting,
      took_ms: Math.round(clock.monotonicMs() - startedMs),
      freshness: toFreshness(
        shown.map(({ record }) => record),
        now,
      ),
      mirror_lag_s: Math.round((await lagOf(page.indexUid)) * 10) / 10,
    };
    const items = shown.map(({ record, extra }) => writeItem(record, extra, fields, now));
    return {
      text: `${JSON.stringify(head).slice(0, -1)},"items":[${items.join(",")}]}`,
      contentType: "application/json; charset=utf-8",
      etag: page.etag,
      itemIds,
      found: page.lasting.found,
    };
  };
}

/** Says the same as the items and their order, in a tenth of the text. */
function versionsOf(hits: ProductHits, records: ReadonlyMap<number, ProductRecord>): unknown[] {
  return hits.ids.map((id) => {
    const record = records.get(id);
    return [
      id,
      record?.ver,
      record?.checkedAt.getTime(),
      record?.shop,
      hits.titles.get(id),
      hits.groups.get(id),
    ];
  });
}

const lagTimes = { everyMs: 250, patienceMs: 50 };

/** Asked a few times a second, however many searches there are, and none of them waits for it long. */
function createLagReader({
  db,
  clock,
  logger,
}: Deps): (indexUid: string | null) => Promise<number> {
  let known: { indexUid: string; read: () => Promise<number> } | null = null;
  return async (indexUid) => {
    if (indexUid === null) return 0;
    if (known?.indexUid !== indexUid) {
      const read = () => readLagSeconds(db, clock.now(), indexUid);
      const tell = (error: unknown) => logger.warn({ err: error }, "the mirror's lag is not known");
      known = { indexUid, read: lastKnown(clock, lagTimes, read, tell) };
    }
    return known.read();
  };
}

function toFreshness(items: readonly ProductRecord[], now: Date): SearchBody["freshness"] {
  const ages = items.map((item) => ageSeconds(item, now)).toSorted((a, b) => a - b);
  const quantile = (share: number) => ages[Math.max(0, Math.ceil(ages.length * share) - 1)] ?? null;
  return { p50_s: quantile(0.5), p95_s: quantile(0.95), oldest_s: ages.at(-1) ?? null };
}
