import { randomBytes } from "node:crypto";
import postgres from "postgres";
import { inject } from "vitest";
import { openDb, type Db, type DbOptions, type OpenDb } from "../../src/db/open.ts";

export interface TestDb {
  url: string;
  db: Db;
  /** Closes the pool and drops the database, even if others are connected. */
  close(): Promise<void>;
}

export interface ClonedDb extends TestDb {
  /** Closes the pool; the answer is the database's name, to make clones of it. */
  keep(): Promise<string>;
}

/** A migrated database of the caller's own; a clone of another one, to which nobody is connected, if told. */
export async function createTestDb(template = inject("templateDatabase")): Promise<ClonedDb> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  const admin = superuser();
  // Cloning fails while another clone reads the same template.
  await admin`select pg_advisory_lock(hashtextextended('kurabe:test-template', 0))`;
  const create = () =>
    admin`create database ${admin(name)} template ${admin(template)} strategy file_copy`;
  try {
    // The kernel copies the files itself, where it can.
    await admin`set file_copy_method = clone`;
    await create().catch(async () => {
      await admin`set file_copy_method = copy`;
      await create();
    });
  } finally {
    await admin`select pg_advisory_unlock(hashtextextended('kurabe:test-template', 0))`;
  }
  const url = new URL(inject("databaseUrl"));
  url.pathname = name;
  const { db, close } = openPool(url.href);
  return {
    url: url.href,
    db,
    async close() {
      await close();
      await admin`drop database ${admin(name)} with (force)`;
    },
    async keep() {
      await close();
      return name;
    },
  };
}

/** Another pool of a database, which the caller closes. */
export function openPool(url: string, over: Partial<DbOptions> = {}): OpenDb {
  return openDb({
    url,
    applicationName: "kurabe:test",
    maxConnections: 4,
    statementTimeoutMs: 30_000,
    ...over,
  });
}

let ofWorker: postgres.Sql | undefined;

/** One connection for all files of this worker, because a new one costs more than a clone; it ends when it is not used. */
function superuser(): postgres.Sql {
  return (ofWorker ??= postgres(inject("databaseUrl"), {
    max: 1,
    idle_timeout: 10,
    fetch_types: false,
    onnotice: () => {},
  }));
}
