import { sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/open.ts";
import { transact } from "../../db/transact.ts";
import type { Clock } from "../../lib/clock.ts";
import { must } from "../../lib/must.ts";

/** Changes per transaction. */
const sliceSize = 2000;
const idleMs = 500;

/**
 * A step for `runLoop`: gives positions to committed changes that have none, and returns the pause in
 * milliseconds. A transaction that is still open shows its changes when it has committed, so they get
 * later positions and no reader has passed them. Any number of processes may run it; one at a time works.
 */
export async function orderChanges(db: Db, clock: Clock, limit = sliceSize): Promise<number> {
  const [waiting] = await db.execute<{ is: boolean }>(
    sql`select exists (select from pending_change) as is`,
  );
  if (!waiting?.is) return idleMs;
  const given = await transact(db, clock, (tx) => giveSlice(tx, limit));
  return given === limit ? 0 : idleMs;
}

async function giveSlice(tx: Tx, limit: number): Promise<number> {
  // A statement of its own, so that the next one sees all that the last holder of the lock has done.
  const head = await tx.execute(sql`select from change_head for update skip locked`);
  if (head.length === 0) return 0;
  await leaveLostOrder(tx);
  const [row] = await tx.execute<{ given: number }>(sql`
    with taken as (
      delete from pending_change where id = any (array(select id from pending_change order by id limit ${limit}))
      returning *
    ), numbered as (
      select *, row_number() over (order by id) as n from taken
    ), placed as (
      insert into product_change (position, item_id, ver, kind, price, stock, prev_price, prev_stock, at)
      select h.position + n, t.item_id, t.ver, t.kind, t.price, t.stock, t.prev_price, t.prev_stock, t.at
      from numbered t, change_head h
    ), to_judge as (
      insert into alert_change (position, item_id, ver, kind, before, after, at)
      select h.position + n, t.item_id, t.ver, t.kind, t.before, t.after, t.at
      from numbered t, change_head h where t.before is not null or t.after is not null
    )
    update change_head set position = position + (select count(*) from taken)
    returning new.position - old.position as given`);
  return row?.given ?? 0;
}

/** Slices within a request: each takes some 60 ms. */
const mostSlices = 3;

/**
 * The last position of the changes that are committed: all that commits from now on gets a later one. Those without
 * one get it now, and nobody else gives positions until the transaction ends. If there are too many for that, the
 * others are counted; then what is being stored just now may count as stored.
 */
export async function readLastPosition(tx: Tx): Promise<number> {
  await tx.execute(sql`select from change_head for update`);
  let given = sliceSize;
  for (let slices = 0; slices < mostSlices && given === sliceSize; slices += 1)
    given = await giveSlice(tx, sliceSize);
  const [head] = await tx.execute<{ position: number }>(sql`
    select position + (select count(*) from pending_change) as position from change_head`);
  return must(head, "the head of the changes").position;
}

/**
 * A replica that was promoted, or a server brought back to an earlier point, may lack changes that readers have seen,
 * and would give their positions to others. Each of these begins a new timeline of Postgres; the order gets a new name
 * then, by which its readers know that they must begin anew.
 */
async function leaveLostOrder(tx: Tx): Promise<void> {
  await tx.execute(sql`
    with present as (
      insert into setting as s (key, value, updated_at)
      values ('timeline', to_jsonb(left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)), now())
      on conflict (key) do update set value = excluded.value, updated_at = excluded.updated_at
      where s.value <> excluded.value
      returning old.value is not null as is_new
    )
    update change_head set epoch = default where exists (select from present where is_new)`);
}

/** For how long the first change without a position has been waiting, in seconds; 0: none waits. */
export async function readChangeLag(db: Db): Promise<number> {
  const [row] = await db.execute<{ seconds: number }>(sql`
    select extract(epoch from clock_timestamp() - at)::float8 as seconds
    from pending_change order by id limit 1`);
  return Math.max(0, row?.seconds ?? 0);
}

/** Changes that one statement looks at. */
const thinned = 2000;

/**
 * Keeps only the newest change of each product among those before that moment (ISO 8601). Readers miss nothing by it,
 * because they get the present state of a product with its newest change. Each change is looked at
 * once, when it gets old, so the cost follows the number of changes.
 */
export async function thinChanges(db: Db, before: string, signal: AbortSignal): Promise<void> {
  let looked = thinned;
  while (looked === thinned && !signal.aborted) {
    const [row] = await db.execute<{ looked: number }>(sql`
      with next as materialized (
        select position, item_id, at from product_change
        where position > (select thinned_to from change_head) order by position limit ${thinned}
      ), slice as materialized (
        select position, item_id from next
        where position < coalesce((select min(position) from next where at >= ${before}), ${Number.MAX_SAFE_INTEGER}::bigint)
      ), dropped as (
        delete from product_change c using slice s where c.item_id = s.item_id and c.position < s.position
      ), moved as (
        update change_head set thinned_to = greatest(thinned_to, (select max(position) from slice))
        where exists (select from slice)
      )
      select count(*) as looked from slice`);
    looked = row?.looked ?? 0;
  }
}
