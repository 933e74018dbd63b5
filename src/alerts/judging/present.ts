import { sql, type SQL } from "drizzle-orm";
import { textList } from "../../db/rows.ts";
import type { Tx } from "../../db/open.ts";
import type { ProductFacts, SavedQuery } from "../../db/schema.ts";
import { judgeInOrder, type JudgingDeps } from "./judging.ts";
import { toWaiting } from "./waiting-changes.ts";

const added = { position: 0, kind: "added", before: null } as const;
/** Products that are told of when a saved search is made. */
const mostPresent = 200;

/** Whether the query names products, so that few are to be looked at. */
export const namesProducts = (query: SavedQuery): boolean =>
  query.item_id !== undefined || query.group_id !== undefined || query.gtin !== undefined;

type Present = { item_id: number; ver: number; after: ProductFacts; at: string };

/** Judges the products that a new saved search names as if they were new. */
export async function judgePresent(
  tx: Tx,
  deps: JudgingDeps,
  { savedSearchId, query }: { savedSearchId: number; query: SavedQuery },
): Promise<void> {
  await tx.execute(sql`select from alert_head for update`);
  const rows = await tx.execute<Present>(sql`
    select item_id, ver, clock_timestamp() as at,
      alert_facts(title, categories, shop_id, price, proper_price, stock, variations, price_since) as after
    from product p where p.state <> 'gone' and p.item_id in (${idsOf(query)})
    order by item_id limit ${mostPresent}`);
  const changes = rows.map((row) => ({ ...row, ...added, only: savedSearchId }));
  await judgeInOrder(tx, deps, await toWaiting(tx, changes));
}

function idsOf({ item_id: itemId, gtin, group_id: groupId }: SavedQuery): SQL {
  if (itemId !== undefined) return sql`select ${itemId}::bigint`;
  if (gtin) return sql`select item_id from variation where gtin in ${textList(gtin)}`;
  // The group may have gone into another.
  return sql`
    with recursive heir as (
      select ${groupId ?? 0}::bigint as group_id
      union
      select g.merged_into from heir join product_group g using (group_id) where g.merged_into is not null
    )
    select item_id from heir join group_member using (group_id)`;
}
