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
import type { Prover } from "./prove.ts";

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
  prover: Prover;
  prefix: string;
  settingsHash: string;
}

const keepRetiredMs = 86_400_000;
const restMs = 250;

export function createRebuilder(options: RebuilderOptions): Rebuilder {
  const { db, clock, logger, engine, writer, prover, prefix, settingsHash } = options;
  async function prove(index: MirrorIndex): Promise<number> {
    const proof = await prover.proveNext(index.indexUid);
    if (proof !== "proven") return proof === "next" ? 0 : restMs;
    await writer.transact((tx) =>
      switchServing(tx, { prefix, indexUid: index.indexUid, settingsHash }),
    );
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
