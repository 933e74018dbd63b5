import type { Db, Tx } from "../../db/open.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Logger } from "../../lib/logger.ts";
import type { Engine, TaskTicket } from "../engine/engine.ts";
import { isForeign } from "../index/settings.ts";
import {
  defaultIndexPrefix,
  enterProducts,
  forgetIndex,
  forgetRows,
  markSearched,
  openMirrorIndex,
  readMirrorIndexes,
  switchServing,
  type MirrorIndex,
} from "./indexes/indexes.ts";
import { takeOver } from "./writes/reset.ts";
import type { Writer } from "./writes/writer.ts";
import type { Prover } from "./proof/prove.ts";

/**
 * Begins a new index beside the serving one. The mirror fills it, verifies it and then switches to it.
 * Returns its name, also if a rebuild was already running.
 */
export async function startRebuild(db: Db | Tx, indexPrefix = defaultIndexPrefix): Promise<string> {
  // Known to the mirror that fills it, which enters it.
  return openMirrorIndex(db, { prefix: indexPrefix, state: "building", settingsHash: "" });
}

const keepRetiredMs = 86_400_000;
const restMs = 250;

export function createRebuilder(options: {
  db: Db;
  clock: Clock;
  logger: Logger;
  engine: Engine;
  writer: Writer;
  prover: Prover;
  prefix: string;
  settingsHash: string;
}) {
  const { db, clock, logger, engine, writer, prover, prefix, settingsHash } = options;
  const deletions = new Map<string, TaskTicket>();

  async function prove(index: MirrorIndex): Promise<number> {
    const proof = await prover.proveNext(index.indexUid);
    if (proof !== "proven") return proof === "next" ? 0 : restMs;
    await writer.transact((tx) =>
      index.isToProve
        ? markSearched(tx, index.indexUid)
        : switchServing(tx, { prefix, indexUid: index.indexUid, settingsHash }),
    );
    logger.info({ index: index.indexUid }, "searches are answered from this index");
    return 0;
  }

  /** Asks for the deletion once at a time, and waits for none: other indexes are written meanwhile. */
  async function isDeleted({ indexUid: uid, epoch }: MirrorIndex): Promise<boolean> {
    const asked = deletions.get(uid);
    const [task] = asked ? await engine.readTasks([asked.taskUid]) : [];
    if (task?.status === "enqueued" || task?.status === "processing") return false;
    deletions.delete(uid);
    if ((await engine.readIndex(uid)) === null) return true;
    if (isForeign(await engine.readSettings(uid), epoch)) return true;
    deletions.set(uid, await engine.deleteIndex(uid));
    return false;
  }

  return {
    /**
     * All indexes of the prefix. Opens the one that searches need, or a new one beside it if documents or settings
     * have another form now.
     */
    async openIndexes(): Promise<MirrorIndex[]> {
      const indexes = await readMirrorIndexes(db, prefix);
      const serving = indexes.find((index) => index.state === "serving");
      const building = indexes.find((index) => index.state === "building");
      if (!serving) {
        await openMirrorIndex(db, { prefix, state: "serving", settingsHash });
      } else if (!building && serving.settingsHash !== settingsHash) {
        logger.info({ index: serving.indexUid }, "documents or settings changed; rebuilding");
        await openMirrorIndex(db, { prefix, state: "building", settingsHash });
      } else if (building && building.settingsHash !== settingsHash) {
        prover.forget(building.indexUid);
        await writer.transact((tx) => takeOver(tx, building.indexUid, settingsHash));
      } else {
        return indexes;
      }
      return readMirrorIndexes(db, prefix);
    },
    /** Copies or verifies the next part of an index; returns the pause before the next part. */
    async advance(index: MirrorIndex): Promise<number> {
      if (index.enteredTo !== null) {
        await enterProducts(db, index.indexUid);
        return 0;
      }
      return index.state === "building" || index.isToProve ? prove(index) : restMs;
    },
    /** Deletes a replaced index after a day; one that another database fills is only forgotten. */
    async retire(index: MirrorIndex): Promise<void> {
      if (await forgetRows(db, index.indexUid, 10_000)) return;
      const sinceMs = clock.now().getTime() - (index.switchedAt?.getTime() ?? 0);
      if (sinceMs < keepRetiredMs) return;
      if (await isDeleted(index)) await forgetIndex(db, index.indexUid);
    },
  };
}
