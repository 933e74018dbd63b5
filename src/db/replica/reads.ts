import type postgres from "postgres";
import type { Db } from "../open.ts";
import type { ReplicaWatch } from "./watch.ts";
import { openGuardedPool } from "../guarded-pool.ts";
import { databaseErrorCode, isDiskFault, isExhausted, isOutage } from "../transact.ts";

/** Cancelled by the replay of what the primary has removed or locked, a deadlock with it, or a limit of the replica's own. */
const conflicts = new Set(["40001", "40P01", "53400"]);

class ReplicaFailed extends Error {
  override readonly name = "ReplicaFailed";
}

/**
 * A pool for reads only. Each statement or transaction goes to the replica while it is used, and if it fails there
 * because of the replica, or the replica stops answering, once again to the primary.
 */
export function readFromReplica(primary: Db, replica: Db, watch: ReplicaWatch): Db {
  async function ask<T>(work: (client: postgres.Sql) => Promise<T>): Promise<T> {
    if (!watch.isUsed()) return work(primary.$client);
    try {
      return await unlessFailed(work(replica.$client), watch.failed());
    } catch (error) {
      if (isOutage(error)) watch.fail(`a read failed with ${databaseErrorCode(error)}`);
      else if (!isOfReplica(error)) throw error;
      return work(primary.$client);
    }
  }

  return openGuardedPool(primary.$client.options, ask);
}

function isOfReplica(error: unknown): boolean {
  return (
    error instanceof ReplicaFailed ||
    isExhausted(error) ||
    isDiskFault(error) ||
    conflicts.has(databaseErrorCode(error) ?? "")
  );
}

/** Does not wait longer for an answer of a replica that has failed. */
async function unlessFailed<T>(answer: Promise<T>, failed: AbortSignal): Promise<T> {
  let stop = () => {};
  const failure = new Promise<never>((_, reject) => {
    const end = () => reject(new ReplicaFailed("the replica does not answer"));
    if (failed.aborted) end();
    failed.addEventListener("abort", end, { once: true });
    stop = () => failed.removeEventListener("abort", end);
  });
  try {
    return await Promise.race([answer, failure]);
  } finally {
    stop();
  }
}
