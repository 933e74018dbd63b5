import { sql } from "drizzle-orm";
import { lowestOf, readLows, type Lows } from "../../catalog/history/lows.ts";
import { idList } from "../../db/rows.ts";
import type { Db } from "../../db/open.ts";

/** A price of one product, from when it was first seen to when the next one was, or to its last check. */
export interface SeenPrice {
  itemId: number;
  /** 0: none was stated. */
  price: number;
  from: Date;
  to: Date;
}

/** A stretch of time in which the lowest price of several products was the same. */
export interface PriceSpan {
  price: number;
  firstSeen: Date;
  lastConfirmed: Date;
}

/** The lowest price over time, oldest first. Where nothing has a price, there is no span. */
export function lowestSpans(seen: readonly SeenPrice[]): PriceSpan[] {
  const priced = seen
    .filter(({ price, from, to }) => price > 0 && from < to)
    .toSorted((a, b) => a.from.getTime() - b.from.getTime());
  const ends = priced.flatMap(({ from, to }) => [from.getTime(), to.getTime()]);
  const moments = [...new Set(ends)].toSorted((a, b) => a - b);
  const spans: PriceSpan[] = [];
  let open: SeenPrice[] = [];
  let begun = 0;
  for (const [i, moment] of moments.entries()) {
    open = open.filter(({ to }) => to.getTime() > moment);
    for (let one = priced[begun]; one?.from.getTime() === moment; one = priced[begun]) {
      open.push(one);
      begun += 1;
    }
    const next = moments[i + 1];
    if (next === undefined || open.length === 0) continue;
    const price = Math.min(...open.map((one) => one.price));
    const last = spans.at(-1);
    if (last?.price === price && last.lastConfirmed.getTime() === moment) {
      last.lastConfirmed = new Date(next);
    } else {
      spans.push({ price, firstSeen: new Date(moment), lastConfirmed: new Date(next) });
    }
  }
  return spans;
}

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
