import { sql } from "drizzle-orm";
import type { Clock } from "../lib/clock.ts";
import type { Db, Tx } from "./open.ts";

export interface Lease {
  readonly name: string;
  readonly holder: string;
  readonly epoch: number;
  /** This process may trust the lease until this moment of its monotonic clock. */
  readonly trustedUntilMs: number;
}

/**
 * Takes or renews the lease for `ttlMs`; returns null while another holder has it. The database's
 * clock decides when it expires, so hosts with wrong clocks agree. The holder trusts it for 1 s less,
 * measured from before the request on its own monotonic clock.
 */
export async function takeLease(
  db: Db,
  clock: Clock,
  request: { name: string; holder: string; ttlMs: number },
): Promise<Lease | null> {
  const askedAtMs = clock.monotonicMs();
  const rows = await db.execute<{ epoch: number }>(sql`
    insert into lease as l (name, holder, epoch, expires_at)
    values (${request.name}, ${request.holder}, 1, now() + ${request.ttlMs} * interval '1 ms')
    on conflict (name) do update set
      holder = excluded.holder,
      epoch = l.epoch + (l.holder <> excluded.holder or l.expires_at < now())::int,
      expires_at = excluded.expires_at
    where l.holder = excluded.holder or l.expires_at < now()
    returning epoch`);
  const row = rows[0];
  if (!row) {
    await shortenLease(db, request);
    return null;
  }
  return {
    name: request.name,
    holder: request.holder,
    epoch: row.epoch,
    trustedUntilMs: askedAtMs + request.ttlMs - 1000,
  };
}

/** Longer than clocks are set by in normal operation, and than terms differ between two versions. */
const far = sql`interval '1 minute'`;

/**
 * A lease that ends later than its term from now is of the time before the database's clock was set back. Its holder
 * may live and trust it for a term; if it was killed, everybody would wait until the former time comes again.
 */
async function shortenLease(
  db: Db,
  { name, ttlMs }: { name: string; ttlMs: number },
): Promise<void> {
  const term = sql`clock_timestamp() + ${ttlMs} * interval '1 ms'`;
  await db.execute(sql`
    update lease set expires_at = ${term} where name = ${name} and expires_at > ${term} + ${far}`);
}

export async function releaseLease(db: Db, held: Lease): Promise<void> {
  await db.execute(sql`
    update lease set expires_at = now() - interval '1 ms'
    where name = ${held.name} and holder = ${held.holder} and epoch = ${held.epoch}`);
}

/**
 * Call it before a write that only the holder may make. Locks the lease row; returns false if the
 * lease was lost.
 */
export async function holdsLease(tx: Tx, held: Lease): Promise<boolean> {
  const rows = await tx.execute(sql`
    select 1 from lease
    where name = ${held.name} and epoch = ${held.epoch} and expires_at > now() for share`);
  return rows.length === 1;
}

/**
 * Runs `work` under the lease and renews it in the background. The signal aborts as soon as the lease
 * can no longer be trusted. Resolves to null if another process has it.
 */
export async function underLease<T>(
  db: Db,
  clock: Clock,
  request: { name: string; holder: string; ttlMs: number },
  work: (lease: Lease, signal: AbortSignal) => Promise<T>,
): Promise<T | null> {
  const first = await takeLease(db, clock, request);
  if (!first) return null;
  const lost = new AbortController();
  const finished = new AbortController();
  const renew = async () => {
    let { trustedUntilMs } = first;
    while (!finished.signal.aborted) {
      await clock.sleep(request.ttlMs / 3, finished.signal);
      if (finished.signal.aborted) return;
      const renewed = await takeLease(db, clock, request).catch(() => undefined);
      if (renewed && renewed.epoch > first.epoch) {
        // It had ended, and another process may have worked under it meanwhile.
        lost.abort();
        await releaseLease(db, renewed).catch(() => {});
        return;
      }
      if (renewed) ({ trustedUntilMs } = renewed);
      else if (renewed === null || clock.monotonicMs() >= trustedUntilMs) lost.abort();
    }
  };
  const renewing = renew();
  try {
    return await work(first, lost.signal);
  } finally {
    finished.abort();
    await renewing;
    if (!lost.signal.aborted) await releaseLease(db, first);
  }
}
