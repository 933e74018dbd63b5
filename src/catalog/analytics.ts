import { sql } from "drizzle-orm";
import type { Db } from "../db/open.ts";

/**
 * Stores the marketplace's time zone in the database; schema `analytics` counts days in it. Fails when
 * Postgres does not know the zone. Returns the one that was stored, if it was another.
 */
export async function rememberTimezone(
  db: Db,
  timezone: string,
  now: Date,
): Promise<string | null> {
  await db.execute(sql`select now() at time zone ${timezone}`);
  const [row] = await db.execute<{ before: string | null }>(sql`
    insert into setting as s (key, value, updated_at)
    values ('timezone', to_jsonb(${timezone}::text), ${now.toISOString()})
    on conflict (key) do update set value = excluded.value, updated_at = excluded.updated_at
    where s.value <> excluded.value
    returning old.value #>> '{}' as before`);
  return row?.before ?? null;
}
