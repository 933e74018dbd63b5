import type { Clock } from "../../lib/clock.ts";
import { createBreaker, type Breaker } from "../engine/breaker.ts";
import type { SearchAnswer } from "../engine/answers.ts";
import {
  EngineRefused,
  EngineUnavailable,
  type Engine,
  type SearchEngine,
} from "../engine/engine.ts";
import { isStateFault } from "../engine/state-fault.ts";
import {
  mergeAnswers,
  mergeFacetValues,
  mergeFederated,
  toHostQuery,
  toMergeable,
} from "./merge.ts";
import { allBuckets, chooseTargets, type Route, type Target } from "./route.ts";

type Query = Record<string, unknown>;

/** late: others were asked too. */
export type HostOutcome = "answered" | "failed" | "late";

/** A host that has not answered after this is left out; others that have its buckets are asked too. */
const lateAfterMs = 400;

export interface ClusterOptions {
  clock: Clock;
  readRoute: () => Promise<Route>;
  engineOf: (url: string) => Engine;
  /** A cheap search that shows whether a host answers. */
  probe: Query;
  /** Told of every request to a host. */
  onAnswer?: (url: string, outcome: HostOutcome) => void;
}

export interface Cluster extends SearchEngine {
  /** The indexes that searches read now, with commas. Throws EngineUnavailable if a bucket has no host. */
  servingIndexes(): Promise<string>;
}

/** For so long after it was late or failed, a host is asked only for buckets that no other host has. */
const avoidMs = 1000;

/**
 * Several search hosts as one. Each bucket is searched at one host; hits, counts and facets are merged.
 * Throws EngineUnavailable if a bucket is at no host that answers.
 */
export function createCluster(options: ClusterOptions): Cluster {
  const { clock, readRoute, engineOf, probe } = options;
  const hosts = new Map<string, Host>();
  const avoidedUntilMs = new Map<number, number>();
  const chosen = new WeakMap<Route, Map<string, Target[] | null>>();

  function hostAt({ host: { url, indexUid } }: Target): Host {
    const host = hosts.get(url) ?? openHost(url);
    hosts.set(url, host);
    host.indexUid = indexUid;
    return host;
  }

  function openHost(url: string): Host {
    const engine = engineOf(url);
    const host: Host = {
      engine,
      indexUid: "",
      guarded: createBreaker({
        clock,
        firstMs: 500,
        maxMs: 5000,
        probe: () => engine.search(host.indexUid, probe),
      }),
    };
    return host;
  }

  function choose(route: Route, buckets: readonly number[], excluded: ReadonlySet<number>) {
    const avoided = new Set(route.hosts.map(({ host }) => host).filter(isAvoided));
    if (buckets !== allBuckets) return chooseTargets(route, buckets, { excluded, avoided });
    const memo = chosen.get(route) ?? new Map<string, Target[] | null>();
    chosen.set(route, memo);
    const key = [...avoided].join();
    const known = memo.get(key);
    if (known !== undefined) return known;
    const targets = chooseTargets(route, buckets, { excluded, avoided });
    memo.set(key, targets);
    return targets;
  }

  async function askHost<T>(target: Target, ask: Ask<T>): Promise<T> {
    const { engine, guarded } = hostAt(target);
    try {
      const answer = await guarded(() => ask(engine, target));
      options.onAnswer?.(target.host.url, "answered");
      return answer;
    } catch (error) {
      if (error instanceof EngineRefused && !isStateFault(error)) throw error;
      options.onAnswer?.(target.host.url, "failed");
      avoidedUntilMs.set(target.host.host, clock.monotonicMs() + avoidMs);
      throw error instanceof EngineRefused ? new EngineUnavailable(error.code, error) : error;
    }
  }

  /** The answers for the target's buckets: its own, or those of other hosts if it fails or is late. */
  async function answersFor<T>(call: Call<T>, target: Target): Promise<T[]> {
    const { route, ask } = call;
    const excluded = new Set([...call.excluded, target.host.host]);
    const others = () => choose(route, target.buckets, excluded);
    const askOthers = async (targets: readonly Target[]) =>
      (await Promise.all(targets.map((one) => answersFor({ ...call, excluded }, one)))).flat();
    const own = askHost(target, ask).then((answer) => [answer]);
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
    options.onAnswer?.(target.host.url, "late");
    avoidedUntilMs.set(target.host.host, clock.monotonicMs() + avoidMs);
    const targets = others();
    // Where all copies are late the cause is the load, and more requests would add to it.
    if (targets === null || targets.some(({ host }) => isAvoided(host.host))) return own;
    return firstOf(own, askOthers(targets));
  }

  function isAvoided(host: number): boolean {
    return (avoidedUntilMs.get(host) ?? 0) > clock.monotonicMs();
  }

  async function gather<T>(ask: Ask<T>): Promise<T[]> {
    const route = await readRoute();
    const excluded: ReadonlySet<number> = new Set();
    const targets = choose(route, allBuckets, excluded);
    if (targets === null) throw new EngineUnavailable("no_copy");
    const call = { route, ask, excluded };
    return (await Promise.all(targets.map((target) => answersFor(call, target)))).flat();
  }

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
      const targets = choose(await readRoute(), allBuckets, new Set());
      if (targets === null) throw new EngineUnavailable("no_copy");
      return targets.map(({ host }) => host.indexUid).join(",");
    },
  };
}

interface Host {
  engine: Engine;
  guarded: Breaker;
  /** Of the last search. */
  indexUid: string;
}

type Ask<T> = (engine: Engine, target: Target) => Promise<T>;

interface Call<T> {
  route: Route;
  ask: Ask<T>;
  /** Hosts that were asked already. */
  excluded: ReadonlySet<number>;
}

/** The first that succeeds; the failure of the first if none does. */
async function firstOf<T>(one: Promise<T>, other: Promise<T>): Promise<T> {
  try {
    return await Promise.any([one, other]);
  } catch {
    return one;
  }
}
