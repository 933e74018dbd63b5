import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip, gzipSync } from "node:zlib";
import type postgres from "postgres";
import { z } from "zod";
import { must } from "../../lib/must.ts";
import { unlessMissing, makeFolder, sha256Of, removeParts } from "../../lib/files.ts";
import { copyOut } from "./snapshot.ts";
import { withOne } from "../open.ts";

/**
 * Not in the backup, because a start makes them again: leases and the state of the search index. Nor the order of
 * changes: the restored catalogue begins another one.
 */
const derived = [
  "lease",
  "mirror",
  "mirror_batch",
  "mirror_index",
  "search_host",
  "search_placement",
  "change_head",
  "pending_change",
  "product_change",
  "alert_change",
];

const manifestSchema = z.object({
  format: z.literal(1),
  madeAt: z.string(),
  /** The migrations of the schema it was made with. */
  migrations: z.array(z.number()),
  partitions: z.array(z.object({ name: z.string(), of: z.string(), bound: z.string() })),
  tables: z.array(
    z.object({
      name: z.string(),
      columns: z.array(z.string()),
      rows: z.number(),
      sha256: z.string(),
    }),
  ),
});

export type BackupManifest = z.infer<typeof manifestSchema>;
type Partition = BackupManifest["partitions"][number];

/** A day of an account at the upstream in which at least so many calls have been made. */
export interface CallsOfDay {
  account: string;
  day: string;
  limit: number;
  used: number;
}

export class BackupError extends Error {
  override readonly name = "BackupError";
}

/**
 * Writes one consistent snapshot of all tables into a folder while Kurabe runs: one compressed file per table. A
 * former backup in it is replaced at the end. The manifest comes last, so a folder without one is no backup.
 */
export async function backUp(
  url: string,
  folder: string,
  now: Date,
  signal?: AbortSignal,
): Promise<BackupManifest> {
  await makeFolder(folder);
  const write = async (client: postgres.Sql) => {
    const [lock] = await client<{ isOurs: boolean }[]>`
      select pg_try_advisory_lock(hashtextextended(${`kurabe:backup ${folder}`}, 0)) as "isOurs"`;
    if (!lock?.isOurs) throw new BackupError(`another backup is being written to ${folder}`);
    const tables = await readTables(client);
    const all = tables.map(({ name }) => quoted(name)).join(", ");
    const written = client.begin("isolation level repeatable read read only", async (tx) => {
      // First, because the snapshot is taken afterwards: what empties or replaces a table (months that are archived,
      // `switch_match_pairs`) takes away rows that the snapshot would show.
      await tx.unsafe(`lock table ${all} in access share mode`);
      const [exported] = await tx.unsafe<{ id: string }[]>("select pg_export_snapshot() as id");
      const snapshot = must(exported, "a snapshot").id;
      const manifest: BackupManifest = {
        format: 1,
        madeAt: now.toISOString(),
        migrations: await readMigrations(tx),
        partitions: await readPartitions(tx),
        tables: [],
      };
      for (const { name, columns } of tables) {
        const rows = await tx.unsafe<{ n: string }[]>(`select count(*) as n from ${quoted(name)}`);
        const part = `${fileOf(folder, name)}.part`;
        const list = columns.map(quoted).join(", ");
        const count = Number(rows[0]?.n);
        if (count === 0) await writeFile(part, gzipSync(""), { mode: 0o600 });
        else {
          const statement = `copy (select ${list} from ${quoted(name)}) to stdout`;
          const copy = { url, applicationName, snapshot, statement, signal };
          const open = () => createWriteStream(part, { mode: 0o600 });
          await copyOut(copy, [createGzip({ level: 6 })], open);
        }
        const sha256 = await sha256Of(part);
        manifest.tables.push({ name, columns, rows: count, sha256 });
      }
      // Only now: until everything is written, a former backup in the folder stays whole.
      for (const { name } of manifest.tables)
        await rename(`${fileOf(folder, name)}.part`, fileOf(folder, name));
      const path = join(folder, "manifest.json");
      await writeFile(`${path}.part`, JSON.stringify(manifest, null, 2), { mode: 0o600 });
      await rename(`${path}.part`, path);
      return manifest;
    });
    return written.catch(async (error: unknown) => {
      await removeParts(tables.map(({ name }) => fileOf(folder, name)));
      throw error;
    });
  };
  return withOne(url, applicationName, write, signal);
}

