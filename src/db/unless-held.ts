import type { Tx } from "./open.ts";
import { databaseErrorCode, lockTimeout } from "./transact.ts";

/**
 * Work on the side, which the rest of the transaction does not need: false, and nothing is written, where it waited in
 * vain for a row that somebody holds.
 */
export async function unlessHeld(tx: Tx, work: (part: Tx) => Promise<unknown>): Promise<boolean> {
  try {
    await tx.transaction(work);
    return true;
  } catch (error) {
    if (databaseErrorCode(error) !== lockTimeout) throw error;
    return false;
  }
}
