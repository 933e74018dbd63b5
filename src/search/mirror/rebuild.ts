import { sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/open.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Logger } from "../../lib/logger.ts";
import { EngineRefused, type Engine } from "../engine/engine.ts";
import {
  defaultIndexPrefix,
  enterProducts,
  forgetIndex,
  forgetRows,
  openMirrorIndex,
  switchServing,
  type MirrorIndex,
} from "./indexes.ts";
import type { Writer } from "./writer.ts";
import { beforeAll, verifyAfter } from "./reconcile.ts";

/**
 * Begins a new index beside the serving one. The mirror fills it, verifies it and then switches to it.
 * Returns its name, also if a rebuild was already running.
 */
export async function startRebuild(db: Db | Tx, indexPrefix = defaultIndexPrefix): Promise<string> {
  // Known to the mirror that fills it, which enters it when it switches.
  return openMirrorIndex(db, { prefix: indexPrefix, state: "building", settingsHash: "" });
}

export interface Rebuilder {
  /** Copies or verifies the next part of an index; returns the pause before the next part. */
  advance(index: MirrorIndex): Promise<number>;
  /** Deletes a replaced index after a day. */
  retire(index: MirrorIndex): Promise<void>;
}

export interface RebuilderOptions {
  db: Db;
  clock: Clock;
  logger: Logger;
  engine: Engine;
  writer: Writer;
  prefix: string;
  settingsHash: string;
}

const keepRetiredMs = 86_400_000;
const restMs = 250;

/** After a crash the proof begins again. */
export function createRebuilder(options: RebuilderOptions): Rebuilder {
  const { db, clock, logger, engine, writer, prefix, settingsHash } = options;
  /** By index: its documents up to this id are proven. */
  const proven = new Map<string, number>();

  async function prove(index: MirrorIndex): Promise<number> {
    if (await isBehind(db, index.indexUid)) return restMs;
    const versions = { db, engine, toDocument: null };
    const { report, next } = await verifyAfter(
      versions,
      index.indexUid,
      proven.get(index.indexUid) ?? beforeAll,
    );
    const { missing, stale, stray } = report;
    if (missing + stale + stray > 0) {
      logger.warn(
        { index: index.indexUid, ...report },
        "the new index differed; it is being repaired",
      );
      return restMs;
    }
    if (next !== null) {
      proven.set(index.indexUid, next);
      return 0;
    }
    await writer.transact((tx) =>
      switchServing(tx, { prefix, indexUid: index.indexUid, settingsHash }),
    );
    proven.delete(index.indexUid);
    logger.info({ index: index.indexUid }, "searches are answered from the new index");
    return 0;
  }

  return {
    async advance(index) {
      if (index.enteredTo !== null) {
        await enterProducts(db, index.indexUid);
        return 0;
      }
      return index.state === "building" ? prove(index) : restMs;
    },
    async retire(index) {
      if (await forgetRows(db, index.indexUid, 10_000)) return;
      const sinceMs = clock.now().getTime() - (index.switchedAt?.getTime() ?? 0);
      if (sinceMs < keepRetiredMs) return;
      try {
        await engine.awaitTask(await engine.deleteIndex(index.indexUid), 5000);
      } catch (error) {
        if (!(error instanceof EngineRefused) || error.code !== "index_not_found") throw error;
      }
      await forgetIndex(db, index.indexUid);
    },
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
