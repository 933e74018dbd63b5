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

/** A migrated database of the caller's own. */
export async function createTestDb(): Promise<TestDb> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  await asSuperuser(async (client) => {
    // Cloning fails while another clone reads the same template.
    await client`select pg_advisory_lock(hashtextextended('kurabe:test-template', 0))`;
    await client`create database ${client(name)}
      template ${client(inject("templateDatabase"))} strategy file_copy`;
  });
  const url = new URL(inject("databaseUrl"));
  url.pathname = name;
  const { db, close } = openDb({
    url: url.href,
    applicationName: "kurabe:test",
    maxConnections: 8,
    statementTimeoutMs: 30_000,
  });
  return {
    url: url.href,
    db,
    async close() {
      await close();
      await asSuperuser((client) => client`drop database ${client(name)} with (force)`);
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
