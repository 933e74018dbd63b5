import { randomBytes } from "node:crypto";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { inject } from "vitest";
import { migrateDb } from "../../src/db/migrate.ts";

type Cleanups = (() => Promise<unknown>)[];

export function connect(url: string, cleanups: Cleanups): postgres.Sql {
  const client = postgres(url, { max: 2, fetch_types: false, onnotice: () => {} });
  cleanups.push(() => client.end({ timeout: 1 }));
  return client;
}

/** A database without a single table. */
export async function emptyDatabase(cleanups: Cleanups): Promise<string> {
  const name = `empty_${randomBytes(6).toString("hex")}`;
  const server = connect(inject("databaseUrl"), cleanups);
  await server`create database ${server(name)}`;
  cleanups.push(() => server`drop database ${server(name)} with (force)`);
  const url = new URL(inject("databaseUrl"));
  url.pathname = name;
  return url.href;
}

/** An empty database with the schema as it was before the migration of this name, given without its number. */
export async function databaseBefore(name: string, cleanups: Cleanups): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "kurabe-migrations-"));
  cleanups.push(() => rm(folder, { recursive: true, force: true }));
  await cp("drizzle", folder, { recursive: true });
  const path = join(folder, "meta/_journal.json");
  const journal = JSON.parse(await readFile(path, "utf8")) as { entries: { tag: string }[] };
  const end = journal.entries.findIndex(({ tag }) => tag.slice(5) === name);
  if (end < 0) throw new Error(`no migration is named ${name}`);
  await writeFile(path, JSON.stringify({ ...journal, entries: journal.entries.slice(0, end) }));
  const url = await emptyDatabase(cleanups);
  await migrateDb(url, folder);
  return url;
}
