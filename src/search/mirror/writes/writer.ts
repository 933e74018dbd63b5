import { holdsLease, releaseLease, takeLease, type Lease } from "../../../db/lease.ts";
import type { Db, Tx } from "../../../db/open.ts";
import { transact } from "../../../db/transact.ts";
import type { Clock } from "../../../lib/clock.ts";

/** Another process writes the index now, so this process must stop writing. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";
  constructor() {
    super("the mirror's lease is no longer ours");
  }
}

export type Writer = ReturnType<typeof createWriter>;
type Work<T> = (tx: Tx, epoch: number) => Promise<T>;

const ttlMs = 15_000;

/** The right to write the search index. Exactly one process has it at a time. */
export function createWriter(options: { db: Db; clock: Clock; name: string; holder: string }) {
  const { db, clock, name, holder } = options;
  let lease: Lease | null = null;

  async function fenced<T>(
    isolation: "read committed" | "repeatable read",
    work: Work<T>,
  ): Promise<T> {
    const held = lease;
    if (!held) throw new LeaseLost();
    return transact(db, clock, async (tx) => {
      await tx.execute(`set transaction isolation level ${isolation}`);
      if (!(await holdsLease(tx, held))) throw new LeaseLost();
      return work(tx, held.epoch);
    });
  }

  /** Takes or renews the right; false while another process has it. */
  async function renew(): Promise<boolean> {
    const freshForMs = lease ? lease.trustedUntilMs - clock.monotonicMs() : 0;
    // Renewed after a fifth of its time, so that each write has most of it left.
    if (freshForMs < ttlMs * 0.8 - 1000)
      lease = await takeLease(db, clock, { name, holder, ttlMs });
    return lease !== null;
  }

  return {
    renew,
    /** Renews the right during a long step. Throws LeaseLost if another process may have had it meanwhile. */
    async keep(): Promise<void> {
      const epoch = lease?.epoch;
      await renew();
      if (!lease || lease.epoch !== epoch) throw new LeaseLost();
    },
    /** Call it before each write to the engine. Throws LeaseLost if the lease may end within `forMs`. */
    requireTrust(forMs: number): void {
      if (!lease || clock.monotonicMs() + forMs > lease.trustedUntilMs) throw new LeaseLost();
    },
    /** A transaction that commits only under the lease; otherwise throws LeaseLost. */
    transact: <T>(work: Work<T>): Promise<T> => fenced("read committed", work),
    /** `transact` with all reads in one snapshot. */
    transactSnapshot: <T>(work: Work<T>): Promise<T> => fenced("repeatable read", work),
    async release(): Promise<void> {
      if (lease) await releaseLease(db, lease);
      lease = null;
    },
  };
}
