import { holdsLease, releaseLease, takeLease, type Lease } from "../../db/lease.ts";
import type { Db, Tx } from "../../db/open.ts";
import { transact } from "../../db/transact.ts";
import type { Clock } from "../../lib/clock.ts";

/** Another process writes the index now; everything this one was about to do is void. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";
  constructor() {
    super("the mirror's lease is no longer ours");
  }
}

/** The right to write the search index, which exactly one process has at a time. */
export interface Writer {
  /** Takes or renews the right; false while another process has it. */
  renew(): Promise<boolean>;
  /** Before each write to the engine: throws LeaseLost unless the right outlasts `forMs`. */
  requireTrust(forMs: number): void;
  /** A transaction that commits only if the right still holds; else throws LeaseLost. */
  transact<T>(work: (tx: Tx, epoch: number) => Promise<T>): Promise<T>;
  /** The same, with all its reads in one snapshot. */
  transactSnapshot<T>(work: (tx: Tx, epoch: number) => Promise<T>): Promise<T>;
  release(): Promise<void>;
}

export interface WriterOptions {
  db: Db;
  clock: Clock;
  name: string;
  holder: string;
  ttlMs: number;
}

export function createWriter({ db, clock, name, holder, ttlMs }: WriterOptions): Writer {
  let lease: Lease | null = null;

  async function fenced<T>(
    isolation: "read committed" | "repeatable read",
    work: (tx: Tx, epoch: number) => Promise<T>,
  ): Promise<T> {
    const held = lease;
    if (!held) throw new LeaseLost();
    return transact(db, clock, async (tx) => {
      await tx.execute(`set transaction isolation level ${isolation}`);
      if (!(await holdsLease(tx, held))) throw new LeaseLost();
      return work(tx, held.epoch);
    });
  }

  return {
    async renew() {
      const freshForMs = lease ? lease.trustedUntilMs - clock.monotonicMs() : 0;
      // Renewed at a fifth of its life, so that a write may always count on most of it.
      if (freshForMs < ttlMs * 0.8 - 1000)
        lease = await takeLease(db, clock, { name, holder, ttlMs });
      return lease !== null;
    },
    requireTrust(forMs) {
      if (!lease || clock.monotonicMs() + forMs > lease.trustedUntilMs) throw new LeaseLost();
    },
    transact: (work) => fenced("read committed", work),
    transactSnapshot: (work) => fenced("repeatable read", work),
    async release() {
      if (lease) await releaseLease(db, lease);
      lease = null;
    },
  };
}
