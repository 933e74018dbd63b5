import type { Config } from "../config.ts";
import type { Db } from "../db/open.ts";
import { readFromReplica } from "../db/replica/reads.ts";
import { watchReplica, type ReplicaWatch } from "../db/replica/watch.ts";
import { refuseWhileLocked, refuseWhileSilent } from "../db/guarded-pool.ts";
import { startLoop } from "../lib/loop.ts";
import type { PoolName } from "./pools.ts";
import type { PoolLimits, Resources, Runtime } from "./resources.ts";

/** The pools that the query API and operators read from. */
export interface Reads {
  db: Db;
  searchDb: Db;
  /** Of operators, who write with it too. */
  opsDb: Db;
  /** null: there is none, and the primary answers everything. */
  replica: ReplicaWatch | null;
  close(): Promise<void>;
}

/** A busy server may need seconds to let a connection in, and to end a statement. */
const leastSilenceMs = 5000;
const watchLimits = { maxConnections: 1, statementTimeoutMs: 1000, silenceMs: 2000 };

/**
 * With a replica each pool exists twice, and opens connections only where it is used. So the primary never has more
 * of them than without a replica: the one that watches is taken from the pool of the API.
 */
export function openReads(
  config: Pick<Config, "replicaMaxLagSeconds">,
  resources: Pick<Resources, "pool" | "replicaPool">,
  pools: Record<PoolName, PoolLimits>,
  { clock, logger }: Runtime,
): Reads {
  const { pool, replicaPool } = resources;
  const closers: (() => Promise<void>)[] = [];
  const unlessSilent = (reads: Db, { statementTimeoutMs }: PoolLimits) => {
    const silenceMs = Math.max(statementTimeoutMs, leastSilenceMs);
    const guard = refuseWhileSilent(reads, { clock, logger, silenceMs });
    closers.push(guard.close);
    return guard.db;
  };
  const opsDb = unlessSilent(pool("ops", pools.ops), pools.ops);
  const close = async () => void (await Promise.all(closers.map((stop) => stop())));
  if (replicaPool === null) {
    const reads = (name: "api" | "search") =>
      refuseWhileLocked(unlessSilent(pool(name, pools[name]), pools[name]));
    return { db: reads("api"), searchDb: reads("search"), opsDb, replica: null, close };
  }
  const replica = watchReplica({
    primary: pool("replica-watch", watchLimits),
    replica: replicaPool("replica-watch", watchLimits),
    clock,
    logger,
    maxLagMs: config.replicaMaxLagSeconds * 1000,
  });
  closers.push(startLoop({ name: "replica", clock, logger, step: replica.look }));
  const reads = (name: "api" | "search", limits: PoolLimits) => {
    const both = readFromReplica(pool(name, limits), replicaPool(name, pools[name]), replica);
    return refuseWhileLocked(unlessSilent(both, limits));
  };
  return {
    db: reads("api", { ...pools.api, maxConnections: pools.api.maxConnections - 1 }),
    searchDb: reads("search", pools.search),
    opsDb,
    replica,
    close,
  };
}
