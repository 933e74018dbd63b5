import { randomBytes } from "node:crypto";
import postgres from "postgres";
import { afterEach, describe, expect, inject, it } from "vitest";
import { migrateDb } from "../../src/db/migrate.ts";
import { createTestDb } from "../support/postgres.ts";
import { killStarted, spawnKurabe, spawnScript } from "../support/processes.ts";

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await killStarted();
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

function connect(url: string): postgres.Sql {
  const client = postgres(url, { max: 2, fetch_types: false, onnotice: () => {} });
  cleanups.push(() => client.end());
  return client;
}

/** A database without a single table. */
async function emptyDatabase(): Promise<string> {
  const name = `empty_${randomBytes(6).toString("hex")}`;
  const server = connect(inject("databaseUrl"));
  await server`create database ${server(name)}`;
  cleanups.push(() => server`drop database ${server(name)} with (force)`);
  const url = new URL(inject("databaseUrl"));
  url.pathname = name;
  return url.href;
}

describe("migration", () => {
  it("D9: twenty processes at once make one schema, each migration applied once", async () => {
    const url = await emptyDatabase();
    const processes = Array.from({ length: 20 }, () =>
      spawnScript("test/support/migrate.ts", [url]),
    );
    const ends = await Promise.all(processes.map(async (one) => [await one.ended, one.stderr()]));
    expect(ends).toEqual(Array.from({ length: 20 }, () => [0, ""]));
    const rows = await connect(url)`
      select count(*)::int as n, count(distinct hash)::int as hashes from drizzle.__drizzle_migrations`;
    expect(rows[0]?.n).toBeGreaterThan(5);
    expect(rows[0]?.hashes).toBe(rows[0]?.n);
  });

  it("D10: an older build refuses a database that a newer one has migrated, and writes nothing", async () => {
    const test = await createTestDb();
    cleanups.push(test.close);
    const client = connect(test.url);
    await client`
      insert into drizzle.__drizzle_migrations (hash, created_at) values ('newer', 9999999999999)`;
    await expect(migrateDb(test.url)).rejects.toThrow("newer Kurabe");
    const meili = inject("meili");
    const kurabe = spawnKurabe(["start"], {
      env: {
        DATABASE_URL: test.url,
        MEILI_HOST: meili.host,
        MEILI_API_KEY: meili.apiKey,
        PORT: "0",
        DATA_DIR: `${inject("runDir")}/${randomBytes(6).toString("hex")}`,
      },
    });
    expect(await kurabe.ended).toBe(1);
    expect(kurabe.stderr()).toContain("newer Kurabe");
    const [row] = await client`
      select (select count(*) from job)::int as jobs, (select count(*) from setting)::int as settings`;
    expect(row).toEqual({ jobs: 0, settings: 0 });
  });
});
