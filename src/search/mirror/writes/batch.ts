import { sql, type SQL } from "drizzle-orm";
import { anyId, type RowOf, toRecords } from "../../../db/rows.ts";
import type { Db, Tx } from "../../../db/open.ts";
import type { TaskTicket } from "../../engine/engine.ts";

export type Operation = "replace" | "delete";
export type BatchRow = [itemId: number, version: number];

/** A write to the engine that is being prepared, or whose task may still run. */
export interface Batch {
  id: number;
  operation: Operation;
  size: number;
  /** Its rows were in a failed task, so no other task may run at the same time. */
  suspect: boolean;
  /** null: the engine has not confirmed that it accepted the write. */
  ticket: TaskTicket | null;
}

const taskTypes = { replace: "documentAdditionOrUpdate", delete: "documentDeletion" } as const;

type Row = {
  id: number;
  operation: Operation;
  size: number;
  suspect: boolean | null;
  task_uid: number | null;
  enqueued_at: string | null;
};

/** All rows of a batch are suspect or none is, so the first one tells. */
export async function readOpenBatches(db: Db | Tx, indexUid: string): Promise<Batch[]> {
  const found = await db.execute<Row>(sql`
    select b.id, b.operation, jsonb_array_length(b.rows) as size, b.task_uid, b.enqueued_at,
      (select m.attempts > 0 from mirror m
        where m.index_uid = b.index_uid and m.item_id = (b.rows -> 0 ->> 0)::bigint) as suspect
    from mirror_batch b
    where b.index_uid = ${indexUid} and b.state in ('building', 'sent') order by b.id`);
  return found.map(({ id, operation, size, suspect, task_uid, enqueued_at }) => ({
    id,
    operation,
    size,
    suspect: suspect === true,
    ticket: toTicket(indexUid, { operation, task_uid, enqueued_at }),
  }));
}

function toTicket(
  indexUid: string,
  { operation, task_uid, enqueued_at }: Pick<Row, "operation" | "task_uid" | "enqueued_at">,
): TaskTicket | null {
  if (task_uid === null || enqueued_at === null) return null;
  return { taskUid: task_uid, indexUid, type: taskTypes[operation], enqueuedAt: enqueued_at };
}

/** Why batches of a lost index were dropped. */
export const indexLost = "index lost";

/** The task of the last write that succeeded; null: none did on this day, or since the index was lost. */
export async function readLastTicket(db: Db, indexUid: string): Promise<TaskTicket | null> {
  const [row] = await db.execute<Row & { state: string }>(sql`
    select operation, task_uid, enqueued_at, state from mirror_batch
    where id = (select max(id) from mirror_batch
      where index_uid = ${indexUid} and (state = 'succeeded' or error = ${indexLost}))`);
  return row?.state === "succeeded" ? toTicket(indexUid, row) : null;
}

/**
 * The ids of the rows that have waited longest, without those in flight, because no id may be in two tasks
 * at once. Only the holder of the lease puts rows in flight, so they are its own to send until it looks again.
 */
export async function findDueRows(db: Db, indexUid: string, limit: number): Promise<number[]> {
  const rows = await db.execute<{ item_id: number }>(sql`
    with in_flight as materialized (
      select (r ->> 0)::bigint as item_id
      from mirror_batch b cross join lateral jsonb_array_elements(b.rows) r
      where b.index_uid = ${indexUid} and b.state in ('building', 'sent')
    )
    select item_id from mirror
    where index_uid = ${indexUid} and ${isDue} and item_id not in (select item_id from in_flight)
    order by next_at limit ${limit}`);
  return rows.map((row) => row.item_id);
}

/** `next_at` orders them only: it may be ahead of a clock that was set back. */
const isDue = sql`desired_version > indexed_version and dead_lettered_at is null`;

export interface DueRow {
  itemId: number;
  desiredVersion: number;
  /** Above 0: it was in a failed task. It is sent apart from others until the bad document is found. */
  attempts: number;
}

/** Those of these rows that are due in this transaction's snapshot, the longest waiting first. */
export async function readDueRows(
  tx: Tx,
  indexUid: string,
  itemIds: readonly number[],
): Promise<DueRow[]> {
  const rows = await tx.execute<RowOf<DueRow>>(sql`
    select item_id, desired_version, attempts from mirror
    where index_uid = ${indexUid} and item_id = ${anyId(itemIds)} and ${isDue} order by next_at`);
  return toRecords<DueRow>(rows, {});
}

export async function insertBatch(
  tx: Tx,
  batch: { indexUid: string; epoch: number; operation: Operation; rows: readonly BatchRow[] },
): Promise<number> {
  const [row] = await tx.execute<{ id: number }>(sql`
    insert into mirror_batch (index_uid, lease_epoch, operation, rows, state, created_at, updated_at)
    values (${batch.indexUid}, ${batch.epoch}, ${batch.operation},
      ${JSON.stringify(batch.rows)}::text::jsonb, 'building', clock_timestamp(), clock_timestamp())
    returning id`);
  if (!row) throw new Error("an insert without a row");
  return row.id;
}

