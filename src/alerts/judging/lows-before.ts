import { sql, type SQL } from "drizzle-orm";
import { perPeriod } from "../../catalog/history/lows.ts";
import { slipDays } from "../../catalog/history/price-drops.ts";
import type { Tx } from "../../db/open.ts";
import { lowWindows } from "../../db/schema.ts";
import type { KnownLow, LowBeforeWindow } from "./judge.ts";

export interface Moment {
  itemId: number;
  /** ISO 8601: when the present price was first seen. */
  since: string;
  /** The saved search's `confirmFactor`. */
  factor: number;
}

/** For each product and moment. */
export type LowsBefore = ReadonlyMap<string, Record<LowBeforeWindow, KnownLow | null>>;

export const momentName = ({ itemId, since, factor }: Moment) => `${itemId} ${since} ${factor}`;

type Row = {
  item_id: number;
  since: string;
  factor: number;
  lows: Record<LowBeforeWindow, { f1: number; f2: string } | null>;
};

const windows: readonly LowBeforeWindow[] = [...lowWindows, "slip"];

/**
 * The lowest price in each window that ends at a moment, of what was seen before it; prices of 0 are none, and
 * neither are those seen once between prices that are more than the factor as high: slips, never confirmed.
 * What was seen before is never changed, so the answer is the same at any later time.
 */
export async function readLowsBefore(tx: Tx, moments: readonly Moment[]): Promise<LowsBefore> {
  if (moments.length === 0) return new Map();
  const lowestSince = (since: SQL) =>
    sql`min(row(price, first_seen)) filter (where last_confirmed >= ${since})`;
  const lowest = sql`${perPeriod(sql`w.at`, lowestSince)}, 'slip', ${lowestSince(sql`w.at - ${slipDays}::int * interval '1 day'`)}`;
  const input = moments.map(({ itemId, ...moment }) => ({ item_id: itemId, ...moment }));
  const rows = await tx.execute<Row>(sql`
    select w.item_id, w.since, w.factor, l.lows
    from (select item_id, since, since::timestamptz as at, factor
      from json_to_recordset(${JSON.stringify(input)}::text::json) as x(item_id bigint, since text, factor float8)) w
    cross join lateral (
      select json_build_object(${lowest}) as lows
      from (
        select i.price, i.first_seen, i.prev_price, lead(i.price) over later as next_price,
          lead(i.prev_confirmed_at) over later as last_confirmed
        from price_interval i where i.item_id = w.item_id and i.first_seen <= w.at
        window later as (order by i.first_seen)
        union all
        select price, first_seen, null, null, first_seen from archived_low where item_id = w.item_id
      ) seen
      where price > 0 and first_seen < w.at and (last_confirmed = first_seen
        and prev_price > price * w.factor and next_price > price * w.factor) is not true
    ) l`);
  return new Map(
    rows.map(({ item_id: itemId, since, factor, lows }) => [
      momentName({ itemId, since, factor }),
      Object.fromEntries(
        windows.map((window) => {
          const low = lows[window];
          return [window, low && { price: low.f1, at: new Date(low.f2).toISOString() }];
        }),
      ) as Record<LowBeforeWindow, KnownLow | null>,
    ]),
  );
}
