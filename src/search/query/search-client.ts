import type { Db } from "../../db/open.ts";
import type { Cache } from "../../lib/cache.ts";
import type { Clock } from "../../lib/clock.ts";
import { createBreaker } from "../engine/breaker.ts";
import type { FacetSearchAnswer, SearchAnswer } from "../engine/answers.ts";
import { EngineRefused, EngineUnavailable, type SearchEngine } from "../engine/engine.ts";
import { isStateFault } from "../engine/error-codes.ts";
import { queryWithNumbersApart, withNumbersJoined } from "../index/number-edges.ts";
import type { IndexVersion } from "../mirror/indexes/serving-index.ts";
import { toNamed, toNames } from "./facet-names.ts";
import { withSinglesApart } from "./single-letters.ts";
import { warmUpQuery } from "./warm-up.ts";

type EngineQuery = Record<string, unknown>;

export interface Found {
  /** One for each query. */
  answers: SearchAnswer[];
  indexUid: string;
}

export type SearchClient = ReturnType<typeof createSearchClient>;

const rememberMs = 600_000;

/** The sign of a decimal number whose digits are still to be typed, behind more digits than a decimal number has. */
const openPoint = /(?<=[0-9]{3})[.,]$/;

/** A query whose words are cut as those of the documents are. */
export function toAsked(query: EngineQuery): EngineQuery {
  if (typeof query.q !== "string") return query;
  return { ...query, q: withSinglesApart(queryWithNumbersApart(query.q.replace(openPoint, ""))) };
}

/**
 * Searches the index in service; facets have names, not the index's keys. All methods throw EngineUnavailable if the
 * search may succeed later, and EngineRefused if the search itself is at fault.
 */
export function createSearchClient(options: {
  db: Db;
  engine: SearchEngine;
  cache: Cache;
  clock: Clock;
  indexVersion: IndexVersion;
  /** The name of the index to search. */
  servingIndex: () => Promise<string>;
}) {
  const { db, engine, cache, clock, indexVersion, servingIndex } = options;
  const guarded = createBreaker({
    clock,
    // Not an empty search: it is quick even before the engine has read its dictionary.
    probe: async () => engine.search(await servingIndex(), warmUpQuery),
  });

  async function onIndex<T>(work: (indexUid: string) => Promise<T>): Promise<T> {
    const indexUid = await servingIndex();
    try {
      return await guarded(() => work(indexUid));
    } catch (error) {
      if (!(error instanceof EngineRefused) || !isStateFault(error)) throw error;
      throw new EngineUnavailable(error.code, error);
    }
  }

  async function toRead(answer: SearchAnswer): Promise<SearchAnswer> {
    const read = { ...answer, hits: answer.hits.map(withNumbersJoined) };
    return read.facetDistribution
      ? { ...read, facetDistribution: await toNamed(db, read.facetDistribution) }
      : read;
  }

  /** Remembers nothing, for answers that the caller keeps or nobody needs again. */
  async function askAnew(queries: readonly EngineQuery[]): Promise<Found> {
    const asked = queries.map(toAsked);
    const { answers, indexUid } = await onIndex(async (uid) => {
      const [only] = asked;
      const all =
        only && asked.length === 1
          ? [await engine.search(uid, only)]
          : await engine.multiSearch(asked.map((query) => ({ ...query, indexUid: uid })));
      return { answers: all, indexUid: uid };
    });
    return { answers: await Promise.all(answers.map(toRead)), indexUid };
  }
  const remembered = cache.open<Found>("engine", rememberMs);

  return {
    /** Answers are remembered until the mirror changes the index. */
    ask: async (queries: readonly EngineQuery[]) =>
      remembered.fetch(`${await indexVersion()} ${JSON.stringify(queries)}`, () =>
        askAnew(queries),
      ),
    askAnew,
    /** The hits of all queries in one list, with the counts of these facets in all of them. */
    async askFederated(
      queries: readonly EngineQuery[],
      { facets, ...federation }: EngineQuery & { facets: readonly string[] | null },
    ): Promise<SearchAnswer> {
      const found = await onIndex(async (indexUid) => {
        const { facetsByIndex, ...answer } = await engine.federatedSearch(
          queries.map((query) => ({ ...toAsked(query), indexUid })),
          { ...federation, ...(facets === null ? {} : { facetsByIndex: { [indexUid]: facets } }) },
        );
        const counted = facetsByIndex?.[indexUid];
        if (!counted) return answer;
        return { ...answer, facetDistribution: counted.distribution, facetStats: counted.stats };
      });
      return toRead(found);
    },
    async facetSearch(query: EngineQuery): Promise<FacetSearchAnswer> {
      const found = await onIndex((indexUid) => engine.facetSearch(indexUid, toAsked(query)));
      const attribute = String(query.facetName);
      const keys = found.facetHits.map(({ value }) => value);
      const names = await toNames(db, attribute, keys);
      const facetHits = found.facetHits.map((hit) => ({
        ...hit,
        value: names.get(hit.value) ?? hit.value,
      }));
      return { ...found, facetHits };
    },
  };
}
