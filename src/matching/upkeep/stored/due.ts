import { sql } from "drizzle-orm";
import { idList, oneMore, recordset } from "../../../db/rows.ts";
import type { Db, Tx } from "../../../db/open.ts";

/** A product due; `mark` tells whether it was marked again since it was read. */
export interface Due {
  itemId: number;
  mark: string;
}

/** Which slice: the next of a stage, or named products of it. */
export interface SliceRequest {
  stage: 0 | 1 | 2;
  limit: number;
  only?: readonly number[];
}

const longestPauseS = 3600;

/** `next_at` holds up only what fails, and not beyond its longest pause: the clock may have been set back. */
const mayBeTried = sql`(attempts = 0 or next_at <= clock_timestamp()
  or next_at > clock_timestamp() + ${longestPauseS}::int * interval '1 s')`;

/** Those that changed themselves come first. */
export async function readDue(tx: Tx, { stage, limit, only }: SliceRequest): Promise<Due[]> {
  const named = only ? sql`and item_id in ${idList(only)}` : sql``;
  const rows = await tx.execute<{ item_id: number; mark: string }>(sql`
    select item_id, xmin::text as mark from match_due
    where stage = ${stage} and ${mayBeTried} ${named}
    order by is_follower, next_at limit ${limit}`);
  return rows.map(({ item_id, mark }) => ({ itemId: item_id, mark }));
}

/** To the next stage; whatever was marked meanwhile stays where it is. */
export async function promote(tx: Tx, due: readonly Due[], stage: 1 | 2): Promise<void> {
  await tx.execute(sql`
    update match_due m set stage = ${stage}, attempts = 0 from ${marks(due)}
    where m.item_id = x.item_id and m.xmin::text = x.mark`);
}

export async function settle(tx: Tx, due: readonly Due[]): Promise<void> {
  await tx.execute(sql`
    delete from match_due m using ${marks(due)} where m.item_id = x.item_id and m.xmin::text = x.mark`);
}

function marks(due: readonly Due[]) {
  const rows = due.map(({ itemId, mark }) => ({ item_id: itemId, mark }));
  return recordset(rows, "x(item_id bigint, mark text)");
}

/** After a failure: tried again after a growing pause, or as soon as the product changes. */
export async function postpone(db: Db, itemIds: readonly number[]): Promise<void> {
  await db.execute(sql`
    update match_due set attempts = ${oneMore(sql`attempts`)}, next_at = clock_timestamp()
      + least(${longestPauseS}::int, power(2, least(attempts, 20))) * interval '1 s'
    where item_id in ${idList(itemIds)}`);
}

/** More are not counted. */
const mostCounted = 10_000;

export async function readMatchingStatus(db: Db) {
  const [row] = await db.execute<{ due: number; failing: number; lag: number | null }>(sql`
    select
      (select count(*) from (select from match_due limit ${mostCounted}) d) as due,
      (select count(*) from (select from match_due where attempts > 0 limit ${mostCounted}) d) as failing,
      (select extract(epoch from clock_timestamp() - since)::float8 from match_due where attempts = 0
        order by since limit 1) as lag`);
  return {
    due: row?.due ?? 0,
    /** Products whose matching fails; they are among the due. */
    failing: row?.failing ?? 0,
    /** For how long the oldest product due that does not fail has been waiting. */
    lagSeconds: Math.max(0, row?.lag ?? 0),
  };
}
