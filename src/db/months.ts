import { sql, type SQL } from "drizzle-orm";
import type { Db, Tx } from "./open.ts";

/**
 * The tables that are partitioned by month, with their partition key. Their first partition has no
 * beginning and their last one (`…_later`) no end, so every row has a place whatever its time is and
 * whether or not months were made ahead. A default partition would do the same, but then Postgres does
 * not read the partitions in the order of their times.
 */
export const monthTables = { price_interval: "first_seen", api_call: "day" } as const;
export type MonthTable = keyof typeof monthTables;

/** Months made ahead. */
const ahead = 3;

export interface Partition {
  name: string;
  /** ISO 8601, excluded; null: without end. */
  until: string | null;
}

/** In the order of time. */
export async function readPartitions(db: Db | Tx, table: MonthTable): Promise<Partition[]> {
  const rows = await db.execute<{ name: string; until: string | null }>(sql`
    select c.relname as name, to_char(b.until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS".000Z"') as until
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    cross join lateral (
      select (regexp_match(pg_get_expr(c.relpartbound, c.oid), 'TO \\(''([^'']+)''\\)'))[1]::timestamptz as until) b
    where i.inhparent = ${table}::regclass order by b.until nulls last`);
  return [...rows];
}

/** The start of the month of UTC that lies so many months after that of `now`. */
export function monthStart(now: Date, months: number): string {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months)).toISOString();
}

/** Gives the coming months a partition each. */
export async function makeMonths(db: Db, now: Date): Promise<void> {
  for (const table of Object.keys(monthTables) as MonthTable[]) await makeMonthsOf(db, table, now);
}

async function makeMonthsOf(db: Db, table: MonthTable, now: Date): Promise<void> {
  const key = sql.identifier(monthTables[table]);
  const later = sql.identifier(`${table}_later`);
  const [row] = await db.execute<{ newest: string | null }>(sql`
    select to_char(max(${key}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS".000Z"') as newest from ${later}`);
  const newest = row?.newest ?? null;
  if (newest !== null)
    await closeLater(db, table, new Date(Math.max(Date.parse(newest), now.getTime())));
  await briefly(db, table, async (tx) => {
    const known = (await readPartitions(tx, table)).at(-2)?.until;
    if (!known || known > monthStart(now, ahead)) return;
    await tx.execute(sql`drop table ${later}`);
    let from = known;
    while (from <= monthStart(now, ahead)) {
      const until = monthStart(new Date(from), 1);
      await tx.execute(partitionOf(table, monthName(table, from), { from, until }));
      from = until;
    }
    await tx.execute(partitionOf(table, `${table}_later`, { from, until: null }));
  });
}

/**
 * No month was made for a long time, or a clock was wrong, and rows are in the partition without end:
 * it becomes the partition of all months up to that of its newest row, and no row moves.
 */
async function closeLater(db: Db, table: MonthTable, newest: Date): Promise<void> {
  const later = `${table}_later`;
  const key = sql.identifier(monthTables[table]);
  const until = monthStart(newest, 1);
  const bound = sql.identifier("until");
  // Checked while others write, so that nothing is read under the lock.
  await briefly(db, table, async (tx) => {
    await tx.execute(sql`alter table ${sql.identifier(later)} drop constraint if exists ${bound}`);
    await tx.execute(sql`
      alter table ${sql.identifier(later)} add constraint ${bound} check (${key} < ${sql.raw(`'${until}'`)}) not valid`);
  });
  await db.execute(sql`alter table ${sql.identifier(later)} validate constraint ${bound}`);
  await briefly(db, table, async (tx) => {
    const from = (await readPartitions(tx, table)).at(-2)?.until ?? "";
    const name = sql.identifier(monthName(table, from));
    await tx.execute(sql`
      alter table ${sql.identifier(table)} detach partition ${sql.identifier(later)}`);
    await tx.execute(sql`alter table ${sql.identifier(later)} rename to ${name}`);
    await tx.execute(sql`
      alter table ${sql.identifier(table)} attach partition ${name} for values from ${bounds({ from, until })}`);
    await tx.execute(sql`alter table ${name} drop constraint ${bound}`);
    await tx.execute(partitionOf(table, later, { from: until, until: null }));
  });
}

/**
 * Changes the partitions of a table under a lock that all its users wait for: hence without reading
 * rows, and given up after 1.5 s (less than autovacuum needs to make room would never succeed).
 */
export function briefly<T>(db: Db, table: MonthTable, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`set local lock_timeout = '1500ms'`);
    await tx.execute(sql`lock table ${sql.identifier(table)} in access exclusive mode`);
    return work(tx);
  });
}

interface Bounds {
  /** null: without beginning. */
  from: string | null;
  until: string | null;
}

export function bounds({ from, until }: Bounds): SQL {
  return sql.raw(`(${from ? `'${from}'` : "minvalue"}) to (${until ? `'${until}'` : "maxvalue"})`);
}

const monthName = (table: MonthTable, from: string) =>
  `${table}_${from.slice(0, 7).replace("-", "_")}`;

function partitionOf(table: MonthTable, name: string, range: Bounds): SQL {
  return sql`create table ${sql.identifier(name)} partition of ${sql.identifier(table)}
    for values from ${bounds(range)}`;
}
