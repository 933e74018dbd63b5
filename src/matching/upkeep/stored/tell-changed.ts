import { sql } from "drizzle-orm";
import { anyId } from "../../../db/lists.ts";
import type { Tx } from "../../../db/open.ts";

/** Gives each of these products that is not deleted a change of its own, and sends its document anew. */
export async function tellChanged(tx: Tx, itemIds: readonly number[]): Promise<void> {
  if (itemIds.length === 0) return;
  await tx.execute(sql`
    with living as (
      insert into pending_change (item_id, ver, kind, price, stock, prev_price, prev_stock)
      select item_id, ver, 'changed', price, stock, price, stock from product
      where item_id = ${anyId(itemIds)} and state <> 'gone' order by item_id
      returning item_id
    )
    select mirror_mark_dirty(array(select item_id from living))`);
}
