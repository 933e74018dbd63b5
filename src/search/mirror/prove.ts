import { sql } from "drizzle-orm";
import type { Db } from "../../db/open.ts";
import type { Logger } from "../../lib/logger.ts";
import type { Engine } from "../engine/engine.ts";
import { beforeAll, verifyAfter } from "./reconcile.ts";

export interface Prover {
  /**
   * Compares the next part of an index with the catalogue. `proven`: the whole of it is equal; the next call
   * begins again. `behind`: it is still being filled, or differed and is being repaired.
   */
  proveNext(indexUid: string): Promise<"proven" | "next" | "behind">;
  /** Forgets what was proven so far. */
  forget(indexUid: string): void;
}

export interface ProverOptions {
  db: Db;
  logger: Logger;
  engine: Engine;
}

/** After a crash the proof begins again. */
export function createProver({ db, logger, engine }: ProverOptions): Prover {
  /** For each index: its documents up to this id are proven. */
  const proven = new Map<string, number>();
  return {
    async proveNext(indexUid) {
      if (await isBehind(db, indexUid)) return "behind";
      const after = proven.get(indexUid) ?? beforeAll;
      const versions = { db, engine, toDocument: null };
      const { report, next } = await verifyAfter(versions, indexUid, after);
      const { missing, stale, stray } = report;
      if (missing + stale + stray > 0) {
        logger.warn({ index: indexUid, ...report }, "the new index differed; it is being repaired");
        return "behind";
      }
      if (next !== null) {
        proven.set(indexUid, next);
        return "next";
      }
      proven.delete(indexUid);
      return "proven";
    },
    forget: (indexUid) => void proven.delete(indexUid),
  };
}

/** Whether a row was never indexed or has waited for more than 5 seconds. */
async function isBehind(db: Db, indexUid: string): Promise<boolean> {
  const rows = await db.execute(sql`
    select 1 from mirror where index_uid = ${indexUid} and desired_version > indexed_version and dead_lettered_at is null
      and (indexed_version = 0 or dirty_since < clock_timestamp() - interval '5 seconds')
    union all select 1 from mirror_index where index_uid = ${indexUid} and reset_after is not null
    limit 1`);
  return rows.length > 0;
}
