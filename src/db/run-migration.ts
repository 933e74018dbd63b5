import type { MigrationMeta } from "drizzle-orm/migrator";
import type postgres from "postgres";
import type { Logger } from "../lib/logger.ts";
import { databaseErrorCode } from "./transact.ts";

/**
 * Everybody who needs a table waits behind a migration that waits for it, so one that does not get its
 * lock gives up after this time and tries again. Not shorter: autovacuum makes room after 1 s.
 */
const LOCK_TIMEOUT_MS = 1500;
/** The pause between two tries, in seconds; and the tries, about half an hour together. */
const PAUSE_S = 1;
const TRIES = 720;

/** Lock timeout and deadlock. */
const busy = new Set(["55P03", "40P01"]);

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
  await client.unsafe(`set lock_timeout = ${LOCK_TIMEOUT_MS}`);
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!busy.has(databaseErrorCode(error) ?? "") || tries >= TRIES) throw error;
      if (tries === 1) logger.warn("a migration waits for others who use its table");
      await client`select pg_sleep(${PAUSE_S})`;
    }
  }
}
