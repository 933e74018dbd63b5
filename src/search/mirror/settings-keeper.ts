import type { Clock } from "../../lib/clock.ts";
import type { Logger } from "../../lib/logger.ts";
import type { Engine, TaskTicket } from "../engine/engine.ts";
import type { MirrorIndex } from "./indexes/indexes.ts";
import type { Patience } from "./patience.ts";
import {
  compareSettings,
  desiredSettings,
  settingsHash,
  type IndexKind,
} from "../index/settings.ts";

export type IndexKeeper = ReturnType<typeof createIndexKeeper>;

/** doubtful: only the marker among its settings is gone, so the documents may be there. */
type OnLost = (what: "documents" | "doubtful") => Promise<void>;

/** After a task that failed: the next would probably fail as well, and the engine keeps each of them. */
const restMs = 5000;

export function createIndexKeeper(options: {
  engine: Engine;
  clock: Clock;
  logger: Logger;
  patience: Patience;
  kind: IndexKind;
}) {
  const { engine, clock, logger, patience, kind } = options;
  const pending = new Map<string, TaskTicket>();
  const restUntilMs = new Map<string, number>();

  async function mend(
    index: MirrorIndex,
    onLost: OnLost,
  ): Promise<TaskTicket | "ready" | "foreign"> {
    const uid = index.indexUid;
    const found = await engine.readIndex(uid);
    if (!found) {
      await onLost("documents");
      return engine.createIndex(uid);
    }
    if (found.primaryKey !== "id") {
      logger.warn(
        { index: uid, primaryKey: found.primaryKey },
        "replacing an index made by others",
      );
      await onLost("documents");
      return engine.deleteIndex(uid);
    }
    // An index in service that is about to be replaced would embed all its documents for nothing.
    const isOutdated = index.state === "serving" && index.settingsHash !== settingsHash(kind);
    const itsKind = isOutdated ? { ...kind, embedder: null } : kind;
    const state = compareSettings(await engine.readSettings(uid), index.epoch, itsKind);
    if (state === "equal") return "ready";
    if (state === "foreign") return "foreign";
    if (state === "drifted") {
      logger.warn({ index: uid }, "index settings had changed; they are set again");
    } else {
      await onLost("doubtful");
    }
    return engine.writeSettings(uid, desiredSettings(index.epoch, itsKind));
  }

  return {
    /**
     * Compares the engine's index with its required state and repairs it, one task at a time. `onLost` commits
     * before the engine gets any request, so that a crash in between cannot hide the loss. foreign: another
     * database fills the index, which therefore stays as it is. Only a ready one may be written.
     */
    async ensure(index: MirrorIndex, onLost: OnLost): Promise<"ready" | "repairing" | "foreign"> {
      if (clock.monotonicMs() < (restUntilMs.get(index.indexUid) ?? 0)) return "repairing";
      const waitingFor = pending.get(index.indexUid);
      if (waitingFor) {
        const [task] = await engine.readTasks([waitingFor.taskUid]);
        if (task?.status === "enqueued" || task?.status === "processing") {
          patience.waits(index.indexUid, task.taskUid);
          return "repairing";
        }
        pending.delete(index.indexUid);
        if (task?.error) {
          logger.warn({ index: index.indexUid, err: task.error }, "index task failed");
          restUntilMs.set(index.indexUid, clock.monotonicMs() + restMs);
          return "repairing";
        }
      }
      const mended = await mend(index, onLost);
      if (typeof mended === "string") return mended;
      pending.set(index.indexUid, mended);
      return "repairing";
    },
  };
}
