import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate } from "drizzle-orm/postgres-js/migrator";
import postgres from "postgres";

const folder = fileURLToPath(new URL("../../drizzle", import.meta.url));

export class SchemaError extends Error {
  override readonly name = "SchemaError";
}

/**
 * Migrates the database to this build's schema. Any number of processes may call it at once: a session
 * lock lets one work while the others wait. Refuses a database that a newer build has migrated, and a
 * Postgres older than 18.
 */
export async function migrateDb(url: string): Promise<void> {
  const client = postgres(url, {
    max: 1,
    fetch_types: false,
    onnotice: () => {},
    connection: { application_name: "kurabe:migrate" },
  });
  try {
    const [version] = await client<
      { v: string }[]
    >`select current_setting('server_version_num') as v`;
    if (Number(version?.v) < 180_000) {
      throw new SchemaError(`Kurabe needs Postgres 18 or newer; this server is ${version?.v}`);
    }
    await client`select pg_advisory_lock(hashtextextended('kurabe:migrate', 0))`;
    await refuseNewerSchema(client);
    await migrate(drizzle({ client }), { migrationsFolder: folder });
    await requireAllApplied(client);
  } finally {
    await client.end({ timeout: 5 });
  }
}

async function journalTimes(): Promise<number[]> {
  const journal = JSON.parse(await readFile(`${folder}/meta/_journal.json`, "utf8")) as {
    entries: { when: number }[];
  };
  return journal.entries.map((entry) => entry.when);
}

async function appliedTimes(client: postgres.Sql): Promise<number[]> {
  const [table] = await client<{ found: string | null }[]>`
    select to_regclass('drizzle.__drizzle_migrations')::text as found`;
  if (!table?.found) return [];
  const rows = await client<{ created_at: string }[]>`
    select created_at from drizzle.__drizzle_migrations order by created_at`;
  return rows.map((row) => Number(row.created_at));
}

async function refuseNewerSchema(client: postgres.Sql): Promise<void> {
  const known = await journalTimes();
  const newest = Math.max(0, ...known);
  if ((await appliedTimes(client)).some((time) => time > newest)) {
    throw new SchemaError("the database was migrated by a newer Kurabe; start that one instead");
  }
}

/** drizzle silently skips a migration that is older than the newest applied one, so this throws. */
async function requireAllApplied(client: postgres.Sql): Promise<void> {
  const applied = new Set(await appliedTimes(client));
  const missing = (await journalTimes()).filter((time) => !applied.has(time));
  if (missing.length > 0) {
    throw new SchemaError(
      `${missing.length} migration(s) were skipped; the journal is out of order`,
    );
  }
}
