import type { Db } from "../db/open.ts";
import type { Clock } from "../lib/clock.ts";
import { createBreaker } from "./breaker.ts";
import {
  EngineRefused,
  EngineUnavailable,
  type Engine,
  type FacetSearchAnswer,
  type SearchAnswer,
} from "./engine.ts";
import { createMarkedCache } from "./marked-cache.ts";
import type { MirrorMark } from "./mirror-mark.ts";
import { createServingIndex } from "./serving.ts";

type EngineQuery = Record<string, unknown>;

export interface Found {
  /** One for each query. */
  answers: SearchAnswer[];
  indexUid: string;
}

/** Asks the index in service, whichever it is. All methods throw EngineUnavailable, whatever the reason. */
export interface Finder {
  /** Answers are remembered until the mirror changes the index. */
  ask(queries: readonly EngineQuery[]): Promise<Found>;
  /** The same for answers too large to be kept. */
  askAnew(queries: readonly EngineQuery[]): Promise<Found>;
  facetSearch(query: EngineQuery): Promise<FacetSearchAnswer>;
}

export interface FinderOptions {
  db: Db;
  engine: Engine;
  clock: Clock;
  mirrorMark: MirrorMark;
  indexPrefix?: string;
}

const rememberMs = 600_000;

export function createFinder(options: FinderOptions): Finder {
  const { db, engine, clock, mirrorMark, indexPrefix } = options;
  const servingIndex = createServingIndex(db, clock, indexPrefix);
  const guarded = createBreaker(clock, { firstMs: 500, maxMs: 5000 });

  async function onIndex<T>(work: (indexUid: string) => Promise<T>): Promise<T> {
    const indexUid = await servingIndex();
    if (indexUid === null) throw new EngineUnavailable("no_index_yet");
    return guarded(() => unrefused(work(indexUid)));
  }

  const askAnew: Finder["askAnew"] = (queries) =>
    onIndex(async (indexUid) => {
      const [only] = queries;
      if (only && queries.length === 1) {
        return { answers: [await engine.search(indexUid, only)], indexUid };
      }
      const answers = await engine.multiSearch(queries.map((query) => ({ ...query, indexUid })));
      return { answers, indexUid };
    });
  const remembered = createMarkedCache<Found>({
    clock,
    maxEntries: 20_000,
    keepMs: rememberMs,
  });

  return {
    ask: async (queries) =>
      remembered(JSON.stringify(queries), await mirrorMark(), () => askAnew(queries)),
    askAnew,
    facetSearch: (query) => onIndex((indexUid) => engine.facetSearch(indexUid, query)),
  };
}

/** Our queries are typed and cannot be at fault, so a refusal is the engine's state. */
async function unrefused<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof EngineRefused) throw new EngineUnavailable(error.code, error);
    throw error;
  }
}
