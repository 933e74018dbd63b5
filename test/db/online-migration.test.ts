import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { migrateDb } from "../../src/db/migrate.ts";
import { connect, emptyDatabase } from "../support/database-before.ts";

/** A folder of migrations for a database of its own. */
async function folderOf(files: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "kurabe-online-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, "meta"));
  const entries = files.map((_, nr) => ({ tag: `000${nr}_m`, when: nr + 1, breakpoints: true }));
  await writeFile(join(folder, "meta/_journal.json"), JSON.stringify({ entries }));
  for (const [nr, text] of files.entries()) await writeFile(join(folder, `000${nr}_m.sql`), text);
  return folder;
}

const numbers =
  "create table number as select n, null::int as square from generate_series(1, 1000) n;";
const inSlices = `-- online
create table if not exists slice (at xid8);
--> statement-breakpoint
-- slices
with slice as (select n from number where square is null limit 100),
  noted as (insert into slice values (pg_current_xact_id()))
update number set square = number.n * number.n from slice where slice.n = number.n;
--> statement-breakpoint
create index concurrently if not exists number_square on number (square);
--> statement-breakpoint
alter table number alter column square set not null`;

describe("an online migration", () => {
  it("works in slices and outside transactions, and goes on from where it failed", async () => {
    const url = await emptyDatabase();
    const client = connect(url);
    const broken = inSlices.replace("create index concurrently", "create inde concurrently");
    await expect(migrateDb(url, { folder: await folderOf([numbers, broken]) })).rejects.toThrow();
    const count = async () =>
      (
        await client`
        select count(square)::int as done, (select count(distinct at)::int from slice) as slices from number`
      )[0];
    expect(await count()).toEqual({ done: 1000, slices: 11 });
    const applied = client`select from drizzle.__drizzle_migrations`;
    expect(await applied).toHaveLength(1);
    await migrateDb(url, { folder: await folderOf([numbers, inSlices]) });
    expect(await count()).toEqual({ done: 1000, slices: 12 });
    expect(await client`select from drizzle.__drizzle_migrations`).toHaveLength(2);
    await migrateDb(url, { folder: await folderOf([numbers, inSlices]) });
    expect(await count()).toEqual({ done: 1000, slices: 12 });
  });
});
