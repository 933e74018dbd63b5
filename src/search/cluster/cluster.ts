import type { SearchAnswer } from "../engine/answers.ts";
import { EngineUnavailable, type SearchEngine } from "../engine/engine.ts";
import { createHostRequests, type Ask, type HostOptions } from "./host-requests.ts";
import {
  mergeAnswers,
  mergeFacetValues,
  mergeFederated,
  toHostQuery,
  toMergeable,
} from "./merge.ts";
import { allBuckets, chooseTargets, type Route, type Target } from "./route.ts";

type Query = Record<string, unknown>;

export interface Cluster extends SearchEngine {
  /** The indexes that searches read now, with commas. Throws EngineUnavailable if a bucket has no host. */
  servingIndexes(): Promise<string>;
}

/**
 * Several search hosts as one. Each bucket is searched at one host; hits, counts and facets are merged.
 * Throws EngineUnavailable if a bucket is at no host that answers.
 */
export function createCluster(options: ClusterOptions): Cluster {
  const { gather, readTargets } = createGather(options);

  const multiSearch = async (queries: readonly Query[]): Promise<SearchAnswer[]> => {
    const [only] = queries;
    const perHost = await gather(async (engine, { host: { indexUid }, filter }) => {
      const asked = queries.map((query) => toHostQuery(query, indexUid, filter));
      return engine.multiSearch(asked);
    });
    if (!only) return [];
    return queries.map((query, i) =>
      mergeAnswers(
        query,
        perHost.flatMap((answers) => answers[i] ?? []),
      ),
    );
  };

  return {
    multiSearch,
    async search(_indexUid, query) {
      const [answer] = await multiSearch([query]);
      if (!answer) throw new Error("the engine's answer has no results");
      return answer;
    },
    async federatedSearch(queries, federation) {
      const { facetsByIndex, offset = 0, limit = 20, ...rest } = federation;
      const [[asked, facets] = []] = Object.entries(facetsByIndex ?? {});
      const answers = await gather((engine, { host: { indexUid }, filter }) =>
        engine.federatedSearch(
          queries.map((query) => toMergeable({ ...query, indexUid }, filter)),
          {
            ...rest,
            offset: 0,
            limit: Number(offset) + Number(limit),
            ...(facets === undefined ? {} : { facetsByIndex: { [indexUid]: facets } }),
          },
        ),
      );
      return mergeFederated(queries, federation, asked ?? "", answers);
    },
    async facetSearch(_indexUid, query) {
      const answers = await gather((engine, { host: { indexUid }, filter }) => {
        const { filter: both } = toMergeable({ filter: query.filter }, filter);
        return engine.facetSearch(indexUid, { ...query, ...(both ? { filter: both } : {}) });
      });
      return mergeFacetValues(answers);
    },
    async servingIndexes() {
      const targets = await readTargets();
      return targets.map(({ host }) => host.indexUid).join(",");
    },
  };
}

export interface ClusterOptions extends HostOptions {
  readRoute: () => Promise<Route>;
}

/** A host that has not answered after this is left out; others that have its buckets are asked too. */
const lateAfterMs = 400;

interface Call<T> {
  route: Route;
  ask: Ask<T>;
  /** Hosts that were asked already. */
  excluded: ReadonlySet<number>;
}

/** Asks so many hosts that each bucket answers once. Throws EngineUnavailable if a bucket is at no host that answers. */
function createGather(options: ClusterOptions) {
  const { clock, readRoute } = options;
  const requests = createHostRequests(options);
  const chosen = new WeakMap<Route, Map<string, Target[] | null>>();

  function avoidedOf(route: Route): Set<number> {
    return new Set(route.map(({ host }) => host).filter(requests.isAvoided));
  }

  /** The targets of a search of all buckets; remembered, because nearly all searches have the same. */
  function chooseAll(route: Route): Target[] {
    const avoided = avoidedOf(route);
    const memo = chosen.get(route) ?? new Map<string, Target[] | null>();
    chosen.set(route, memo);
    const key = [...avoided].join();
    const known = memo.get(key);
    const targets =
      known === undefined
        ? chooseTargets(route, allBuckets, { excluded: new Set(), avoided })
        : known;
    memo.set(key, targets);
    if (targets === null) throw new EngineUnavailable("no_copy");
    return targets;
  }

  /** The answers for the target's buckets: its own, or those of other hosts if it fails or is late. */
  async function answersFor<T>(call: Call<T>, target: Target): Promise<T[]> {
    const { route, ask } = call;
    const excluded = new Set([...call.excluded, target.host.host]);
    const others = () =>
      chooseTargets(route, target.buckets, { excluded, avoided: avoidedOf(route) });
    const askOthers = (targets: readonly Target[]) => askAll({ ...call, excluded }, targets);
    const own = requests.send(target, ask).then((answer) => [answer]);
    const settled = new AbortController();
    const late = clock.sleep(lateAfterMs, settled.signal).then((): "late" => "late");
    try {
      if ((await Promise.race([own, late])) !== "late") return await own;
    } catch (error) {
      const targets = error instanceof EngineUnavailable ? others() : null;
      if (targets === null) throw error;
      return await askOthers(targets);
    } finally {
      settled.abort();
    }
    requests.noteLate(target);
    const targets = others();
    // Where all copies are late the cause is the load, and more requests would add to it.
    if (targets === null || targets.some(({ host }) => requests.isAvoided(host.host))) return own;
    return firstOf(own, askOthers(targets));
  }

  async function askAll<T>(call: Call<T>, targets: readonly Target[]): Promise<T[]> {
    return (await Promise.all(targets.map((target) => answersFor(call, target)))).flat();
  }

  return {
    readTargets: async () => chooseAll(await readRoute()),
    async gather<T>(ask: Ask<T>): Promise<T[]> {
      const route = await readRoute();
      return askAll({ route, ask, excluded: new Set() }, chooseAll(route));
    },
  };
}

/** The first that succeeds; the failure of the first if none does. */
async function firstOf<T>(one: Promise<T>, other: Promise<T>): Promise<T> {
  try {
    return await Promise.any([one, other]);
  } catch {
    return one;
  }
}
