import { EngineUnavailable } from "../engine/engine.ts";
import { createHostRequests, type Ask, type HostOptions } from "./host-requests.ts";
import { allBuckets, chooseTargets, type Route, type Target } from "./route.ts";

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
export function createGather(options: ClusterOptions) {
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
