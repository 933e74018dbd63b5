import { sql } from "drizzle-orm";
import type { Db, Tx } from "../../src/db/open.ts";

/** A transaction that has done `work` and stays open, as long as it likes, until the result commits it. */
export async function openTransaction(
  db: Db,
  work: (tx: Tx) => Promise<unknown>,
): Promise<() => Promise<void>> {
  let begin = () => {};
  const begun = new Promise<void>((resolve) => (begin = resolve));
  let end = () => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  const committed = db.transaction(async (tx) => {
    await tx.execute(sql`set local idle_in_transaction_session_timeout = 0`);
    await work(tx);
    begin();
    await ended;
  });
  await Promise.race([begun, committed]);
  return async () => {
    end();
    await committed;
  };
}