/**
 * Fills a migrated, unused database from a backup in one transaction, after checking every file
 * against the manifest. Needs a superuser, because triggers must not run meanwhile. The calls of `made`, which
 * the backup may not know of, are counted in the same transaction.
 */
export async function restore(
  url: string,
  folder: string,
  made: readonly CallsOfDay[] = [],
  signal?: AbortSignal,
): Promise<BackupManifest> {
  const manifest = await readManifest(folder);
  for (const { name, sha256 } of manifest.tables) {
    const file = fileOf(folder, name);
    const found = await unlessMissing(sha256Of(file));
    if (found === null) throw new BackupError(`${file} is missing: the backup is not whole`);
    if (found !== sha256)
      throw new BackupError(`${file} differs from the file that the backup wrote`);
  }
  const fill = (client: postgres.Sql) =>
    client.begin(async (tx) => {
      await refuseOther(tx, manifest);
      await tx.unsafe("set local session_replication_role = replica");
      // A database of another age has other months, which may overlap.
      const isKept = (own: Partition) =>
        manifest.partitions.some(({ name, bound }) => name === own.name && bound === own.bound);
      for (const own of await readPartitions(tx))
        if (!isKept(own)) await tx.unsafe(`drop table ${quoted(own.name)}`);
      for (const { name, of, bound } of manifest.partitions) {
        await tx.unsafe(
          `create table if not exists ${quoted(name)} partition of ${quoted(of)} ${bound}`,
        );
      }
      for (const { name, columns, rows, sha256 } of manifest.tables) {
        await tx.unsafe(`delete from ${quoted(name)}`);
        if (rows === 0 && sha256 === emptyHash) continue;
        const list = columns.map(quoted).join(", ");
        const into = await tx.unsafe(`copy ${quoted(name)} (${list}) from stdin`).writable();
        await pipeline(createReadStream(fileOf(folder, name)), createGunzip(), into, { signal });
        const found = await tx.unsafe<{ n: string }[]>(`select count(*) as n from ${quoted(name)}`);
        if (Number(found[0]?.n) !== rows)
          throw new BackupError(`${name} was restored incompletely`);
      }
      await advanceSequences(tx);
      // The rows of the mirror are not in the backup.
      for (const table of ["kept_count", "count_change"])
        await tx.unsafe(`delete from ${table} where starts_with(name, 'mirror ')`);
      // Positions begin anew with the order of changes.
      await tx.unsafe("update saved_search set judges_after = 0");
      await acceptLoss(tx, made);
    });
  await withOne(url, applicationName, fill, signal);
  return manifest;
}

/** For a database that lacks the latest transactions of another one: see `acceptLoss`. */
export async function acceptLostTransactions(url: string, made: CallsOfDay[]): Promise<void> {
  await withOne(url, applicationName, (client) => client.begin((tx) => acceptLoss(tx, made)));
}

/** What a database has to know if it lacks transactions that others have seen the effects of. */
async function acceptLoss(sql: Sql, made: readonly CallsOfDay[]): Promise<void> {
  // Whoever follows the changes has seen some that are lost, and their places are taken by others.
  await sql.unsafe("update change_head set epoch = default");
  for (const day of made) await countCalls(sql, day);
  for (const { table, column } of toldIds) await leap(sql, table, column);
}

/** Ids by which others know what is lost: readers and receivers outside, exported files, rows that outlive it. */
const toldIds = [
  { table: "api_call", column: "id" },
  { table: "api_key", column: "key_id" },
  { table: "saved_search", column: "saved_search_id" },
  { table: "webhook", column: "webhook_id" },
  { table: "alert_event", column: "event_id" },
  { table: "webhook_delivery", column: "delivery_id" },
  { table: "group_change", column: "id" },
  { table: "product_group", column: "group_id" },
];

