import { sql } from "drizzle-orm";
import { createBackoff } from "../lib/backoff.ts";
import type { Clock } from "../lib/clock.ts";
import type { Db, Tx } from "./open.ts";

/** The code of a statement that waited for a lock for longer than its pool allows. */
export const lockTimeout = "55P03";

/** Deadlock, serialization failure, lock timeout: the same transaction succeeds when run again. */
const conflicts = new Set(["40P01", "40001", lockTimeout]);
/** The server cannot be reached or written to: shutdown, failover, read-only standby, lost connections. */
const outages = new Set(
  [
    // Of Postgres, of the driver, of the system.
    "57P01 57P02 57P03 57P05 25006 25P03 08000 08001 08003 08004 08006",
    "CONNECTION_CLOSED CONNECTION_ENDED CONNECTION_DESTROYED CONNECT_TIMEOUT",
    "EAI_AGAIN ECONNREFUSED ECONNRESET EHOSTUNREACH ENETUNREACH ENOTFOUND EPIPE ETIMEDOUT",
  ].flatMap((codes) => codes.split(" ")),
);

/** The SQLSTATE or driver code of a database failure, also when drizzle has wrapped it; null for other errors. */
export function databaseErrorCode(error: unknown): string | null {
  return databaseError(error)?.code ?? null;
}

function databaseError(error: unknown): { code: string; severity: unknown } | null {
  for (let e = error; e instanceof Error; e = e.cause) {
    if ("code" in e && typeof e.code === "string") {
      return { code: e.code, severity: "severity" in e ? e.severity : null };
    }
  }
  return null;
}

export function isOutage(error: unknown): boolean {
  const { code = "", severity } = databaseError(error) ?? {};
  // pgbouncer has this code for a server that it cannot reach; Postgres itself, for a statement that it
  // refuses. Postgres always tells the severity ("V"), pgbouncer 1.18 does not.
  if (code === "08P01") return severity !== "ERROR";
  // Whatever ends or refuses the connection is not about the statement: another password, a renamed database.
  return outages.has(code) || (severity === "FATAL" && !exhausted.test(code));
}

/** Disk full, out of memory, too many connections: Postgres runs but cannot write now. */
const exhausted = /^53/;

/** The statement needs more than one may have (`temp_file_limit`): others succeed. */
const isOverLimit = (error: unknown) => databaseErrorCode(error) === "53400";

/** The database answered and refused this statement; it may accept others. */
export function isRefusal(error: unknown): boolean {
  const code = databaseErrorCode(error) ?? "";
  return /^[0-9A-Z]{5}$/.test(code) && !isOutage(error) && !isExhausted(error);
}

export function isExhausted(error: unknown): boolean {
  return exhausted.test(databaseErrorCode(error) ?? "") && !isOverLimit(error);
}

/** Everything needs more memory than there is, or this statement alone. */
export function isMemoryFault(error: unknown): boolean {
  return databaseErrorCode(error) === "53200";
}

/** The disk does not give or take a block (class 58): all of it is away for now, or one block is damaged for ever. */
export function isDiskFault(error: unknown): boolean {
  return databaseErrorCode(error)?.startsWith("58") ?? false;
}

/** The statement, or its wait for a lock, took longer than its pool allows. */
export function isTimeout(error: unknown): boolean {
  return ["57014", lockTimeout].includes(databaseErrorCode(error) ?? "");
}

/** The database cannot serve this now, and may serve it soon. */
export function isUnavailable(error: unknown): boolean {
  return (
    isOutage(error) ||
    isExhausted(error) ||
    isOverLimit(error) ||
    isDiskFault(error) ||
    isTimeout(error)
  );
}

const attempts = 6;

/**
 * Runs `work` in one transaction and repeats it after conflicts and outages (at most 6 times in about
 * 10 s). A commit may have succeeded although the connection was lost, so `work` must notice its own
 * earlier success.
 */
export async function transact<T>(db: Db, clock: Clock, work: (tx: Tx) => Promise<T>): Promise<T> {
  const backoff = createBackoff({ firstMs: 50, maxMs: 5000 });
  for (;;) {
    try {
      return await db.transaction(work);
    } catch (error) {
      const isConflict = conflicts.has(databaseErrorCode(error) ?? "");
      const pauseMs = backoff.nextMs();
      if (!(isConflict || isOutage(error)) || backoff.attempts() >= attempts) throw error;
      await clock.sleep(isConflict ? Math.min(pauseMs, 200) : pauseMs);
    }
  }
}

/**
 * Work on the side, which the rest of the transaction, or the planner, does not need: false, and nothing is written, where
 * it waited in vain for a row or table that somebody holds.
 */
export async function unlessHeld(
  db: Db | Tx,
  work: (part: Tx) => Promise<unknown>,
): Promise<boolean> {
  try {
    await db.transaction(async (part) => {
      await part.execute(sql`set local lock_timeout = '1s'`);
      await work(part);
    });
    return true;
  } catch (error) {
    if (databaseErrorCode(error) !== lockTimeout) throw error;
    return false;
  }
}
