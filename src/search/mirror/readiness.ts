import type { Clock } from "../../lib/clock.ts";
import type { Logger } from "../../lib/logger.ts";
import { excludeHost, hostOf, placementTrustMs } from "./indexes/hosts.ts";
import { leaveIndex, type MirrorIndex } from "./indexes/indexes.ts";
import type { LossWatch } from "./proof/loss.ts";
import type { Prover } from "./proof/prove.ts";
import type { IndexKeeper } from "./settings-keeper.ts";
import { excludeIndex, markIndexLost } from "./writes/reset.ts";
import type { Writer } from "./writes/writer.ts";

export interface ReadinessOptions {
  clock: Clock;
  logger: Logger;
  writer: Writer;
  keeper: IndexKeeper;
  losses: LossWatch;
  prover: Prover;
  prefix: string;
  /** How often to check again. */
  checkEveryMs: number;
}

/**
 * Whether the engine still has an index with its settings and documents. One that has lost them is filled
 * from the catalogue again.
 */
export function createReadiness(options: ReadinessOptions) {
  const { clock, logger, writer, keeper, losses, prover, prefix, checkEveryMs } = options;
  const host = hostOf(prefix);
  const checkedAtMs = new Map<string, number>();

  /** Looks at the engine if the last check is too long ago. */
  async function check(index: MirrorIndex): Promise<boolean> {
    const uid = index.indexUid;
    const checked = checkedAtMs.get(uid);
    if (checked !== undefined && clock.monotonicMs() - checked < checkEveryMs) return true;
    checkedAtMs.delete(uid);
    const state = await keeper.ensure(index, async (what) => {
      const isLacking = what === "documents" || (await losses.findLoss(index)) !== null;
      const wasSearched = await fillAnew(index, isLacking);
      if (wasSearched)
        logger.warn(
          { index: uid },
          "the search engine lost this index; filling it from the catalogue",
        );
      else if (!index.isResetting)
        logger.info({ index: uid }, "filling the search index from the catalogue");
    });
    if (state === "foreign") await leave(index);
    if (state !== "ready") return false;
    const loss = await losses.findLoss(index);
    if (loss !== null) {
      logger.warn({ index: uid }, `${loss}; filling it from the catalogue`);
      await fillAnew(index, true);
      return false;
    }
    checkedAtMs.set(uid, clock.monotonicMs());
    return true;
  }

  /** Whether searches used it until now. */
  async function fillAnew(index: MirrorIndex, isLacking: boolean): Promise<boolean> {
    const uid = index.indexUid;
    prover.forget(uid);
    const wasSearched = await writer.transact(async (tx) => {
      await markIndexLost(tx, uid);
      if (host > 0) return index.state === "serving" && (await excludeHost(tx, host));
      return isLacking && (await excludeIndex(tx, uid));
    });
    // Until all processes have read of it: an empty index would answer for a full one.
    if (wasSearched) await clock.sleep(2 * placementTrustMs);
    return wasSearched;
  }

  /** Another database's index is not touched: a new one is filled in its place. */
  async function leave(index: MirrorIndex): Promise<void> {
    const indexUid = await writer.transact(async (tx) => {
      if (host > 0 && index.state === "serving") await excludeHost(tx, host);
      return leaveIndex(tx, prefix, index);
    });
    logger.warn(
      { index: index.indexUid, newIndex: indexUid },
      "another database fills this index, so a new one is made; if that database is gone, delete its index in Meilisearch",
    );
  }

  return {
    check,
    /** It passed its last check, and nothing has cast doubt on it since. */
    isReady: (uid: string) => checkedAtMs.has(uid),
    /** The next step checks it again before it writes. */
    doubt: (uid: string) => void checkedAtMs.delete(uid),
    doubtAll: () => checkedAtMs.clear(),
  };
}
