import type postgres from "postgres";
import type { Db } from "../open.ts";
import type { ReplicaWatch } from "./watch.ts";
import { unlessAborted } from "../../lib/async.ts";
import { openGuardedPool } from "../guarded-pool.ts";
import { databaseErrorCode, isDiskFault, isExhausted, isOutage } from "../transact.ts";

/** Cancelled by the replay of what the primary has removed or locked, a deadlock with it, or a limit of the replica's own. */
const conflicts = new Set(["40001", "40P01", "53400"]);

/**
 * A pool for reads only. Each statement or transaction goes to the replica while it is used, and if it fails there
 * because of the replica, or the replica stops answering, once again to the primary.
 */
export function readFromReplica(primary: Db, replica: Db, watch: ReplicaWatch): Db {
  async function ask<T>(work: (client: postgres.Sql) => Promise<T>): Promise<T> {
    if (!watch.isUsed()) return work(primary.$client);
    const failed = watch.failed();
    try {
      return await unlessAborted(work(replica.$client), failed);
    } catch (error) {
      if (isOutage(error)) watch.fail(`a read failed with ${databaseErrorCode(error)}`);
      else if (error !== failed.reason && !isOfReplica(error)) throw error;
      return work(primary.$client);
    }
  }

  return openGuardedPool(primary.$client.options, ask);
}

function isOfReplica(error: unknown): boolean {
  return isExhausted(error) || isDiskFault(error) || conflicts.has(databaseErrorCode(error) ?? "");
}
