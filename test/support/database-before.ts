import { randomBytes } from "node:crypto";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { inject, onTestFinished } from "vitest";
import { migrateDb } from "../../src/db/migrate.ts";

export function connect(url: string): postgres.Sql {
  const client = postgres(url, { max: 2, fetch_types: false, onnotice: () => {} });
  onTestFinished(() => client.end({ timeout: 1 }));
  return client;
}

/** A database without a single table; `options` of `create database`. */
export async function emptyDatabase(options = ""): Promise<string> {
  const name = `empty_${randomBytes(6).toString("hex")}`;
  const server = connect(inject("databaseUrl"));
  await server`create database ${server(name)} ${server.unsafe(options)}`;
  onTestFinished(async () => {
    await server`drop database ${server(name)} with (force)`;
  });
  const url = new URL(inject("databaseUrl"));
  url.pathname = name;
  return url.href;
}

/** An empty database with the schema as it was before the migration of this name, given without its number. */
export async function databaseBefore(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "kurabe-migrations-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await cp("drizzle", folder, { recursive: true });
  const path = join(folder, "meta/_journal.json");
  const journal = JSON.parse(await readFile(path, "utf8")) as { entries: { tag: string }[] };
  const end = journal.entries.findIndex(({ tag }) => tag.slice(5) === name);
  if (end < 0) throw new Error(`no migration is named ${name}`);
  await writeFile(path, JSON.stringify({ ...journal, entries: journal.entries.slice(0, end) }));
  const url = await emptyDatabase();
  await migrateDb(url, { folder });
  return url;
}
