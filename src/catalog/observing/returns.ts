import { sql } from "drizzle-orm";
import { recordset } from "../../db/rows.ts";
import type { Tx } from "../../db/open.ts";
import { unlessHeld } from "../../db/transact.ts";
import type { Returned, Sighting } from "../sighting.ts";

/** What was deleted of the same shop within this time mostly was deleted for the same reason, such as a holiday of the shop. */
const together = "1 day";
/** Those that come back lead to the next ones. */
const mostAtOnce = 500;

/**
 * Notes the products that were deleted together with those that have returned: they mostly return together, and the
 * planner asks for them. Each is noted once a day at most, however often others return.
 */
export async function noteReturns(
  tx: Tx,
  { sentAt }: Sighting,
  returned: readonly Returned[],
): Promise<void> {
  if (returned.length === 0) return;
  const at = sentAt.toISOString();
  const rows = returned.map(({ shopId, formerShopId, deletedAt }) => ({
    shop_id: shopId,
    former: formerShopId,
    deleted_at: deletedAt,
  }));
  await unlessHeld(tx, async (part) => {
    await part.execute(sql`
      delete from possible_return where noted_at < ${at}::timestamptz - interval '1 day'`);
    await part.execute(sql`
      insert into possible_return (item_id, shop_id, noted_at)
      select item_id, min(shop_id), ${at} from (
        select p.item_id, r.shop_id
        from (select shop_id, former, min(deleted_at) as first_at, max(deleted_at) as last_at
          from ${recordset(rows, "x(shop_id text, former text, deleted_at timestamptz)")} group by 1, 2) r
        join product p on p.shop_id = r.former and p.state = 'gone'
          and p.deleted_at between r.first_at - ${together}::interval and r.last_at + ${together}::interval
        limit ${mostAtOnce}) siblings
      group by item_id order by item_id
      on conflict (item_id) do nothing`);
  });
}
