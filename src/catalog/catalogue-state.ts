import { sql } from "drizzle-orm";
import { executePrepared, type Db } from "../db/open.ts";

/** The SQL of `readCatalogueState`, for the statement that selects the products. */
export const stateOfStatement = sql`case when not pg_is_in_recovery() then pg_current_snapshot()::text end`;

/**
 * Identifies the committed state of the database. If two results are equal and not null, nothing was
 * committed between them, and what was read at the first is still valid. Null on a standby, whose
 * snapshot does not list open transactions.
 */
export async function readCatalogueState(db: Db): Promise<string | null> {
  const query = sql`select ${stateOfStatement} as state`;
  const [row] = await executePrepared<{ state: string | null }>(db, query);
  return row?.state ?? null;
}

/**
 * Calls `read` one at a time. All callers that arrive before a read begins share its result, so no
 * caller gets a value that is older than its call.
 */
export function createStateReader<T>(read: () => Promise<T>): () => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | null = null;
  const begin = () => {
    next = null;
    return read();
  };
  return () => {
    next ??= last.then(begin, begin);
    last = next;
    return next;
  };
}
