import type { PoolLimits } from "./resources.ts";

/** Longer than a migration's statement waits for its lock, while readers wait behind it. */
const lockTimeoutMs = 2000;

/**
 * Each use has a pool of its own, so that slow searches cannot starve the crawler. `share` divides what
 * is left after every pool has `least`.
 */
const pools = {
  api: { least: 2, share: 8, statementTimeoutMs: 5000, lockTimeoutMs },
  "api-writes": { least: 2, share: 2, statementTimeoutMs: 5000 },
  // Less than the statement may take, so that waiting for a lock is told from being slow.
  search: { least: 2, share: 2, statementTimeoutMs: 1500, lockTimeoutMs: 1400 },
  ops: { least: 2, share: 2, statementTimeoutMs: 8000, lockTimeoutMs },
  // Many loops share it: those that a locked table concerns must not keep it from the others.
  jobs: { least: 2, share: 2, statementTimeoutMs: 60_000, lockTimeoutMs },
  mirror: { least: 2, share: 2, statementTimeoutMs: 60_000 },
  // A locked table must not keep the planner from what else it may ask for.
  crawl: { least: 2, share: 4, statementTimeoutMs: 30_000, lockTimeoutMs },
  exports: { least: 1, share: 0, statementTimeoutMs: 60_000 },
  progress: { least: 1, share: 0, statementTimeoutMs: 5000 },
} as const;

export type PoolName = keyof typeof pools;

const ofApi = ["api", "api-writes", "search", "ops"] as const;
const ofWorker = ["mirror", "crawl", "exports", "progress"] as const;

/** The fewest connections with which a process of both roles works. */
export const fewestConnections = 16;

/**
 * The limits of the pools of a process with these roles, which together open at most `total`
 * connections (at least `fewestConnections`).
 */
export function allotPools(
  total: number,
  roles: { api: boolean; worker: boolean },
): Record<PoolName, PoolLimits> {
  const open: readonly PoolName[] = [
    "jobs",
    ...(roles.api ? ofApi : []),
    ...(roles.worker ? ofWorker : []),
  ];
  const sum = (part: "least" | "share") => open.reduce((n, name) => n + pools[name][part], 0);
  const left = total - sum("least");
  const limitsOf = (name: PoolName): PoolLimits => {
    const { least, share, ...limits } = pools[name];
    return { maxConnections: least + Math.floor((left * share) / sum("share")), ...limits };
  };
  const names = Object.keys(pools) as PoolName[];
  return Object.fromEntries(names.map((name) => [name, limitsOf(name)])) as Record<
    PoolName,
    PoolLimits
  >;
}
