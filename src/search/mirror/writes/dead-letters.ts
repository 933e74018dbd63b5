import { sql } from "drizzle-orm";
import { idList, type RowOf, toRecords } from "../../../db/rows.ts";
import type { Db, Tx } from "../../../db/open.ts";
import { pageOf, type ListPage } from "../../../lib/page-of.ts";

/** A document that the search engine refuses. */
export interface DeadLetter {
  itemId: number;
  title: string;
  shopId: string;
  shopName: string;
  since: Date;
  error: string | null;
}

/** Ordered by item id, those after `after`; each product once, even if several indexes lack it. */
export async function readDeadLetters(
  db: Db,
  { limit, after }: { limit: number; after: number },
): Promise<ListPage<DeadLetter, number>> {
  const rows = await db.execute<RowOf<DeadLetter>>(sql`
    select d.item_id, p.title, p.shop_id, s.shop_name, d.since, d.error
    from (
      select item_id, max(dead_lettered_at) as since, max(error) as error from mirror
      where dead_lettered_at is not null and item_id > ${after}
      group by item_id order by item_id limit ${limit + 1}
    ) d join product p using (item_id) join shop s using (shop_id)
    order by d.item_id`);
  const found = toRecords<DeadLetter>(rows, { since: true });
  return pageOf(found, limit, ({ itemId }) => itemId);
}

/** Sends the documents again. Returns how many products were dead letters. */
export async function resendDeadLetters(tx: Tx, itemIds: readonly number[]): Promise<number> {
  const rows = await tx.execute<{ item_id: number }>(sql`
    with locked as (
      select index_uid, item_id from mirror
      where item_id in ${idList(itemIds)} and dead_lettered_at is not null
      order by index_uid, item_id for update
    )
    update mirror m set dead_lettered_at = null, error = null, attempts = 0, next_at = clock_timestamp()
    from locked l where m.index_uid = l.index_uid and m.item_id = l.item_id
    returning m.item_id`);
  return new Set(rows.map((row) => row.item_id)).size;
}
