import type { Logger } from "../../lib/logger.ts";
import type { Engine, TaskTicket } from "../engine/engine.ts";
import type { MirrorIndex } from "./indexes.ts";
import { compareSettings, desiredSettings } from "../index/settings.ts";

export interface IndexKeeper {
  /**
   * Compares the engine's index with its required state and repairs it, one task at a time. Returns
   * true if the index may be written. `onLost` commits before the engine gets any request, so that a
   * crash in between cannot hide the loss.
   */
  ensure(index: MirrorIndex, onLost: () => Promise<void>): Promise<boolean>;
}

export function createIndexKeeper(engine: Engine, logger: Logger): IndexKeeper {
  const pending = new Map<string, TaskTicket>();

  async function mend(index: MirrorIndex, onLost: () => Promise<void>): Promise<TaskTicket | null> {
    const uid = index.indexUid;
    const found = await engine.readIndex(uid);
    if (!found) {
      await onLost();
      return engine.createIndex(uid);
    }
    if (found.primaryKey !== "id") {
      logger.warn(
        { index: uid, primaryKey: found.primaryKey },
        "replacing an index made by others",
      );
      await onLost();
      return engine.deleteIndex(uid);
    }
    const state = compareSettings(await engine.readSettings(uid), index.epoch);
    if (state === "equal") return null;
    if (state === "foreign") await onLost();
    else logger.warn({ index: uid }, "index settings had changed; they are set again");
    return engine.writeSettings(uid, desiredSettings(index.epoch));
  }

  return {
    async ensure(index, onLost) {
      const waitingFor = pending.get(index.indexUid);
      if (waitingFor) {
        const [task] = await engine.readTasks([waitingFor.taskUid]);
        if (task?.status === "enqueued" || task?.status === "processing") return false;
        if (task?.error)
          logger.warn({ index: index.indexUid, err: task.error }, "index task failed");
        pending.delete(index.indexUid);
      }
      const ticket = await mend(index, onLost);
      if (ticket) pending.set(index.indexUid, ticket);
      return ticket === null;
    },
  };
}
