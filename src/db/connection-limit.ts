import { sql } from "drizzle-orm";
import type { Logger } from "../lib/logger.ts";
import type { Db } from "./open.ts";

/** `databasePoolerUrl`: a pooler shares the connections. */
interface Connections {
  databaseConnections: number;
  databasePoolerUrl: string | null;
}

/** For migrations, archives, exports and the sandbox, one at a time. */
const besidePools = 2;

export const mendConnections =
  "raise the limit of the role, of the database or max_connections, or lower DATABASE_CONNECTIONS";

/** Says that Postgres lets the role of `db` open fewer connections than one process may need; null: enough. */
export async function connectionFault(db: Db, config: Connections): Promise<string | null> {
  if (config.databasePoolerUrl !== null) return null;
  const needed = config.databaseConnections + besidePools;
  // A superuser passes all limits but that of the server.
  const [row] = await db.execute<{ allowed: number }>(sql`
    select case when rolsuper then max_connections
      else least(max_connections - reserved, nullif(rolconnlimit, -1), nullif(datconnlimit, -1)) end as allowed
    from pg_roles, pg_database,
      (select current_setting('max_connections')::int as max_connections,
        current_setting('superuser_reserved_connections')::int + current_setting('reserved_connections')::int as reserved) as server
    where rolname = current_user and datname = current_database()`);
  return row && row.allowed < needed
    ? `Postgres lets its role open ${row.allowed} connections, and a process opens up to ${needed}`
    : null;
}

/** In the log of a start, because whatever gets none waits for as long as the others are busy. */
export async function warnOfFewConnections(
  db: Db,
  config: Connections,
  logger: Pick<Logger, "warn">,
): Promise<void> {
  const fault = await connectionFault(db, config);
  if (fault !== null)
    logger.warn(`${fault}: searches or the crawl may get none; ${mendConnections}`);
}
