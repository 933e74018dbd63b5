import { sql } from "drizzle-orm";
import { executePrepared, type Db } from "../db/open.ts";
import { createJoined } from "../lib/joined.ts";

/**
 * What is committed at this moment: two equal answers that are not null say that nothing was
 * committed between them, so what was read under the first still holds. Null where the server
 * cannot tell: a standby's snapshot does not list who is still writing.
 */
export type CatalogueState = () => Promise<string | null>;

/** In SQL, of the statement that selects it. */
export const stateOfStatement = sql`case when not pg_is_in_recovery() then pg_current_snapshot()::text end`;

const maxAtOnce = 2;

/** One statement for all who ask meanwhile; never one that began before they asked. */
export function createCatalogueState(db: Db): CatalogueState {
  const query = sql`select ${stateOfStatement} as state`;
  return createJoined(async () => {
    const [row] = await executePrepared<{ state: string | null }>(db, query);
    return row?.state ?? null;
  }, maxAtOnce);
}
