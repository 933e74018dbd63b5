import { mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { sql, type SQL } from "drizzle-orm";
import {
  bounds,
  briefly,
  monthStart,
  monthTables,
  readPartitions,
  type MonthTable,
  type Partition,
} from "../db/months.ts";
import type { Db } from "../db/open.ts";
import { withSnapshot, type Snapshot } from "../db/backup/snapshot.ts";
import type { Clock } from "../lib/clock.ts";
import { unlessMissing } from "../lib/files.ts";
import { finishFile, readManifest, addToManifest } from "./manifest.ts";
import { writeQuery } from "./parquet.ts";

export interface ArchiveOptions {
  db: Db;
  databaseUrl: string;
  clock: Clock;
  /** Receives one Parquet file a table and month, and `manifest.json`. */
  folder: string;
}

/** Rows that one statement reads. */
const sliceSize = 20_000;

interface Archived {
  table: MonthTable;
  /** The name of the setting that says from when on the history is whole. */
  seam: string;
  id: "item_id" | "id";
  columns: string;
  /** What stays in Postgres of a range of ids before `until`. */
  kept(range: SQL): SQL;
}

const archived: readonly Archived[] = [
  {
    table: "price_interval",
    seam: "history_from",
    id: "item_id",
    columns: "*",
    // The values that held at the seam.
    kept: (range) => sql`
      select distinct on (item_id) * from price_interval where ${range} order by item_id, first_seen desc`,
  },
  {
    table: "api_call",
    seam: "calls_from",
    id: "id",
    columns: `id, day, purpose, operation, job, params::text as params, reserved_at, finished_at, outcome, error,
      duration_ms, found, asked, returned, created, changed, unchanged, gone, quarantined, duplicates, account`,
    // The evidence of deletions.
    kept: (range) => sql`
      select * from api_call where ${range} and exists (select from product where deleted_call_id = id)`,
  },
];

/**
 * Writes the price intervals and calls of months that ended more than `keepMonths` ago to files, and
 * drops them from Postgres. What stays: of each product its lowest price and the values that held at
 * the seam, so that from there on its history is whole; and the calls that prove deletions. A stopped
 * run continues the next time.
 */
export async function archiveMonths(
  options: ArchiveOptions,
  keepMonths: number,
  signal: AbortSignal,
): Promise<void> {
  const cut = monthStart(options.clock.now(), -keepMonths);
  for (const what of archived) await archiveTable(options, what, cut, signal);
}

async function archiveTable(
  options: ArchiveOptions,
  what: Archived,
  cut: string,
  signal: AbortSignal,
): Promise<void> {
  const { db } = options;
  const partitions = await readPartitions(db, what.table);
  const old = partitions.filter(({ until }) => until !== null && until <= cut);
  const until = old.at(-1)?.until;
  const [row] = await db.execute<{ at: string }>(sql`
    select value #>> '{}' as at from setting where key = ${what.seam}`);
  if (!until || (row && row.at >= until)) return;
  if (what.table === "api_call") await requireSums(db, until);
  await writeMonths(options, what, { from: row?.at ?? null, until }, signal);
  const next = await keepRows(db, what, until, signal);
  if (!signal.aborted) await swap(db, what, { old, until, next });
}

async function requireSums(db: Db, until: string): Promise<void> {
  const unsummed = await db.execute(sql`
    select from api_call where day < ${until}::timestamptz::date
      and day > coalesce((select max(day) from call_day), '-infinity') limit 1`);
  if (unsummed.length > 0) throw new Error(`calls before ${until} are not summed yet`);
}

/** A month counts as written once its file is in the manifest and has the size that is stated there. */
async function writeMonths(
  options: ArchiveOptions,
  { table, columns }: Archived,
  range: { from: string | null; until: string },
  signal: AbortSignal,
): Promise<void> {
  const { folder } = options;
  await mkdir(folder, { recursive: true });
  let month = range.from ?? (await readFirstMonth(options, table));
  for (; month !== null && month < range.until && !signal.aborted; month = next(month)) {
    const from = month;
    await withSnapshot(options.databaseUrl, async (snapshot) => {
      // A process that was paused or cut off has lost its lease and not yet noticed: its rows may be dropped by now.
      if (!(await snapshot.takeLock("kurabe:archive")))
        throw new Error("another process is archiving");
      await writeMonth(options, snapshot, { table, columns, month: from });
    });
  }
}

async function writeMonth(
  { folder, clock }: ArchiveOptions,
  snapshot: Snapshot,
  { table, columns, month }: { table: MonthTable; columns: string; month: string },
): Promise<void> {
  const key = monthTables[table];
  const file = `${table}-${month.slice(0, 7)}.parquet`;
  const path = join(folder, file);
  const manifest = await readManifest(folder);
  const known = manifest.files.find((entry) => entry.file === file);
  if (known && (await unlessMissing(stat(path)))?.size === known.bytes) return;
  const query = `select ${columns} from ${table}
    where ${key} >= '${month}' and ${key} < '${next(month)}' order by ${key}`;
  const rows = await writeQuery(snapshot, query, `${path}.part`);
  const entry = {
    file,
    dataset: table,
    format: "parquet" as const,
    day: month.slice(0, 10),
    rows,
    ...(await finishFile(path)),
    written_at: clock.now().toISOString(),
  };
  await addToManifest(folder, manifest, [entry]);
}

const next = (month: string) => monthStart(new Date(month), 1);

async function readFirstMonth(
  { databaseUrl }: ArchiveOptions,
  table: MonthTable,
): Promise<string | null> {
  const oldest = `select min(${monthTables[table]})::timestamptz as at from ${table}`;
  return withSnapshot(databaseUrl, async (snapshot) => {
    for await (const [row] of snapshot.rows(oldest, 1))
      return row?.at instanceof Date ? monthStart(row.at, 0) : null;
    return null;
  });
}

/**
 * Copies what stays into a new table, in slices; the rows of archived months change no more. Returns
 * the table's name.
 */
async function keepRows(
  db: Db,
  { table, id, kept }: Archived,
  until: string,
  signal: AbortSignal,
): Promise<string> {
  const name = `${table}_until_${until.slice(0, 7).replace("-", "_")}`;
  const into = sql.identifier(name);
  const before = sql`${sql.identifier(monthTables[table])} < ${until}`;
  await createNext(db, table, name, until);
  const [last] = await db.execute<{ id: number | null }>(sql`
    select max(${sql.identifier(id)}) as id from ${into}`);
  let after = last?.id ?? 0;
  while (!signal.aborted) {
    const [slice] = await db.execute<{ through: number | null }>(sql`
      select max(id) as through from (
        select ${sql.identifier(id)} as id from ${sql.identifier(table)}
        where ${before} and ${sql.identifier(id)} > ${after} order by 1 limit ${sliceSize}) s`);
    const through = slice?.through ?? null;
    if (through === null) break;
    const range = sql`${before} and ${sql.identifier(id)} > ${after} and ${sql.identifier(id)} <= ${through}`;
    await db.transaction(async (tx) => {
      await tx.execute(sql`insert into ${into} ${kept(range)}`);
      if (table === "price_interval") await tx.execute(keepLows(range));
    });
    after = through;
  }
  return name;
}

/** A table with the columns and indexes of a partition, and proof of its bound. */
async function createNext(db: Db, table: MonthTable, name: string, until: string): Promise<void> {
  // A run that was stopped in an earlier month has left another one.
  const left = await db.execute<{ name: string }>(sql`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and not relispartition
      and relname ~ ${`^${table}_until_\\d{4}_\\d{2}$`} and relname <> ${name}`);
  for (const other of left) await db.execute(sql`drop table ${sql.identifier(other.name)}`);
  await db.execute(sql`
    create table if not exists ${sql.identifier(name)} (
      like ${sql.identifier(table)} including defaults including indexes,
      constraint ${sql.identifier("until")} check (${sql.identifier(monthTables[table])} < ${sql.raw(`'${until}'`)}))`);
}

function keepLows(range: SQL): SQL {
  return sql`
    insert into archived_low as l (item_id, price, first_seen)
    select distinct on (item_id) item_id, price, first_seen from price_interval
    where ${range} and price > 0 order by item_id, price, first_seen
    on conflict (item_id) do update set price = excluded.price, first_seen = excluded.first_seen
    where (excluded.price, excluded.first_seen) < (l.price, l.first_seen)`;
}

async function swap(
  db: Db,
  { table, seam }: Archived,
  { old, until, next: name }: { old: readonly Partition[]; until: string; next: string },
): Promise<void> {
  await briefly(db, table, async (tx) => {
    for (const partition of old)
      await tx.execute(sql`drop table ${sql.identifier(partition.name)}`);
    await tx.execute(sql`
      alter table ${sql.identifier(table)} attach partition ${sql.identifier(name)}
      for values from ${bounds({ from: null, until })}`);
    await tx.execute(
      sql`alter table ${sql.identifier(name)} drop constraint ${sql.identifier("until")}`,
    );
    await tx.execute(sql`
      insert into setting (key, value, updated_at) values (${seam}, to_jsonb(${until}::text), now())
      on conflict (key) do update set value = excluded.value, updated_at = excluded.updated_at`);
  });
}
