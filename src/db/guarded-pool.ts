import { drizzle } from "drizzle-orm/postgres-js";
import type postgres from "postgres";
import { sql } from "drizzle-orm";
import type { Db } from "./open.ts";
import * as schema from "./schema.ts";
import { databaseErrorCode, lockTimeout, isOutage } from "./transact.ts";
import { unlessAborted } from "../lib/async.ts";
import type { Clock } from "../lib/clock.ts";
import type { Logger } from "../lib/logger.ts";
import { startLoop } from "../lib/loop.ts";

/** Has `work` done by a client, or refuses it. `text`: the statement's; null for a transaction. */
type Ask = <T>(work: (client: postgres.Sql) => Promise<T>, text: string | null) => Promise<T>;

/** A pool whose statements and transactions `ask` decides about. `options` are those of its clients. */
export function openGuardedPool(options: postgres.Sql["options"], ask: Ask): Db {
  const client = {
    options,
    unsafe(...statement: Parameters<postgres.Sql["unsafe"]>) {
      let asArrays = false;
      const send = async (to: postgres.Sql): Promise<unknown> =>
        asArrays ? await to.unsafe(...statement).values() : await to.unsafe(...statement);
      // `values` is called before this microtask.
      const rows = Promise.resolve().then(() => ask(send, statement[0]));
      return Object.assign(rows, {
        values() {
          asArrays = true;
          return rows;
        },
      });
    },
    begin: (work: (tx: postgres.TransactionSql) => Promise<unknown>) =>
      ask<unknown>(async (to) => to.begin(work), null),
  };
  // Safe: it has all that drizzle and `executePrepared` use of a client.
  return drizzle({ client: client as unknown as postgres.Sql, schema });
}

class StillLocked extends Error {
  override readonly name = "StillLocked";
  readonly code = lockTimeout;
}

/** Texts that are never asked for again would stay. */
const maxTexts = 1000;

/**
 * The same pool. Once a statement has given up waiting for a lock, one caller at a time tries its text
 * again, and the others are refused at once with the same code, until it passes: else all connections would wait for
 * that lock, and with them what reads other tables.
 */
export function refuseWhileLocked(pool: Db): Db {
  const locked = new Map<string, { isTried: boolean }>();

  return openGuardedPool(pool.$client.options, async (work, text) => {
    if (text === null) return work(pool.$client);
    const lock = locked.get(text);
    if (lock?.isTried) throw new StillLocked("another read of this waits for a lock");
    if (lock) lock.isTried = true;
    try {
      const rows = await work(pool.$client);
      locked.delete(text);
      return rows;
    } catch (error) {
      if (databaseErrorCode(error) !== lockTimeout) locked.delete(text);
      else if (!locked.has(text) && locked.size < maxTexts) locked.set(text, { isTried: false });
      throw error;
    } finally {
      if (lock) lock.isTried = false;
    }
  });
}

class StillSilent extends Error {
  override readonly name = "StillSilent";
  /** One of an outage. */
  readonly code = "ETIMEDOUT";
}

const lookEveryMs = 1000;
/** So many statements at most wait in the driver for a server that does not come back. */
const mostUnanswered = 10;

/**
 * The same pool. A server that is frozen, or behind a network that drops everything, ends no connection, so
 * that each statement would wait until its caller gives up. Once no statement has been answered for `silenceMs`, longer than
 * one may take, all are refused at once, until the server answers one that was sent before or is asked each second.
 */
export function refuseWhileSilent(
  pool: Db,
  options: { clock: Clock; logger: Logger; silenceMs: number },
): { db: Db; close(): Promise<void> } {
  const { clock, logger, silenceMs } = options;
  let silence = new AbortController();
  const isSilent = () => silence.signal.aborted;
  /** Sent and not answered; of some of them nobody waits for the answer any more. */
  let unanswered = 0;
  let waiting = 0;
  /** Looks and not times, so that a process which was stopped itself does not take that for a silence. */
  let looks = 0;

  function heard(): void {
    looks = 0;
    if (!isSilent()) return;
    silence = new AbortController();
    logger.info("the database answers again");
  }

  /** Hears the answer also after its caller was refused. */
  async function listen<T>(work: Promise<T>): Promise<T> {
    unanswered += 1;
    try {
      const rows = await work;
      heard();
      return rows;
    } catch (error) {
      if (!isOutage(error)) heard();
      throw error;
    } finally {
      unanswered -= 1;
    }
  }

  async function unlessSilent<T>(answer: Promise<T>): Promise<T> {
    waiting += 1;
    try {
      return await unlessAborted(answer, silence.signal);
    } finally {
      waiting -= 1;
    }
  }

  async function look(): Promise<number> {
    if (isSilent()) {
      if (unanswered < mostUnanswered) listen(pool.execute(sql`select 1`)).catch(() => {});
      return lookEveryMs;
    }
    looks = waiting === 0 ? 0 : looks + 1;
    // The first look may have come just after the question.
    if ((looks - 1) * lookEveryMs > silenceMs) {
      logger.warn("the database does not answer; what asks it is refused until it does");
      silence.abort(new StillSilent("the database does not answer"));
    }
    return lookEveryMs;
  }

  const db = openGuardedPool(pool.$client.options, async (work, text) => {
    silence.signal.throwIfAborted();
    // A transaction may take longer than a statement.
    return text === null ? work(pool.$client) : unlessSilent(listen(work(pool.$client)));
  });
  return { db, close: startLoop({ name: "database-silence", clock, logger, step: look }) };
}
