import type { Db } from "./open.ts";
import { openGuardedPool } from "./guarded-pool.ts";
import { databaseErrorCode, lockTimeout } from "./transact.ts";

class StillLocked extends Error {
  override readonly name = "StillLocked";
  readonly code = lockTimeout;
}

/** Texts that are never asked for again would stay. */
const maxTexts = 1000;

/**
 * The same pool for reads. Once a statement has given up waiting for a lock, one caller at a time tries its text
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
