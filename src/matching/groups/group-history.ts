import { sql } from "drizzle-orm";
import { lowestOf, readLows, type Lows } from "../../catalog/history/lows.ts";
import { idList } from "../../db/rows.ts";
import type { Db } from "../../db/open.ts";
import { lowestSpans, type PriceSpan, type SeenPrice } from "./lowest-spans.ts";

export interface GroupHistory {
  lows: Lows;
  /** The lowest price of all of them over time, oldest first. */
  lowest: PriceSpan[];
}

/** So many of each product, the newest ones. */
const maxIntervals = 200;

/** What the prices of these products were together. */
export async function readGroupHistory(
  db: Db,
  itemIds: readonly number[],
  now: Date,
): Promise<GroupHistory> {
  const [lows, seen] = await Promise.all([readLows(db, itemIds, now), readSeen(db, itemIds)]);
  return { lows: lowestOf([...lows.values()]), lowest: lowestSpans(seen) };
}

type Row = { item_id: number; price: number; from: string; to: string; is_cut: boolean };

/** A price counts until the next one was seen: the gaps between two checks are no change of the lowest. */
async function readSeen(db: Db, itemIds: readonly number[]): Promise<SeenPrice[]> {
  const rows = await db.execute<Row>(sql`
    select p.item_id, i.price, i.first_seen as from, coalesce(
      lead(i.first_seen) over (partition by p.item_id order by i.first_seen), p.checked_at) as to,
      row_number() over (partition by p.item_id order by i.first_seen desc) = ${maxIntervals} as is_cut
    from product p cross join lateral (
      select price, first_seen from price_interval i where i.item_id = p.item_id
      order by first_seen desc limit ${maxIntervals}
    ) i
    where p.item_id in ${idList(itemIds)}`);
  // Before that moment a product may have had prices that were not read.
  const since = rows.reduce((latest, row) => {
    const from = new Date(row.from);
    return row.is_cut && from > latest ? from : latest;
  }, new Date(0));
  return rows.flatMap((row) => {
    const [from, to] = [new Date(row.from), new Date(row.to)];
    if (to <= since) return [];
    return [{ itemId: row.item_id, price: row.price, from: from > since ? from : since, to }];
  });
}
