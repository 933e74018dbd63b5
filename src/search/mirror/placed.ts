import { sql } from "drizzle-orm";
import { idList } from "../../db/rows.ts";
import type { Db } from "../../db/open.ts";
import type { Logger } from "../../lib/logger.ts";
import { defaultWriteTimeoutMs, type Engine } from "../engine/engine.ts";
import { awaitWrite } from "./writes/settle.ts";
import { hostOf } from "./indexes/hosts.ts";
import type { MirrorIndex } from "./indexes/indexes.ts";
import type { Prover } from "./proof/prove.ts";
import { beforeAll } from "./proof/reconcile.ts";
import type { Writer } from "./writes/writer.ts";

const restMs = 250;
const deletedAtOnce = 1000;

/** The buckets of one of several search hosts. For the only host it does nothing. */
export function createPlacedIndex(options: {
  db: Db;
  logger: Logger;
  engine: Engine;
  writer: Writer;
  prover: Prover;
  /** How long a leaving bucket may still be searched by a process that has not read of it yet. */
  leaveAfterMs: number;
}) {
  const { db, logger, engine, writer, prover } = options;
  const leftBefore = sql`clock_timestamp() - ${options.leaveAfterMs} * interval '1 millisecond'`;
  /** Rows up to this id were looked through for leaving buckets. */
  let position = beforeAll;

  async function advanceFilling(indexUid: string): Promise<number> {
    const proof = await prover.proveNext(indexUid);
    if (proof !== "proven") return proof === "next" ? 0 : restMs;
    const served = await writer.transact(async (tx) => {
      // Locked: whoever adds buckets changes this row in the same transaction.
      const ready = await tx.execute(sql`
        select from mirror_index where index_uid = ${indexUid} and state = 'serving'
          and entered_to is null and reset_after is null for update`);
      if (ready.length === 0) return 0;
      const rows = await tx.execute(sql`
        update search_placement set state = 'serving', changed_at = clock_timestamp()
        where host = ${hostOf(indexUid)} and state = 'filling' returning bucket`);
      return rows.length;
    });
    logger.info({ index: indexUid, buckets: served }, "buckets are proven and searched here");
    return 0;
  }

  /** Deletes by id, as everywhere. A row that comes back meanwhile is dirty, and is sent as a deletion. */
  async function deleteLeaving(indexUid: string): Promise<number> {
    const leaving = sql`select bucket from search_placement
      where host = ${hostOf(indexUid)} and state = 'leaving' and changed_at < ${leftBefore}`;
    const rows = await db.execute<{ item_id: number }>(sql`
      select item_id from mirror where index_uid = ${indexUid} and item_id > ${position}
        and search_bucket(item_id) in (${leaving}) order by item_id limit ${deletedAtOnce}`);
    const ids = rows.map((row) => row.item_id);
    const last = ids.at(-1);
    if (last !== undefined) {
      writer.requireTrust(defaultWriteTimeoutMs);
      await awaitWrite(options, await engine.deleteDocuments(indexUid, ids));
      await writer.transact((tx) =>
        tx.execute(sql`
          delete from mirror where index_uid = ${indexUid}
            and item_id in ${idList(ids)}
            and search_bucket(item_id) in (${leaving})`),
      );
      position = last;
      return 0;
    }
    if (position === beforeAll) {
      await writer.transact((tx) =>
        tx.execute(sql`
          delete from search_placement where host = ${hostOf(indexUid)} and bucket in (${leaving})`),
      );
      logger.info({ index: indexUid }, "buckets that moved to other hosts are deleted");
    }
    position = beforeAll;
    return 0;
  }

  return {
    /** Proves buckets that are being filled, then deletes those that leave; returns the pause before the next part. */
    async advance(index: MirrorIndex): Promise<number> {
      const { indexUid } = index;
      const host = hostOf(indexUid);
      if (host === 0 || index.state !== "serving") return restMs;
      if (index.enteredTo !== null || index.isResetting) {
        prover.forget(indexUid);
        return restMs;
      }
      const rows = await db.execute<{ state: string }>(sql`
        select distinct state from search_placement where host = ${host}
          and (state = 'filling' or (state = 'leaving' and changed_at < ${leftBefore}))`);
      const states = rows.map((row) => row.state);
      if (states.includes("filling")) return advanceFilling(indexUid);
      return states.includes("leaving") ? deleteLeaving(indexUid) : restMs;
    },
  };
}
