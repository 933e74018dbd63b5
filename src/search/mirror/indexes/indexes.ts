import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import type { Db, Tx } from "../../../db/open.ts";
import { toRecords, type RowOf } from "../../../db/rows.ts";
import { andPlaced, hostOf } from "./hosts.ts";

/** Index names are this prefix and a version number. Each Kurabe on a shared engine has its own prefix. */
export const defaultIndexPrefix = "products_v";

export interface MirrorIndex {
  indexUid: string;
  state: "building" | "serving" | "retired";
  epoch: string;
  settingsHash: string;
  switchedAt: Date | null;
  /** Products up to this id have rows; null: all have. */
  enteredTo: number | null;
  /** Of the only host and in service, but not searched before it is proven to have all products. */
  isToProve: boolean;
  /** The engine lost the index, and not all of its rows are marked yet. */
  isResetting: boolean;
}

type StoredIndex = Omit<MirrorIndex, "isToProve">;

export async function readMirrorIndexes(db: Db | Tx, prefix: string): Promise<MirrorIndex[]> {
  const rows = await db.execute<RowOf<StoredIndex>>(sql`
    select index_uid, state, epoch, settings_hash, switched_at, entered_to, reset_after is not null as is_resetting
    from mirror_index
    where starts_with(index_uid, ${prefix}) order by created_at, index_uid`);
  return toRecords<StoredIndex>(rows, { switchedAt: true }).map((index) => ({
    ...index,
    isToProve:
      index.state === "serving" && hostOf(index.indexUid) === 0 && index.switchedAt === null,
  }));
}

/**
 * Inserts a new index. After the commit, triggers mark every change for it. The table lock waits for
 * open transactions whose triggers cannot see the index yet; without it, both the triggers and the
 * copy could miss a product. Other writers queue behind this lock, so it gives up soon.
 */
export async function openMirrorIndex(
  db: Db | Tx,
  wanted: { prefix: string; state: "building" | "serving"; settingsHash: string },
): Promise<string> {
  const { prefix, state, settingsHash } = wanted;
  return db.transaction(async (tx) => {
    await tx.execute(sql`set local lock_timeout = '2s'`);
    await tx.execute(sql`lock table product in share row exclusive mode`);
    const indexes = await readMirrorIndexes(tx, prefix);
    const same = indexes.find((index) => index.state === state);
    if (same) return same.indexUid;
    const versions = indexes.map((index) => Number(index.indexUid.slice(prefix.length)) || 0);
    const indexUid = `${prefix}${Math.max(0, ...versions) + 1}`;
    await tx.execute(sql`
      insert into mirror_index (index_uid, host, state, epoch, settings_hash, created_at, switched_at)
      values (${indexUid}, ${hostOf(prefix)}, ${state}, ${randomUUID()}, ${settingsHash}, clock_timestamp(),
        case when ${state} = 'serving' and not exists (select from product where state <> 'gone') then clock_timestamp() end)`);
    return indexUid;
  });
}

const enteredAtOnce = 5000;

/**
 * Inserts rows for the next products that the index may lack; its row has the position to continue from.
 * In a bucket that is being filled, a row may be left of an earlier time: its product is sent again.
 */
export async function enterProducts(db: Db, indexUid: string): Promise<void> {
  const conflict =
    hostOf(indexUid) === 0
      ? sql`do nothing`
      : sql`(index_uid, item_id) do update set desired_version = m.desired_version + 1,
          dirty_since = excluded.dirty_since, next_at = excluded.next_at
        where m.desired_version = m.indexed_version and exists (select from search_placement pl
          where pl.host = ${hostOf(indexUid)} and pl.bucket = search_bucket(m.item_id) and pl.state = 'filling')`;
  await db.execute(sql`
    with chunk as materialized (
      select item_id from product
      where item_id > (select entered_to from mirror_index where index_uid = ${indexUid}) and state <> 'gone'
      order by item_id limit ${enteredAtOnce}
    ), added as (
      insert into mirror as m (index_uid, item_id, desired_version, dirty_since, next_at)
      select ${indexUid}, item_id, 1, clock_timestamp(), clock_timestamp() from chunk
      where true${andPlaced(indexUid, sql`item_id`)}
      on conflict ${conflict}
    )
    update mirror_index set entered_to =
      case when (select count(*) from chunk) = ${enteredAtOnce} then (select max(item_id) from chunk) end
    where index_uid = ${indexUid}`);
}

/** The connections of a process that mirrors. */
export const mirrorPool = { maxConnections: 4, statementTimeoutMs: 60_000 };

/** Lets searches read an index that is proven. */
export async function markSearched(tx: Tx, indexUid: string): Promise<void> {
  await tx.execute(sql`
    update mirror_index set switched_at = clock_timestamp()
    where index_uid = ${indexUid} and state = 'serving' and reset_after is null`);
}

export async function switchServing(
  tx: Tx,
  to: { prefix: string; indexUid: string; settingsHash: string },
): Promise<void> {
  const { prefix, indexUid, settingsHash } = to;
  await tx.execute(sql`
    update mirror_index set state = 'retired', switched_at = clock_timestamp()
    where state = 'serving' and starts_with(index_uid, ${prefix})`);
  await tx.execute(sql`
    update mirror_index set state = 'serving', switched_at = clock_timestamp(), settings_hash = ${settingsHash}
    where index_uid = ${indexUid} and state = 'building'`);
  await dropRetiredBatches(tx);
}

async function dropRetiredBatches(tx: Tx): Promise<void> {
  await tx.execute(sql`
    update mirror_batch set state = 'dropped', error = 'index retired', updated_at = clock_timestamp()
    where state in ('building', 'sent')
      and index_uid in (select index_uid from mirror_index where state = 'retired')`);
}

/** Retires an index that another database fills, and opens one in its place; returns the new one's name. */
export async function leaveIndex(
  tx: Tx,
  prefix: string,
  { indexUid, state, settingsHash }: MirrorIndex,
): Promise<string> {
  await tx.execute(sql`
    update mirror_index set state = 'retired', switched_at = null where index_uid = ${indexUid}`);
  await dropRetiredBatches(tx);
  const same = state === "building" ? state : "serving";
  return openMirrorIndex(tx, { prefix, state: same, settingsHash });
}

/** Deletes up to `limit` rows of a retired index; false if none was left. */
export async function forgetRows(db: Db, indexUid: string, limit: number): Promise<boolean> {
  const rows = await db.execute(sql`
    delete from mirror where index_uid = ${indexUid} and item_id in (
      select item_id from mirror where index_uid = ${indexUid} limit ${limit})
    returning 1 as gone`);
  return rows.length > 0;
}

export async function forgetIndex(db: Db, indexUid: string): Promise<void> {
  await db.execute(sql`delete from mirror_batch where index_uid = ${indexUid}`);
  await db.execute(
    sql`delete from mirror_index where index_uid = ${indexUid} and state = 'retired'`,
  );
}
