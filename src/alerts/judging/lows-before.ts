import { sql } from "drizzle-orm";
import { perPeriod } from "../../catalog/history/lows.ts";
import type { Tx } from "../../db/open.ts";
import { lowWindows, type LowWindow } from "../../db/schema.ts";
import type { KnownLow } from "./judge.ts";

export interface Moment {
  itemId: number;
  /** ISO 8601: when the present price was first seen. */
  since: string;
}

/** For each product and moment. */
export type LowsBefore = ReadonlyMap<string, Record<LowWindow, KnownLow | null>>;

export const momentName = ({ itemId, since }: Moment) => `${itemId} ${since}`;

type Row = {
  item_id: number;
  since: string;
  lows: Record<LowWindow, { f1: number; f2: string } | null>;
};

/**
 * The lowest price in each window that ends at a moment, of what was seen before it; prices of 0 are none.
 * What was seen before is never changed, so the answer is the same at any later time.
 */
export async function readLowsBefore(tx: Tx, moments: readonly Moment[]): Promise<LowsBefore> {
  if (moments.length === 0) return new Map();
  const lowest = perPeriod(
    sql`w.at`,
    (since) => sql`min(row(price, first_seen)) filter (where last_confirmed >= ${since})`,
  );
  const input = moments.map(({ itemId, since }) => ({ item_id: itemId, since }));
  const rows = await tx.execute<Row>(sql`
    select w.item_id, w.since, l.lows
    from (select item_id, since, since::timestamptz as at
      from json_to_recordset(${JSON.stringify(input)}::text::json) as x(item_id bigint, since text)) w
    cross join lateral (
      select json_build_object(${lowest}) as lows
      from (
        select i.price, i.first_seen,
          lead(i.prev_confirmed_at) over (order by i.first_seen) as last_confirmed
        from price_interval i where i.item_id = w.item_id and i.first_seen <= w.at
        union all
        select price, first_seen, first_seen from archived_low where item_id = w.item_id
      ) seen
      where price > 0 and first_seen < w.at
    ) l`);
  return new Map(
    rows.map(({ item_id: itemId, since, lows }) => [
      momentName({ itemId, since }),
      Object.fromEntries(
        lowWindows.map((window) => {
          const low = lows[window];
          return [window, low && { price: low.f1, at: new Date(low.f2).toISOString() }];
        }),
      ) as Record<LowWindow, KnownLow | null>,
    ]),
  );
}