/** The next id is the time in milliseconds, and so above all lost ones: fewer than a thousand a second are given. */
async function leap(sql: Sql, table: string, column: string): Promise<void> {
  await sql.unsafe(
    `select setval(seq, greatest(pg_sequence_last_value(seq), (extract(epoch from clock_timestamp()) * 1000)::bigint))
    from cast(pg_get_serial_sequence($1, $2) as regclass) seq`,
    [table, column],
  );
}

async function countCalls(sql: Sql, { account, day, limit, used }: CallsOfDay): Promise<void> {
  await sql.unsafe(
    `insert into budget_day as b (account, day, limit_calls, used) values ($1, $2, greatest($3::int, $4), $4)
    on conflict (account, day) do update set used = greatest(b.used, excluded.used),
      limit_calls = greatest(b.used, excluded.limit_calls)`,
    [account, day, limit, used],
  );
}

type Sql = postgres.Sql | postgres.TransactionSql;

const applicationName = "kurabe:backup";

export async function readManifest(folder: string): Promise<BackupManifest> {
  const text = await unlessMissing(readFile(join(folder, "manifest.json"), "utf8"));
  if (text === null) throw new BackupError(`${folder} has no backup: no manifest.json is there`);
  try {
    return manifestSchema.parse(JSON.parse(text));
  } catch (error) {
    throw new BackupError(`${folder} has no readable backup`, { cause: error });
  }
}

async function refuseOther(sql: Sql, { migrations }: BackupManifest): Promise<void> {
  if ((await readMigrations(sql)).join() !== migrations.join()) {
    throw new BackupError(
      "the backup has the schema of another version: restore it with that version, then start this one",
    );
  }
  const [used] = await sql.unsafe<{ is: boolean }[]>(
    "select exists (select from product) or exists (select from api_call) as is",
  );
  if (used?.is) throw new BackupError("the database is in use; restore a backup into an empty one");
}

async function readMigrations(sql: Sql): Promise<number[]> {
  const rows = await sql.unsafe<{ at: string }[]>(
    "select created_at as at from drizzle.__drizzle_migrations order by 1",
  );
  return rows.map(({ at }) => Number(at));
}

async function readTables(sql: Sql): Promise<{ name: string; columns: string[] }[]> {
  const rows = await sql.unsafe<{ name: string; columns: string[] }[]>(`
    select c.relname as name, json_agg(a.attname order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and a.attgenerated = ''
    group by 1 order by 1`);
  return rows.filter(({ name }) => !derived.includes(name));
}

async function readPartitions(sql: Sql): Promise<Partition[]> {
  const rows = await sql.unsafe<{ name: string; of: string; bound: string }[]>(`
    select c.relname as name, p.relname as of, pg_get_expr(c.relpartbound, c.oid) as bound
    from pg_class c join pg_inherits i on i.inhrelid = c.oid join pg_class p on p.oid = i.inhparent
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relispartition order by 1`);
  return [...rows];
}

async function advanceSequences(sql: Sql): Promise<void> {
  const owned = await sql.unsafe<{ table: string; column: string; sequence: string }[]>(`
    select c.relname as table, a.attname as column, s.relname as sequence
    from pg_depend d join pg_class s on s.oid = d.objid and s.relkind = 'S'
    join pg_class c on c.oid = d.refobjid
    join pg_attribute a on a.attrelid = c.oid and a.attnum = d.refobjsubid
    where d.deptype in ('a', 'i') and s.relnamespace = 'public'::regnamespace`);
  for (const { table, column, sequence } of owned) {
    await sql.unsafe(`
      select setval('${quoted(sequence)}', (select max(${quoted(column)}) from ${quoted(table)}))`);
  }
}

const emptyHash = createHash("sha256").update(gzipSync("")).digest("hex");
const fileOf = (folder: string, table: string) => join(folder, `${table}.copy.gz`);

/** Names come from the database's catalogue, or from a manifest that only its owner can write. */
const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
