import { sql, type SQL } from "drizzle-orm";
import { idList } from "../../db/rows.ts";
import type { Db } from "../../db/open.ts";
import { lowWindows, type LowWindow } from "../../db/schema.ts";
import { inParts } from "../../lib/async.ts";

export interface Low {
  price: number;
  /** When the earliest interval with that price began, of those that reach into the period: it may be before the period. */
  at: Date;
  /** Checks in the period whose time is known. With few of them the low is less certain. */
  observations: number;
}

/** The lowest price of each period that ends now; null if none was seen. */
export type Lows = Record<LowWindow, Low | null>;

/** In days; null: for ever. */
const lengths: Record<LowWindow, number | null> = { "30d": 30, "90d": 90, "1y": 365, all: null };

/** What SQL makes of each period that ends at a moment, for `json_build_object`. */
export function perPeriod(end: SQL, valueOf: (since: SQL) => SQL): SQL {
  const members = lowWindows.map((period) => {
    const days = lengths[period];
    const since =
      days === null ? sql`'-infinity'::timestamptz` : sql`${end} - ${days}::int * interval '1 day'`;
    return sql`${period}::text, ${valueOf(since)}`;
  });
  return sql.join(members, sql`, `);
}

/** For each period the lowest price with its first sight, and the number of checks. */
type Row = { item_id: number; lows: Record<keyof Lows, { f1: number; f2: string } | null> } & {
  observations: Record<keyof Lows, number>;
};

/** Products of one statement: their rows are on pages of their own, of which few are in memory. */
const part = 25;

/**
 * The lows of each product, of which only their own rows are read. They use every interval
 * that overlaps the period. A price of 0 means no price. The times of known checks are both ends of every
 * interval and the last check of each day; others are not kept. Of archived intervals only the lowest
 * price is known.
 */
export async function readLows(
  db: Db,
  itemIds: readonly number[],
  now: Date,
): Promise<Map<number, Lows>> {
  const lows = new Map(itemIds.map((id): [number, Lows] => [id, { ...noLows }]));
  const end = sql`${now.toISOString()}::timestamptz`;
  const readPart = (ids: readonly number[]) =>
    db.execute<Row>(sql`
    with wanted as (
      select item_id, checked_at from product where item_id in ${idList(ids)}
    ), spans as materialized (
      select i.item_id, i.price, i.first_seen, coalesce(
        lead(i.prev_confirmed_at) over (partition by i.item_id order by i.first_seen),
        w.checked_at) as last_confirmed
      from wanted w join price_interval i using (item_id)
    ), checks as (
      select item_id, first_seen as at from spans
      union select item_id, last_confirmed from spans
      union select c.item_id, unnest(c.moments) from wanted w join confirmation c using (item_id)
    ), counted as (
      select item_id,
        json_build_object(${perPeriod(end, (since) => sql`count(*) filter (where at >= ${since})`)}) as observations
      from checks group by item_id
    ), lowest as (
      select item_id, json_build_object(${perPeriod(
        end,
        (since) => sql`min(row(price, first_seen)) filter (where last_confirmed >= ${since})`,
      )}) as lows
      from (
        select item_id, price, first_seen, last_confirmed from spans where price > 0
        union all
        select item_id, price, first_seen, first_seen from wanted join archived_low using (item_id)
      ) priced group by item_id
    )
    select item_id, lows, observations from lowest join counted using (item_id)`);
  const rows = await inParts(itemIds, part, readPart);
  for (const { item_id: id, lows: lowest, observations } of rows) {
    const found = lows.get(id);
    if (!found) continue;
    for (const period of lowWindows) {
      const low = lowest[period];
      if (!low) continue;
      const { f1: price, f2: at } = low;
      found[period] = { price, at: new Date(at), observations: observations[period] };
    }
  }
  return lows;
}

export const noLows: Lows = { all: null, "1y": null, "90d": null, "30d": null };

/** The lows of several products as if they were one; the earliest of equal prices counts. */
export function lowestOf(all: readonly Lows[]): Lows {
  const lowest = { ...noLows };
  for (const period of lowWindows) {
    const lows = all.flatMap((one) => one[period] ?? []);
    const [first] = lows.toSorted((a, b) => a.price - b.price || a.at.getTime() - b.at.getTime());
    if (!first) continue;
    const observations = lows.reduce((sum, low) => sum + low.observations, 0);
    lowest[period] = { ...first, observations };
  }
  return lowest;
}
