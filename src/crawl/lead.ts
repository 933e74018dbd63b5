import { randomUUID } from "node:crypto";
import { releaseLease, takeLease, type Lease } from "../db/lease.ts";
import type { Db } from "../db/open.ts";
import type { Clock } from "../lib/clock.ts";

/** Decides which of several workers plans the calls: one at a time, the holder of the lease `crawl`. */
export interface Lead {
  /** This worker's name as a holder of the lease. */
  readonly worker: string;
  /** Takes or renews the lease; false while another worker holds it or is to take it. */
  isOurs(): Promise<boolean>;
  /** Lets another worker lead, whose calls may succeed. This worker does not try again before `until`. */
  giveWay(until: Date): Promise<void>;
  /** Lets another worker lead at once. */
  release(): Promise<void>;
}

const TTL_MS = 6000;

export function createLead(db: Db, clock: Clock): Lead {
  const worker = randomUUID();
  let lease: Lease | null = null;
  let notBeforeMs = -Infinity;

  async function release(): Promise<void> {
    const held = lease;
    lease = null;
    if (held) await releaseLease(db, held);
  }

  return {
    worker,
    async isOurs() {
      if (clock.monotonicMs() < notBeforeMs) return false;
      if (lease && clock.monotonicMs() < lease.trustedUntilMs - TTL_MS / 2) return true;
      lease = await takeLease(db, clock, { name: "crawl", holder: worker, ttlMs: TTL_MS });
      return lease !== null;
    },
    async giveWay(until) {
      notBeforeMs = clock.monotonicMs() + until.getTime() - clock.now().getTime();
      await release();
    },
    release,
  };
}
