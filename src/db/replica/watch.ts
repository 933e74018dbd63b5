import { sql } from "drizzle-orm";
import type { Clock } from "../../lib/clock.ts";
import type { Logger } from "../../lib/logger.ts";
import { within } from "../../lib/async.ts";
import { databaseIdentity } from "../identity.ts";
import type { Db } from "../open.ts";

export type ReplicaWatch = ReturnType<typeof watchReplica>;

const lookEveryMs = 1000;
/** A server that hangs is one that does not answer. */
const patienceMs = 1000;
/** A replica that is too far behind is read nevertheless after the primary has been silent for so long. */
const silenceMs = 5000;
/** About ten minutes. A replica that is further behind is said to be even further behind than it is. */
const mostSamples = 600;
const pollMs = 25;

/** The position in the write-ahead log up to which the primary had committed, at some moment or later. */
interface Sample {
  atMs: number;
  position: number;
}

/**
 * A streaming replica of the primary, as this process sees it. Compares positions in the write-ahead log, each with the moment before it was asked for: an idle primary
 * is no lag, a replica that receives nothing is, and no other clock than ours takes part.
 */
export function watchReplica(options: {
  /** Pools of their own, so that no read makes a look wait. */
  primary: Db;
  replica: Db;
  clock: Clock;
  logger: Logger;
  /** The replica is read while it is at most so far behind. */
  maxLagMs: number;
}) {
  const { primary, replica, clock, logger, maxLagMs } = options;
  let cluster: string | null = null;
  let samples: Sample[] = [];
  let completeToMs: number | null = null;
  let fault: string | null = "it has not been looked at yet";
  let good = 0;
  /**
   * So many good looks in a row bring the reads back, so that they do not go to and fro, and so that the
   * replica then has all that was written while it was left.
   */
  const goodLooks = Math.ceil(maxLagMs / lookEveryMs) + 1;
  /** Since when the primary does not answer, and whether the replica was read until then. */
  let silent: { sinceMs: number; wasUsed: boolean } | null = null;
  let failing = new AbortController();
  let wasUsed = false;
  const nextPosition = createNextPosition(replica, clock);

  const lagMs = () => (completeToMs === null ? Infinity : clock.monotonicMs() - completeToMs);
  /** Whether reads go to the replica now. */
  const isUsed = () => {
    if (fault !== null) return false;
    if (silent) return silent.wasUsed || clock.monotonicMs() - silent.sinceMs > silenceMs;
    return good >= goodLooks && lagMs() <= maxLagMs;
  };

  async function lookAtPrimary(): Promise<void> {
    const atMs = clock.monotonicMs();
    const [found] = await Promise.allSettled([within(clock, patienceMs, readPrimary(primary))]);
    if (found.status === "rejected") {
      silent ??= { sinceMs: atMs, wasUsed: isUsed() };
      return;
    }
    silent = null;
    cluster = found.value.cluster;
    samples.push({ atMs, position: found.value.position });
    if (samples.length > mostSamples) samples.shift();
  }

  function note(position: number): void {
    const reached = samples.findLast((sample) => sample.position <= position);
    if (!reached) return;
    completeToMs = reached.atMs;
    samples = samples.filter(({ atMs }) => atMs >= reached.atMs);
  }

  async function lookAtReplica(): Promise<string | null> {
    const [found] = await Promise.allSettled([within(clock, patienceMs, readReplica(replica))]);
    if (found.status === "rejected") return "it does not answer";
    const { isStandby, position } = found.value;
    // With a silent primary, one that was promoted is the only one that answers.
    if (position === null || !(isStandby || silent)) return "it is no streaming replica";
    if (found.value.cluster !== cluster) {
      return "it is of another database, or has another version of the schema";
    }
    note(position);
    return null;
  }

  /** A read failed because of the replica: reads go to the primary until it has been good for some seconds. */
  function fail(reason: string): void {
    fault = reason;
    good = 0;
    failing.abort();
    tell();
  }

  function recover(): void {
    fault = null;
    if (failing.signal.aborted) failing = new AbortController();
    if (!silent && lagMs() > maxLagMs) good = 0;
    else if (good > 0 || lagMs() <= maxLagMs / 2) good += 1;
  }

  /** Logs each change of where reads go. */
  function tell(): void {
    const used = isUsed();
    if (used === wasUsed) return;
    wasUsed = used;
    if (used) logger.info("reads go to the replica");
    else logger.warn({ reason: fault ?? "it is too far behind" }, "reads go to the primary");
  }

  return {
    /** A step for `runLoop`: looks at both servers, and returns the pause in milliseconds. */
    async look(): Promise<number> {
      await lookAtPrimary();
      const found = await lookAtReplica();
      if (found === null) recover();
      else fail(found);
      tell();
      return lookEveryMs;
    },
    isUsed,
    /** All that was committed up to then (`Clock.monotonicMs`) is on the replica; null: not known. */
    completeToMs: () => completeToMs,
    fail,
    /** Aborted once the replica fails; another one when it is good again. */
    failed: () => failing.signal,
    /**
     * Waits, at most for `maxLagMs`, until no process answers with less than the primary has now: the replica has it
     * too, or is too far behind to be read. Does not wait for a replica that this process cannot reach.
     */
    async catchUp(): Promise<void> {
      // Further behind, it is read by no process, and not before it has all that was written until then.
      if (fault !== null || lagMs() > 2 * maxLagMs) return;
      const untilMs = clock.monotonicMs() + maxLagMs;
      const [present] = await Promise.allSettled([within(clock, patienceMs, readPrimary(primary))]);
      while (present.status === "fulfilled" && fault === null && clock.monotonicMs() < untilMs) {
        if ((await nextPosition()) >= present.value.position) return;
      }
    },
  };
}

/** Returns what asks the replica for its position after a moment, once for all who wait. 0 if it does not answer. */
function createNextPosition(replica: Db, clock: Clock): () => Promise<number> {
  let asking: Promise<number> | null = null;
  async function ask(): Promise<number> {
    await clock.sleep(pollMs);
    const [found] = await Promise.allSettled([within(clock, patienceMs, readReplica(replica))]);
    asking = null;
    return found.status === "fulfilled" ? (found.value.position ?? 0) : 0;
  }
  return () => (asking ??= ask());
}

/** The cluster, the database in it, and the newest migration. */
const identity = sql`
  ${databaseIdentity} || '/' ||
  (select max(created_at) from drizzle.__drizzle_migrations)`;

async function readPrimary(db: Db): Promise<{ cluster: string; position: number }> {
  const [row] = await db.execute<{ cluster: string; position: number }>(sql`
    select ${identity} as cluster,
      pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::float8 as position`);
  if (!row) throw new Error("the primary does not tell its position");
  return row;
}

type ReplicaState = { isStandby: boolean; cluster: string; position: number | null };

async function readReplica(db: Db): Promise<ReplicaState> {
  const [row] = await db.execute<ReplicaState>(sql`
    select pg_is_in_recovery() as "isStandby", ${identity} as cluster,
      pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::float8 as position`);
  if (!row) throw new Error("the replica does not tell its state");
  return row;
}
