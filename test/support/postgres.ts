import { randomBytes } from "node:crypto";
import postgres from "postgres";
import { inject } from "vitest";
import { openDb, type Db } from "../../src/db/open.ts";

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
  await asSuperuser(async (client) => {
    // Cloning fails while another clone reads the same template.
    await client`select pg_advisory_lock(hashtextextended('kurabe:test-template', 0))`;
    await client`create database ${client(name)}
      template ${client(template)} strategy file_copy`;
  });
  const url = new URL(inject("databaseUrl"));
  url.pathname = name;
  const { db, close } = openDb({
    url: url.href,
    applicationName: "kurabe:test",
    maxConnections: 4,
    statementTimeoutMs: 30_000,
  });
  return {
    url: url.href,
    db,
    async close() {
      await close();
      await asSuperuser((client) => client`drop database ${client(name)} with (force)`);
    },
    async keep() {
      await close();
      return name;
    },
  };
}

async function asSuperuser(work: (client: postgres.Sql) => PromiseLike<unknown>): Promise<void> {
  const client = postgres(inject("databaseUrl"), {
    max: 1,
    fetch_types: false,
    onnotice: () => {},
  });
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
