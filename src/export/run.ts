import { createWriteStream } from "node:fs";
import { rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import type { Db } from "../db/open.ts";
import { withSnapshot, type Snapshot } from "../db/backup/snapshot.ts";
import type { Clock } from "../lib/clock.ts";
import { must } from "../lib/must.ts";
import { unlessMissing, makeFolder, removeParts } from "../lib/files.ts";
import {
  addToManifest,
  proveFile,
  readManifest,
  type ExportedFile,
  type Manifest,
} from "./manifest.ts";
import { writeQuery } from "./parquet.ts";

/** What is exported: one file per day of events, or one file with the present state. */
export interface Dataset {
  name: string;
  per: "day" | "now";
  /** `day` is YYYY-MM-DD of the marketplace's calendar; undefined for the present state. */
  query(day: string): string;
}

const zone = "(select timezone from analytics.marketplace)";
/** Where clocks go back over midnight, a day begins an hour before what Postgres takes for its midnight. */
const isOf = (day: string, at: string) => `
  ${at} >= '${day}'::timestamp at time zone ${zone} - interval '1 hour'
  and ${at} < ('${day}'::date + 1)::timestamp at time zone ${zone} and (${at} at time zone ${zone})::date = '${day}'::date`;

export const datasets: readonly Dataset[] = [
  {
    name: "prices",
    per: "day",
    query: (day) => `
      select c.item_id, '${day}'::date as day, c.confirmed_at, i.price, i.proper_price, i.stock
      from (
        select item_id, max(m) as confirmed_at from confirmation, unnest(moments) m
        where month = date_trunc('month', '${day}'::date)::date and ${isOf(day, "m")}
        group by item_id
      ) c
      cross join lateral (
        select * from price_interval x where x.item_id = c.item_id and x.first_seen <= c.confirmed_at
        order by x.first_seen desc limit 1
      ) i
      order by c.item_id`,
  },
  {
    name: "price_changes",
    per: "day",
    query: (day) => `
      select item_id, first_seen, price, proper_price, stock, prev_confirmed_at as previous_confirmed
      from price_interval where ${isOf(day, "first_seen")}
      order by first_seen, item_id`,
  },
  {
    name: "calls",
    per: "day",
    query: (day) => `select * from analytics.calls where day = '${day}' order by call_id`,
  },
  {
    name: "products",
    per: "now",
    query: () => `
      select item_id, shop_id, shop_name, state, title, price, proper_price, discount_percent, stock, in_stock,
        identifier, array_to_string(gtins, ',') as gtins, array_to_string(categories, ' > ') as categories, image_url,
        modified, first_seen_at, checked_at, changed_at, price_since, gone_at, changes_per_day
      from analytics.products order by item_id`,
  },
  {
    name: "variations",
    per: "now",
    query: () => "select * from analytics.variations order by item_id, variation_id",
  },
  {
    name: "shops",
    per: "now",
    query: () => "select * from analytics.shops order by shop_id",
  },
];

export type ExportFormat = ExportedFile["format"];

export interface ExportOptions {
  db: Db;
  databaseUrl: string;
  clock: Clock;
  folder: string;
  formats: readonly ExportFormat[];
  /** YYYY-MM-DD, both included. By default from the first day that is not archived to the last full day. */
  from?: string;
  to?: string;
  signal: AbortSignal;
  /** The full days of those asked for, before any is written. */
  onDays?(days: readonly string[]): void;
  onFile?(file: ExportedFile): void;
}

/** An answer of a call before midnight may be stored after it. After this time it is stored or has failed. */
const settledAfterMs = 3_600_000;

/**
 * Updates the folder: every full day that is not in the manifest, then the present state. A file
 * counts once it is complete and in the manifest, so the next run continues after a kill. Returns the
 * number of files written.
 */
export async function runExport(options: ExportOptions): Promise<number> {
  const { folder, signal } = options;
  await makeFolder(folder);
  let manifest = await readManifest(folder);
  manifest = { ...manifest, files: await withoutLate(options, manifest.files) };
  let written = 0;
  const days = await exportableDays(options);
  options.onDays?.(days);
  for (const day of days) {
    for (const dataset of daily) {
      const missing = await formatsToWrite(options, manifest, { dataset, day });
      manifest = await writeDataset(options, manifest, { dataset, day, formats: missing });
      written += missing.length;
      if (signal.aborted) return written;
    }
  }
  const today = await readToday(options);
  for (const dataset of datasets.filter(({ per }) => per === "now")) {
    const { formats } = options;
    manifest = await writeDataset(options, manifest, { dataset, day: today, formats });
    written += formats.length;
    if (signal.aborted) return written;
  }
  return written;
}

async function readToday({ db, clock }: ExportOptions): Promise<string> {
  const [row] = await db.execute<{ day: string }>(sql`
    select (${clock.now().toISOString()}::timestamptz at time zone timezone)::date::text as day from analytics.marketplace`);
  return must(row, "a day").day;
}

async function exportableDays(options: ExportOptions): Promise<string[]> {
  const settled = new Date(options.clock.now().getTime() - settledAfterMs).toISOString();
  const rows = await options.db.execute<{ day: string }>(sql`
    select d::date::text as day from analytics.marketplace m, generate_series(
      greatest((select min(first_seen_at) from shop) at time zone m.timezone, ${options.from ?? null}::date,
        (select max((value #>> '{}')::timestamptz) at time zone m.timezone + interval '1 day' from setting
         where key in ('history_from', 'calls_from')))::date,
      least((${settled}::timestamptz at time zone m.timezone)::date - 1, ${options.to ?? null}::date),
      interval '1 day') d order by 1`);
  return rows.map(({ day }) => day);
}

const daily = datasets.filter(({ per }) => per === "day");
/** For so many days the files are compared with the calls. */
const lateDays = 7;

/**
 * Leaves out the files of days that are no longer whole: an answer is kept while the database is away, and for calls the day
 * of an account in a zone further west ends later. Where clocks go back over midnight, a day begins an hour earlier.
 */
async function withoutLate(
  { db, clock }: ExportOptions,
  files: readonly ExportedFile[],
): Promise<ExportedFile[]> {
  const since = new Date(clock.now().getTime() - lateDays * 86_400_000).toISOString();
  const recent = files.filter(
    (file) => daily.some(({ name }) => name === file.dataset) && file.day >= since.slice(0, 10),
  );
  const late = await db.execute<{ file: string }>(sql`
    select file from json_to_recordset(${JSON.stringify(recent)}::text::json)
      as f(file text, dataset text, day date, written_at timestamptz), analytics.marketplace m
    where exists (select from api_call c
      where (f.dataset = 'calls' and c.day = f.day
          or f.dataset <> 'calls' and c.reserved_at >= f.day::timestamp at time zone m.timezone - interval '1 hour'
            and c.reserved_at < (f.day + 1)::timestamp at time zone m.timezone)
        and greatest(c.reserved_at, c.finished_at) > f.written_at
        and c.day >= ${since}::timestamptz::date - 2)`);
  const names = new Set(late.map(({ file }) => file));
  return files.filter(({ file }) => !names.has(file));
}

const fileName = (dataset: Dataset, day: string, format: ExportFormat) =>
  dataset.per === "day" ? `${dataset.name}-${day}.${format}` : `${dataset.name}.${format}`;

async function formatsToWrite(
  { folder, formats }: ExportOptions,
  manifest: Manifest,
  what: { dataset: Dataset; day: string },
): Promise<ExportFormat[]> {
  const missing: ExportFormat[] = [];
  for (const format of formats) {
    const file = fileName(what.dataset, what.day, format);
    const known = manifest.files.find((entry) => entry.file === file);
    const onDisk = await unlessMissing(stat(join(folder, file)));
    if (!known || onDisk?.size !== known.bytes) missing.push(format);
  }
  return missing;
}

/** Writes all formats of one dataset from one snapshot, then the manifest. */
async function writeDataset(
  options: ExportOptions,
  manifest: Manifest,
  what: { dataset: Dataset; day: string; formats: readonly ExportFormat[] },
): Promise<Manifest> {
  if (what.formats.length === 0) return manifest;
  const { folder, clock, databaseUrl, signal } = options;
  const query = what.dataset.query(what.day);
  const write = async (snapshot: Snapshot) => {
    const finished: ExportedFile[] = [];
    for (const format of what.formats) {
      const file = fileName(what.dataset, what.day, format);
      const path = join(folder, file);
      const rows = await writers[format](snapshot, query, `${path}.part`);
      finished.push({
        file,
        dataset: what.dataset.name,
        format,
        day: what.day,
        rows,
        ...(await proveFile(path)),
        written_at: clock.now().toISOString(),
      });
    }
    return finished;
  };
  const files = await withSnapshot(databaseUrl, write, signal).catch(async (error: unknown) => {
    const { dataset, day } = what;
    await removeParts(what.formats.map((format) => join(folder, fileName(dataset, day, format))));
    throw error;
  });
  // All at once: a file that is not as the manifest says is not handed out.
  for (const { file } of files) await rename(join(folder, `${file}.part`), join(folder, file));
  const next = await addToManifest(folder, manifest, files);
  for (const file of files) options.onFile?.(file);
  return next;
}

const writers: Record<
  ExportFormat,
  (snapshot: Snapshot, query: string, path: string) => Promise<number>
> = {
  parquet: writeQuery,
  async csv(snapshot, query, path) {
    await writeCsv(snapshot, query, path);
    const counted = snapshot.rows(`select count(*)::int as n from (${query}) q`, 1);
    for await (const [row] of counted) return Number(row?.n);
    return 0;
  },
};

/** OID of pg_type. */
const textOid = 25;

/**
 * Writes the result as CSV. Spreadsheets execute a cell that begins like a formula, so such a text gets a
 * leading apostrophe, which marks it as text. Numbers, and texts that are plain numbers, are not changed.
 */
async function writeCsv(snapshot: Snapshot, query: string, path: string): Promise<void> {
  const columns = await snapshot.columns(query);
  const cells = columns.map(({ name, type }) => {
    const column = `"${name.replaceAll('"', '""')}"`;
    return type === textOid ? `${neutralised(column)} as ${column}` : column;
  });
  await snapshot.csv(`select ${cells.join(", ")} from (${query}) q`, () => createWriteStream(path));
}

const formula = String.raw`'^[=+\-@\t\r\n＝＋－＠]'`;
const plainNumber = String.raw`'^[+-]?\d+([.,]\d+)*$'`;

function neutralised(column: string): string {
  return `case when ${column} ~ ${formula} and ${column} !~ ${plainNumber} then chr(39) || ${column} else ${column} end`;
}
