import { sql } from "drizzle-orm";
import { idList } from "../../db/rows.ts";
import type { Tx } from "../../db/open.ts";

/** Lets products be checked at once. As everywhere, shops are locked before the schedules of their products. */
export async function makeDue(tx: Tx, itemIds: readonly number[], at: Date): Promise<void> {
  const now = at.toISOString();
  const schedules = sql`product_schedule where item_id in ${idList(itemIds)}`;
  await tx.execute(sql`
    with locked as (
      select shop_id from shop where shop_id in (select shop_id from ${schedules})
      order by shop_id collate "C" for no key update
    )
    update shop s set due_at = ${now} from locked l where s.shop_id = l.shop_id and s.due_at > ${now}`);
  await tx.execute(sql`
    with locked as (select item_id from ${schedules} order by item_id for no key update)
    update product_schedule c set due_at = ${now} from locked l
    where c.item_id = l.item_id and c.due_at > ${now}`);
}
