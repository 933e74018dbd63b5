import { sql } from "drizzle-orm";
import type { Db } from "../../db/open.ts";
import { toRecords, type RowOf } from "../../db/row-of.ts";
import { noLows, readLows, type Lows } from "./lows.ts";

/** A period in which every check showed the same price, proper price and stock. */
export interface PriceInterval {
  price: number;
  properPrice: number | null;
  stock: number;
  firstSeen: Date;
  lastConfirmed: Date;
}

export interface HistoryPage<T> {
  /** Oldest first. */
  rows: T[];
  /** The `until` of the page before these rows in time; null: nothing is older. */
  next: Date | null;
}

export interface HistoryWindow {
  since?: Date | undefined;
  until?: Date | undefined;
  /** Most rows of a page, the newest ones. */
  limit: number;
}

export interface History {
  intervals: PriceInterval[];
  lows: Lows;
}

/** The newest intervals of a product, as many as `limit`, and its lows. */
export async function readHistory(
  db: Db,
  itemId: number,
  { limit, now }: { limit: number; now: Date },
): Promise<History> {
  const [{ rows }, lows] = await Promise.all([
    readIntervals(db, itemId, { limit }),
    readLows(db, [itemId], now),
  ]);
  return { intervals: rows, lows: lows.get(itemId) ?? noLows };
}

/**
 * The newest confirmed intervals that overlap `since`..`until`. Nothing is known between the
 * `lastConfirmed` of one and the `firstSeen` of the next. However long the history is, the key's index
 * leads to the rows of the page alone.
 */
export async function readIntervals(
  db: Db,
  itemId: number,
  { since, until, limit }: HistoryWindow,
): Promise<HistoryPage<PriceInterval>> {
  const rows = await db.execute<RowOf<PriceInterval>>(sql`
    select i.price, i.proper_price, i.stock, i.first_seen, coalesce((
      select n.prev_confirmed_at from price_interval n
      where n.item_id = i.item_id and n.first_seen > i.first_seen order by n.first_seen limit 1
    ), p.checked_at) as last_confirmed
    from price_interval i join product p using (item_id)
    where i.item_id = ${itemId}
      ${until ? sql`and i.first_seen <= ${until.toISOString()}::timestamptz` : sql``}
      ${since ? sql`and i.first_seen >= ${startOfIntervalAt(itemId, since)}` : sql``}
    order by i.first_seen desc limit ${limit + 1}`);
  const intervals = toRecords<PriceInterval>(rows, { firstSeen: true, lastConfirmed: true });
  const found = intervals.filter((i) => !since || i.lastConfirmed >= since);
  const shown = found.slice(0, limit).toReversed();
  const [oldest] = shown;
  const next = oldest && found.length > limit ? new Date(oldest.firstSeen.getTime() - 1) : null;
  return { rows: shown, next };
}

/** When the interval began that holds this moment, or the last one before it. */
export function startOfIntervalAt(itemId: number, at: Date) {
  return sql`coalesce((select max(x.first_seen) from price_interval x
    where x.item_id = ${itemId} and x.first_seen <= ${at.toISOString()}::timestamptz), '-infinity')`;
}
