import type { Clock } from "../../lib/clock.ts";
import type { Logger } from "../../lib/logger.ts";
import { excludeHost, placementTrustMs } from "./indexes/hosts.ts";
import type { MirrorIndex } from "./indexes/indexes.ts";
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
  /** The number of the host; 0: the only one. */
  host: number;
  /** How often to check again. */
  checkEveryMs: number;
}

/**
 * Whether the engine still has an index with its settings and documents. One that has lost them is filled
 * from the catalogue again.
 */
export function createReadiness(options: ReadinessOptions) {
  const { clock, logger, writer, keeper, losses, prover, host, checkEveryMs } = options;
  const checkedAtMs = new Map<string, number>();

  /** Looks at the engine if the last check is too long ago. */
  async function check(index: MirrorIndex): Promise<boolean> {
    const uid = index.indexUid;
    const checked = checkedAtMs.get(uid);
    if (checked !== undefined && clock.monotonicMs() - checked < checkEveryMs) return true;
    checkedAtMs.delete(uid);
    const mayBeWritten = await keeper.ensure(index, async (what) => {
      if (!index.isResetting)
        logger.info({ index: uid }, "filling the search index from the catalogue");
      await fillAnew(index, what === "documents" || (await losses.findLoss(index)) !== null);
    });
    if (!mayBeWritten) return false;
    const loss = await losses.findLoss(index);
    if (loss !== null) {
      logger.warn({ index: uid }, `${loss}; filling it from the catalogue`);
      await fillAnew(index, true);
      return false;
    }
    checkedAtMs.set(uid, clock.monotonicMs());
    return true;
  }

  async function fillAnew(index: MirrorIndex, isLacking: boolean): Promise<void> {
    const uid = index.indexUid;
    prover.forget(uid);
    const wasSearched = await writer.transact(async (tx) => {
      await markIndexLost(tx, uid);
      if (host > 0) return index.state === "serving" && (await excludeHost(tx, host));
      return isLacking && (await excludeIndex(tx, uid));
    });
    // Until all processes have read of it: an empty index would answer for a full one.
    if (wasSearched) await clock.sleep(2 * placementTrustMs);
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
