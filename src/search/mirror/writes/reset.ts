import { sql } from "drizzle-orm";
import type { Tx } from "../../../db/open.ts";
import { indexLost, upsertRows } from "./batch.ts";

/**
 * Declares an index lost: drops its open batches, and its last one so that nobody relies on it or those before it,
 * and starts marking every row as not indexed. The
 * position is one row, which commits before the engine gets any request. Until `resetSlice` has
 * finished, nothing is sent to this index and it is not verified.
 */
export async function markIndexLost(tx: Tx, indexUid: string): Promise<void> {
  await tx.execute(sql`
    update mirror_batch set state = 'dropped', error = ${indexLost}, updated_at = clock_timestamp()
    where index_uid = ${indexUid} and (state in ('building', 'sent')
      or id = (select max(id) from mirror_batch where index_uid = ${indexUid} and state = 'succeeded'))`);
  await tx.execute(sql`
    update mirror_index set reset_after = 0, reset_since = coalesce(reset_since, clock_timestamp())
    where index_uid = ${indexUid}`);
}

/** What a process of another version has sent to a new index has another form, so all of it is sent again. */
export async function takeOver(tx: Tx, indexUid: string, settingsHash: string): Promise<void> {
  await markIndexLost(tx, indexUid);
  await tx.execute(sql`
    update mirror_index set settings_hash = ${settingsHash} where index_uid = ${indexUid}`);
}

/** Keeps the only host's index from searches until it is proven to be full again; false: it was not searched. */
export async function excludeIndex(tx: Tx, indexUid: string): Promise<boolean> {
  const rows = await tx.execute(sql`
    update mirror_index set switched_at = null
    where index_uid = ${indexUid} and state = 'serving' and switched_at is not null
      and exists (select from mirror where index_uid = ${indexUid})
    returning 1 as excluded`);
  return rows.length > 0;
}

/**
 * Marks the next `limit` rows of a lost index. Writers of the catalogue wait for at most one such
 * transaction. A row that changes meanwhile is dirty anyway, and a new row was never sent.
 */
export async function resetSlice(tx: Tx, indexUid: string, limit: number): Promise<void> {
  const [index] = await tx.execute<{ reset_after: number }>(sql`
    select reset_after from mirror_index
    where index_uid = ${indexUid} and reset_after is not null for update`);
  if (!index) return;
  const rows = await tx.execute<{ item_id: number }>(sql`
    select item_id from mirror where index_uid = ${indexUid} and item_id > ${index.reset_after}
    order by item_id limit ${limit}`);
  const last = rows.at(-1)?.item_id;
  if (last !== undefined) {
    const slice = sql`
      select item_id, desired_version as version, clock_timestamp() as at from mirror
      where index_uid = ${indexUid} and item_id > ${index.reset_after} and item_id <= ${last}`;
    const change = sql`
      indexed_version = 0, attempts = 0, dead_lettered_at = null, error = null, next_at = excluded.next_at,
      dirty_since = case when m.desired_version = m.indexed_version then excluded.dirty_since else m.dirty_since end
      where m.indexed_version > 0 or m.dead_lettered_at is not null`;
    await upsertRows(tx, indexUid, slice, change);
  }
  const isThrough = rows.length < limit;
  await tx.execute(sql`
    update mirror_index set reset_after = ${isThrough ? null : (last ?? null)}::bigint,
      reset_since = case when not ${isThrough}::boolean then reset_since end
    where index_uid = ${indexUid}`);
}