export async function markSent(tx: Tx, batchId: number, ticket: TaskTicket): Promise<void> {
  await tx.execute(sql`
    update mirror_batch set state = 'sent', task_uid = ${ticket.taskUid},
      enqueued_at = ${ticket.enqueuedAt}, updated_at = clock_timestamp()
    where id = ${batchId} and state = 'building'`);
}

/** Its rows stay dirty and are sent again. */
export async function dropBatch(tx: Tx, batchId: number, reason: string): Promise<void> {
  await closeBatch(tx, batchId, "dropped", reason);
}

/**
 * After the task succeeded: its rows are indexed up to the version that was sent. A row that changed
 * meanwhile stays dirty, since the time at which the batch was built.
 */
export async function acknowledgeBatch(tx: Tx, indexUid: string, batchId: number): Promise<void> {
  const change = sql`
    indexed_version = excluded.desired_version, attempts = 0, error = null,
    dirty_since = case when m.desired_version > excluded.desired_version then excluded.dirty_since else m.dirty_since end
    where m.indexed_version < excluded.desired_version`;
  await upsertRows(tx, indexUid, rowsOfBatch(batchId), change);
  await closeBatch(tx, batchId, "succeeded", null);
}

/** After the task failed because of a document: its rows are suspects and are sent in smaller batches. */
export async function suspectBatch(
  tx: Tx,
  indexUid: string,
  batchId: number,
  fault: { attempts: number; error: string },
): Promise<void> {
  const change = sql`
    attempts = ${fault.attempts}, error = ${fault.error}, next_at = clock_timestamp()
    where m.desired_version = excluded.desired_version`;
  await upsertRows(tx, indexUid, rowsOfBatch(batchId), change);
  await closeBatch(tx, batchId, "failed", fault.error);
}

/** After a document failed alone: it is dead-lettered with its error until its content changes. */
export async function deadLetterBatch(
  tx: Tx,
  indexUid: string,
  batchId: number,
  error: string,
): Promise<void> {
  await upsertRows(tx, indexUid, rowsOfBatch(batchId), deadLettered(error));
  await closeBatch(tx, batchId, "failed", error);
}

export async function deadLetterRows(
  tx: Tx,
  indexUid: string,
  rows: readonly BatchRow[],
  error: string,
): Promise<void> {
  await upsertRows(tx, indexUid, rowsGiven(rows), deadLettered(error));
}

function deadLettered(error: string): SQL {
  return sql`dead_lettered_at = clock_timestamp(), error = ${error} where m.desired_version = excluded.desired_version`;
}

/** Marks rows whose content in the index is doubtful. They are sent or deleted once more. */
export async function markDirty(
  db: Db | Tx,
  indexUid: string,
  itemIds: readonly number[],
): Promise<void> {
  const unseen = rowsGiven(itemIds.map((itemId): BatchRow => [itemId, 1]));
  const change = sql`
    desired_version = m.desired_version + 1, next_at = excluded.next_at,
    dirty_since = case when m.desired_version = m.indexed_version then excluded.dirty_since else m.dirty_since end`;
  await upsertRows(db, indexUid, unseen, change);
}

function rowsGiven(rows: readonly BatchRow[]): SQL {
  return sql`
    select (r ->> 0)::bigint as item_id, (r ->> 1)::bigint as version, clock_timestamp() as at
    from json_array_elements(${JSON.stringify(rows)}::text::json) r`;
}

/** Returns no rows if the batch was closed meanwhile. */
function rowsOfBatch(batchId: number): SQL {
  return sql`
    select (r ->> 0)::bigint as item_id, (r ->> 1)::bigint as version, x.created_at as at
    from mirror_batch x cross join lateral jsonb_array_elements(x.rows) r
    where x.id = ${batchId} and x.state in ('building', 'sent')`;
}

/**
 * An upsert, because it always finds rows through the primary key. With outdated statistics a joined
 * update compared 40,000 rows with each of 2,000 and took 24 s. Locks rows in the order of ids, as all
 * code does here.
 */
export async function upsertRows(
  db: Db | Tx,
  indexUid: string,
  rows: SQL,
  change: SQL,
): Promise<void> {
  await db.execute(sql`
    insert into mirror as m (index_uid, item_id, desired_version, dirty_since, next_at)
    select ${indexUid}, b.item_id, b.version, b.at, clock_timestamp() from (${rows}) b order by b.item_id
    on conflict (index_uid, item_id) do update set ${change}`);
}

async function closeBatch(
  tx: Tx,
  batchId: number,
  state: "succeeded" | "failed" | "dropped",
  error: string | null,
): Promise<void> {
  await tx.execute(sql`
    update mirror_batch set state = ${state}, error = ${error}, updated_at = clock_timestamp()
    where id = ${batchId} and state in ('building', 'sent')`);
}
