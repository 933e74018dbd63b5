import { sql } from "drizzle-orm";
import type { Db } from "../db/open.ts";
import type { RowOf } from "../db/row-of.ts";

/** A period in which every check showed the same price, proper price and stock. */
export interface PriceInterval {
  price: number;
  properPrice: number | null;
  stock: number;
  firstSeen: Date;
  lastConfirmed: Date;
}

export interface Low {
  price: number;
  /** When it was first seen at that price. */
  at: Date;
  /** Checks in the period whose time is known. With few of them the low is less certain. */
  observations: number;
}

export interface History {
  intervals: PriceInterval[];
  lows: { all: Low | null; "1y": Low | null; "90d": Low | null; "30d": Low | null };
}

type Row = RowOf<PriceInterval>;

const DAY_MS = 86_400_000;

/**
 * The confirmed intervals that overlap `since`..`until`, oldest first. Nothing is known between the
 * `lastConfirmed` of one and the `firstSeen` of the next. Lows do not depend on `since` and `until`:
 * they use every interval that overlaps a window ending now. A price of 0 means no price.
 */
export async function readHistory(
  db: Db,
  itemId: number,
  window: { since?: Date | undefined; until?: Date | undefined; now: Date },
): Promise<History> {
  const rows = await db.execute<Row>(sql`
    select i.price, i.proper_price, i.stock, i.first_seen,
      coalesce(lead(i.prev_confirmed_at) over (order by i.first_seen), p.checked_at) as last_confirmed
    from price_interval i join product p using (item_id)
    where i.item_id = ${itemId} order by i.first_seen`);
  const intervals = rows.map((row) => ({
    price: row.price,
    properPrice: row.proper_price,
    stock: row.stock,
    firstSeen: new Date(row.first_seen),
    lastConfirmed: new Date(row.last_confirmed),
  }));
  const checksMs = await readChecks(db, itemId, intervals);
  const lowSince = (days: number) => {
    const sinceMs = window.now.getTime() - days * DAY_MS;
    const low = lowest(intervals, sinceMs);
    return low && { ...low, observations: checksMs.filter((ms) => ms >= sinceMs).length };
  };
  return {
    intervals: intervals.filter(
      (i) =>
        (!window.since || i.lastConfirmed >= window.since) &&
        (!window.until || i.firstSeen <= window.until),
    ),
    lows: {
      all: lowSince(Infinity),
      "1y": lowSince(365),
      "90d": lowSince(90),
      "30d": lowSince(30),
    },
  };
}

function lowest(
  intervals: readonly PriceInterval[],
  sinceMs: number,
): Pick<Low, "price" | "at"> | null {
  let low: Pick<Low, "price" | "at"> | null = null;
  for (const interval of intervals) {
    if (interval.price <= 0 || interval.lastConfirmed.getTime() < sinceMs) continue;
    if (!low || interval.price < low.price) low = { price: interval.price, at: interval.firstSeen };
  }
  return low;
}

/** The times of known checks: both ends of every interval, and the last check of each day. Others are not kept. */
async function readChecks(
  db: Db,
  itemId: number,
  intervals: readonly PriceInterval[],
): Promise<number[]> {
  const days = await db.execute<{ at: string }>(sql`
    select unnest(moments) as at from confirmation where item_id = ${itemId}`);
  return [
    ...new Set([
      ...intervals.flatMap((i) => [i.firstSeen.getTime(), i.lastConfirmed.getTime()]),
      ...days.map(({ at }) => new Date(at).getTime()),
    ]),
  ];
}
