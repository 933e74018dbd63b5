import { fileURLToPath } from "node:url";
import { sql } from "drizzle-orm";
import { readMigrationFiles, type MigrationMeta } from "drizzle-orm/migrator";
import type postgres from "postgres";
import { silentLogger, type Logger } from "../lib/logger.ts";
import { withOne, type Db } from "./open.ts";
import { databaseErrorCode, lockTimeout } from "./transact.ts";

const ownFolder = fileURLToPath(new URL("../../drizzle", import.meta.url));

export class SchemaError extends Error {
  override readonly name = "SchemaError";
}

export interface MigrateOptions {
  folder?: string;
  logger?: Pick<Logger, "info" | "warn">;
  /** Ends the migration where it is; the next one continues. */
  signal?: AbortSignal;
}

/**
 * Migrates the database to this build's schema. Any number of processes may call it at once: a session
 * lock lets one work while the others wait, so `url` must lead to Postgres itself and not through a
 * transaction pooler. Each migration is recorded when it is done; a stopped one continues the next
 * time. Refuses a database that a newer build has migrated, and a Postgres older than 18.
 */
export async function migrateDb(url: string, options: MigrateOptions = {}): Promise<void> {
  const { folder = ownFolder, logger = silentLogger, signal } = options;
  const migrate = async (client: postgres.Sql) => {
    const [is] = await client<{ version: string; encoding: string }[]>`
      select current_setting('server_version_num') as version, current_setting('server_encoding') as encoding`;
    if (Number(is?.version) < 180_000) {
      throw new SchemaError(`Kurabe needs Postgres 18 or newer; this server is ${is?.version}`);
    }
    if (is?.encoding !== "UTF8") {
      throw new SchemaError(
        `Kurabe needs a database with the encoding UTF8; this one has ${is?.encoding}`,
      );
    }
    await takeTurn(client, logger);
    const migrations = readMigrationFiles({ migrationsFolder: folder });
    const applied = await readApplied(client);
    const newestApplied = Math.max(0, ...applied);
    if (newestApplied > newestOf(migrations)) throw new SchemaError(migratedByNewer);
    const missing = migrations.filter((one) => !applied.has(one.folderMillis));
    const times = [newestApplied, ...missing.map((one) => one.folderMillis)];
    if (times.some((time, nr) => time < (times[nr - 1] ?? 0))) {
      throw new SchemaError("the journal of migrations is out of order");
    }
    if (missing.length > 0 && applied.size > 0)
      logger.info({ migrations: missing.length }, "migrating the database");
    for (const migration of missing) await runMigration(client, migration, logger);
  };
  await withOne(url, "kurabe:migrate", migrate, signal);
}

const migratedByNewer = "the database was migrated by a newer Kurabe; start that one instead";

const newestOf = (migrations: { folderMillis: number }[]) =>
  Math.max(0, ...migrations.map((one) => one.folderMillis));

/** Why `migrateDb` would refuse the schema; null: it would not. Changes nothing. */
export async function schemaFault(db: Db): Promise<string | null> {
  const [kept] = await db.execute<{ exists: boolean }>(
    sql`select to_regclass('drizzle.__drizzle_migrations') is not null as exists`,
  );
  if (!kept?.exists) return null;
  const [row] = await db.execute<{ newest: number }>(
    sql`select coalesce(max(created_at), 0) as newest from drizzle.__drizzle_migrations`,
  );
  const ours = newestOf(readMigrationFiles({ migrationsFolder: ownFolder }));
  return (row?.newest ?? 0) > ours ? migratedByNewer : null;
}

/** Asks again and again: a statement that waits keeps its snapshot, and `concurrently` waits for all snapshots. */
async function takeTurn(client: postgres.Sql, logger: Pick<Logger, "info">): Promise<void> {
  for (let isFirst = true; ; isFirst = false) {
    const [row] = await client<{ taken: boolean }[]>`
      select pg_try_advisory_lock(hashtextextended('kurabe:migrate', 0)) as taken`;
    if (row?.taken) return;
    if (isFirst) logger.info("another process migrates the database; waiting for it");
    await client`select pg_sleep(0.2)`;
  }
}

/** The times of the applied migrations, in the table that drizzle's own migrator keeps. */
async function readApplied(client: postgres.Sql): Promise<Set<number>> {
  await client`create schema if not exists drizzle`;
  await client`
    create table if not exists drizzle.__drizzle_migrations (
      id serial primary key, hash text not null, created_at bigint)`;
  const rows = await client<{ created_at: string }[]>`
    select created_at from drizzle.__drizzle_migrations`;
  return new Set(rows.map((row) => Number(row.created_at)));
}

/**
 * Everybody who needs a table waits behind a migration that waits for it, so one that does not get its
 * lock gives up after this time and tries again. Not shorter: autovacuum makes room after 1 s.
 */
const lockTimeoutMs = 1500;
/** The pause between two tries, in seconds; and the tries, about half an hour together. */
const pauseS = 1;
const mostTries = 720;

/** Lock timeout and deadlock. */
const busy = new Set([lockTimeout, "40P01"]);

/**
 * Runs one migration and records it. A file whose first line is `-- online` runs beside readers and
 * writers, piece by piece (between `--> statement-breakpoint`). After a stop it begins again, so each
 * piece but the last must bear being repeated; the last one commits together with the record. In such a file
 * - several statements in one piece are one transaction, for instance to swap tables;
 * - a piece with `concurrently` stands alone, outside a transaction, and is not the last one;
 * - a piece that begins with `-- slices` is repeated until it changes no row.
 * Any other file is one transaction.
 */
export async function runMigration(
  client: postgres.Sql,
  { sql: pieces, hash, folderMillis }: MigrationMeta,
  logger: Pick<Logger, "warn">,
): Promise<void> {
  const ahead = pieces[0]?.startsWith("-- online") ? pieces.slice(0, -1) : [];
  for (const piece of ahead) await runPiece(client, piece, logger);
  await patiently(client, logger, () =>
    client.begin(async (tx) => {
      for (const piece of pieces.slice(ahead.length)) await tx.unsafe(piece);
      await tx`
        insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${folderMillis})`;
    }),
  );
}

async function runPiece(
  client: postgres.Sql,
  piece: string,
  logger: Pick<Logger, "warn">,
): Promise<void> {
  const text = piece.trim();
  if (/\bconcurrently\b/i.test(text)) {
    // It waits for others, but nobody waits for it. A failed one leaves an index that has to be dropped first.
    await client`set lock_timeout = 0`;
    await client.unsafe(text);
    return;
  }
  let changed: number;
  do {
    changed = await patiently(client, logger, async () => (await client.unsafe(text)).count ?? 0);
  } while (text.startsWith("-- slices") && changed > 0);
}

async function patiently<T>(
  client: postgres.Sql,
  logger: Pick<Logger, "warn">,
  work: () => PromiseLike<T>,
): Promise<T> {
  await client.unsafe(`set lock_timeout = ${lockTimeoutMs}`);
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!busy.has(databaseErrorCode(error) ?? "") || tries >= mostTries) throw error;
      if (tries === 1) logger.warn("a migration waits for others who use its table");
      await client`select pg_sleep(${pauseS})`;
    }
  }
}
