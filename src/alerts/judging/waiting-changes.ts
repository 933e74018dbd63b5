import { sql } from "drizzle-orm";
import { idList, type RowOf } from "../../db/rows.ts";
import type { Db, Tx } from "../../db/open.ts";
import type { alertChange } from "../../db/schema.ts";
import type { JudgedChange } from "./judge.ts";
import { toJudged } from "./matches.ts";

export interface Waiting extends JudgedChange {
  itemId: number;
  /** Only this saved search is to judge it; absent: all. */
  only?: number | undefined;
}

type Row = RowOf<typeof alertChange.$inferSelect> & Pick<Waiting, "only">;

/** The next changes, in order. */
export async function readChangesToJudge(tx: Db | Tx, limit: number): Promise<Waiting[]> {
  const rows = await tx.execute<Row>(sql`
    select position, item_id, ver, kind, before, after, at
    from alert_change order by position limit ${limit}`);
  return toWaiting(tx, rows);
}

/** The changes with what judging needs of their products. */
export async function toWaiting(tx: Db | Tx, rows: readonly Row[]): Promise<Waiting[]> {
  if (rows.length === 0) return [];
  const groups = await readGroupIds(tx, rows);
  return rows.map((row) => {
    const { item_id: itemId, position, ver, kind, only } = row;
    const product = { itemId, groupIds: groups.get(itemId) ?? [] };
    const before = row.before && toJudged(row.before, product);
    const after = row.after && toJudged(row.after, product, before);
    return { position, itemId, ver, kind, at: new Date(row.at), before, after, only };
  });
}

/** For how long the oldest change has been waiting, in seconds; 0: none waits. */
export async function readJudgingLag(db: Db): Promise<number> {
  const [row] = await db.execute<{ seconds: number }>(sql`
    select extract(epoch from clock_timestamp() - at)::float8 as seconds
    from alert_change order by position limit 1`);
  return Math.max(0, row?.seconds ?? 0);
}

/** The group of each product, and the groups that became it; a saved search may name any of them. */
async function readGroupIds(
  tx: Db | Tx,
  products: readonly { item_id: number }[],
): Promise<Map<number, number[]>> {
  const itemIds = [...new Set(products.map(({ item_id: itemId }) => itemId))];
  const rows = await tx.execute<{ item_id: number; ids: number[] }>(sql`
    with recursive own as materialized (
      select item_id, group_id from group_member where item_id in ${idList(itemIds)}
    ), named as (
      select group_id as root, group_id from (select distinct group_id from own) o
      union
      select n.root, g.group_id from named n join product_group g on g.merged_into = n.group_id
    )
    select item_id, (select json_agg(n.group_id) from named n where n.root = own.group_id) as ids from own`);
  return new Map(rows.map((row) => [row.item_id, row.ids]));
}
