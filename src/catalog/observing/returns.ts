import { sql } from "drizzle-orm";
import { recordset } from "../../db/rows.ts";
import type { Tx } from "../../db/open.ts";
import { unlessHeld } from "../../db/transact.ts";
import type { Returned, Sighting } from "../sighting.ts";

/** What was deleted of a shop within this time was mostly deleted for the same reason. */
const together = "1 day";
/** Those that come back lead to the next ones. */
const mostAtOnce = 2000;

/**
 * A shop that lost most of its products at once, as by a holiday, and shows some of them again mostly has all others
 * again: notes these, and the planner asks for them. Each is noted once a day at most, however often others return.
 */
export async function noteReturns(
  tx: Tx,
  { sentAt }: Sighting,
  returned: readonly Returned[],
): Promise<void> {
  if (returned.length === 0) return;
  const at = sentAt.toISOString();
  const rows = returned.map(({ itemId, shopId, formerShopId, deletedAt }) => ({
    item_id: itemId,
    shop_id: shopId,
    former: formerShopId,
    deleted_at: deletedAt,
  }));
  await unlessHeld(tx, async (part) => {
    await part.execute(sql`
      delete from possible_return where noted_at < ${at}::timestamptz - interval '1 day'`);
    await part.execute(sql`
      with returned as (
        select * from ${recordset(rows, "x(item_id bigint, shop_id text, former text, deleted_at timestamptz)")}
      ), shops as (
        select former, min(shop_id) as shop_id, min(deleted_at) as first_at, max(deleted_at) as last_at
        from returned group by 1
      ), siblings as (
        select r.former, r.shop_id, p.item_id
        from shops r, lateral (
          select item_id from product
          where shop_id = r.former and state = 'gone'
            and deleted_at between r.first_at - ${together}::interval and r.last_at + ${together}::interval
          limit ${mostAtOnce}) p
      ), emptied as (
        select former from siblings s group by 1 having count(*) > (
          select count(*) from (
            select from product_schedule c where c.shop_id = s.former
              and c.item_id not in (select item_id from returned) limit ${mostAtOnce}) living)
      )
      insert into possible_return (item_id, shop_id, noted_at)
      select item_id, shop_id, ${at} from siblings where former in (select former from emptied) order by item_id
      on conflict (item_id) do nothing`);
  });
}
