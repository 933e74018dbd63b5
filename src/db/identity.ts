import { sql } from "drizzle-orm";

/**
 * SQL: the cluster and the database in it. A streaming replica has those of its primary, also once it is promoted; a
 * database that was restored from a dump, or made from a template, has others.
 */
export const databaseIdentity = sql`(select system_identifier from pg_control_system()) || '/' ||
  (select oid from pg_database where datname = current_database())`;
