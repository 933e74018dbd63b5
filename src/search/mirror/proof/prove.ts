import { sql } from "drizzle-orm";
import type { Db, Tx } from "../../../db/open.ts";
import type { Logger } from "../../../lib/logger.ts";
import type { Engine } from "../../engine/engine.ts";
import { beforeAll, verifyAfter } from "./reconcile.ts";
import type { Writer } from "../writes/writer.ts";

export type Prover = ReturnType<typeof createProver>;

interface Round {
  /** Of the lease: under another one, others may have emptied the index meanwhile. */
  epoch: number;
  /** What was marked until then must be indexed before anything is compared. */
  since: string;
  /** Documents up to this id are proven. */
  after: number;
}

/** After a crash the proof begins again. Changes that come while it lasts are pending, and do not hold it up. */
export function createProver(options: { db: Db; logger: Logger; engine: Engine; writer: Writer }) {
  const { db, logger, engine, writer } = options;
  const rounds = new Map<string, Round>();

  /** null: the index is still being filled, or lacks what was marked before the round began. */
  async function continueRound(tx: Tx, indexUid: string, epoch: number): Promise<Round | null> {
    const [index] = await tx.execute<{ now: string; resetting: boolean }>(sql`
      select clock_timestamp()::text as now, reset_after is not null as resetting
      from mirror_index where index_uid = ${indexUid}`);
    if (!index || index.resetting) {
      rounds.delete(indexUid);
      return null;
    }
    const known = rounds.get(indexUid);
    const round = known?.epoch === epoch ? known : { epoch, since: index.now, after: beforeAll };
    rounds.set(indexUid, round);
    const behind = await tx.execute(sql`
      select from mirror where index_uid = ${indexUid} and desired_version > indexed_version
        and dead_lettered_at is null and dirty_since <= ${round.since}::timestamptz limit 1`);
    return behind.length > 0 ? null : round;
  }

  return {
    /**
     * Compares the next part of an index with the catalogue. `proven`: the whole of it is equal; the next call
     * begins again. `behind`: it is still being filled, or differed and is being repaired.
     */
    async proveNext(indexUid: string): Promise<"proven" | "next" | "behind"> {
      const round = await writer.transact((tx, epoch) => continueRound(tx, indexUid, epoch));
      if (!round) return "behind";
      const versions = { db, engine, toDocument: null };
      const { report, next } = await verifyAfter(versions, indexUid, round.after);
      const { missing, stale, stray } = report;
      rounds.delete(indexUid);
      if (missing + stale + stray > 0) {
        logger.warn({ index: indexUid, ...report }, "the new index differed; it is being repaired");
        return "behind";
      }
      if (next === null) return "proven";
      rounds.set(indexUid, { ...round, after: next });
      return "next";
    },
    /** Forgets what was proven so far. */
    forget: (indexUid: string) => void rounds.delete(indexUid),
  };
}
