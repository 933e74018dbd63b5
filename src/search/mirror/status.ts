import { sql, type SQL } from "drizzle-orm";
import { readCountsOf } from "../../catalog/counts.ts";
import type { Db, Tx } from "../../db/open.ts";
import { toRecords, type RowOf } from "../../db/rows.ts";
import { defaultIndexPrefix, readMirrorIndexes, type MirrorIndex } from "./indexes/indexes.ts";
import { verifySettingKey, type StoredVerify } from "./proof/verify.ts";

export interface MirrorStatus {
  /** null before the first index exists. */
  serving: IndexStatus | null;
  /** The index that a rebuild is filling; null without a rebuild. */
  building: IndexStatus | null;
  /** The result of the last consistency check; null before the first. */
  lastVerify: StoredVerify | null;
}

export interface IndexStatus {
  indexUid: string;
  /** false: it is being filled, and Postgres answers searches. */
  isSearched: boolean;
  /** Age of the oldest change that is not searchable yet, without dead-lettered ones; 0 if there is none. */
  lagSeconds: number;
  /** Rows whose last change is acknowledged, and pending rows. */
  clean: number;
  dirty: number;
  /** Documents that the engine refuses; at most 100 are listed with their error. */
  deadLettered: number;
  deadLetters: { itemId: number; since: Date; error: string | null }[];
  /** Age of the oldest open write; 0 without one. If it is high while the engine is healthy, the engine is stuck. */
  oldestTaskSeconds: number;
}

export async function readMirrorStatus(
  db: Db,
  indexPrefix = defaultIndexPrefix,
): Promise<MirrorStatus> {
  const indexes = await readMirrorIndexes(db, indexPrefix);
  const ofState = async (state: "serving" | "building") => {
    const statuses: IndexStatus[] = [];
    for (const index of indexes)
      if (index.state === state) statuses.push(await readIndexStatus(db, index));
    return statuses.length > 1 ? together(statuses) : (statuses[0] ?? null);
  };
  return {
    serving: await ofState("serving"),
    building: await ofState("building"),
    lastVerify: await readLastVerify(db, indexes.at(-1)?.indexUid ?? indexPrefix),
  };
}

/** The indexes of several hosts as one: the worst lag, and the sums of their rows. */
function together(statuses: readonly IndexStatus[]): IndexStatus {
  const all = <K extends keyof IndexStatus>(key: K) => statuses.map((status) => status[key]);
  const sum = (numbers: readonly number[]) => numbers.reduce((total, n) => total + n, 0);
  return {
    indexUid: all("indexUid").join(","),
    isSearched: all("isSearched").every(Boolean),
    lagSeconds: Math.max(...all("lagSeconds")),
    clean: sum(all("clean")),
    dirty: sum(all("dirty")),
    deadLettered: sum(all("deadLettered")),
    deadLetters: all("deadLetters").flat().slice(0, 100),
    oldestTaskSeconds: Math.max(...all("oldestTaskSeconds")),
  };
}

/** Since when a change of this index waits. Reads the first entry of an index, so that it is fast even if all rows wait. */
export const oldestChange = (indexUid: SQL): SQL => sql`(
  select dirty_since from mirror
  where index_uid = ${indexUid} and desired_version > indexed_version and dead_lettered_at is null
  order by index_uid, dirty_since limit 1)`;

/**
 * How long the oldest change has been waiting to become searchable; shown in every answer. Also counts changes that no
 * row shows yet: a lost index, a shop's new name. By the clock of Postgres, which told when they began. `indexUid` may
 * list the indexes of several hosts with commas.
 */
export async function readLagSeconds(db: Db | Tx, indexUid: string): Promise<number> {
  const [first = "", ...others] = indexUid.split(",");
  const lags = [await readLagOf(db, first)];
  for (const other of others) lags.push(await readLagOf(db, other));
  return Math.max(...lags);
}

async function readLagOf(db: Db | Tx, indexUid: string): Promise<number> {
  const [row] = await db.execute<{ lag: number | null }>(sql`
    select extract(epoch from clock_timestamp() - least(
      ${oldestChange(sql`${indexUid}`)},
      (select reset_since from mirror_index where index_uid = ${indexUid}),
      (select min(renamed_at) from shop_rename)))::float8 as lag`);
  return Math.max(0, row?.lag ?? 0);
}

type TaskRow = { is_lost: boolean; oldest_task: number | null };
type DeadLetter = IndexStatus["deadLetters"][number];

async function readIndexStatus(
  db: Db,
  { indexUid, state, isToProve }: MirrorIndex,
): Promise<IndexStatus> {
  const counts = await readCountsOf(db, `mirror ${indexUid}`, ["rows", "dirty", "dead_lettered"]);
  const deadLettered = counts.get("dead_lettered") ?? 0;
  const alive = (counts.get("rows") ?? 0) - deadLettered;
  const [open] = await db.execute<TaskRow>(sql`
    select reset_after is not null as is_lost,
      (select extract(epoch from clock_timestamp() - min(created_at))::float8
        from mirror_batch where index_uid = ${indexUid} and state in ('building', 'sent')) as oldest_task
    from mirror_index where index_uid = ${indexUid}`);
  // Nothing is sent to a lost index before all its rows are marked, so none is clean.
  const dirty = open?.is_lost ? alive : (counts.get("dirty") ?? 0);
  const letters = await db.execute<RowOf<DeadLetter>>(sql`
    select item_id, dead_lettered_at as since, error from mirror
    where index_uid = ${indexUid} and dead_lettered_at is not null order by dead_lettered_at desc limit 100`);
  return {
    indexUid,
    isSearched: state === "serving" && !isToProve,
    lagSeconds: await readLagSeconds(db, indexUid),
    clean: alive - dirty,
    dirty,
    deadLettered,
    deadLetters: toRecords<DeadLetter>(letters, { since: true }),
    oldestTaskSeconds: Math.max(0, open?.oldest_task ?? 0),
  };
}

async function readLastVerify(db: Db, indexUid: string): Promise<StoredVerify | null> {
  const [row] = await db.execute<{ value: StoredVerify }>(sql`
    select value from setting where key = ${verifySettingKey(indexUid)}`);
  return row?.value ?? null;
}
