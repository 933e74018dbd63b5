import { sql } from "drizzle-orm";
import type { Db } from "../../db/open.ts";
import { toRecords, type RowOf } from "../../db/rows.ts";
import { noLows, readLows, type Lows } from "./lows.ts";
import { dayMs, dayStart } from "../../lib/calendar.ts";
import type { ProductRecord } from "../products.ts";

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
    ${intervals} where i.item_id = ${itemId}
      ${until ? sql`and i.first_seen <= ${until.toISOString()}::timestamptz` : sql``}
      ${since ? sql`and i.first_seen >= ${startOfIntervalAt(itemId, since)}` : sql``}
    order by i.first_seen desc limit ${limit + 1}`);
  const records = toRecords<PriceInterval>(rows, { firstSeen: true, lastConfirmed: true });
  const found = records.filter((i) => !since || i.lastConfirmed >= since);
  const shown = found.slice(0, limit).toReversed();
  const [oldest] = shown;
  const next = oldest && found.length > limit ? new Date(oldest.firstSeen.getTime() - 1) : null;
  return { rows: shown, next };
}

/** As of `PriceInterval`. */
const intervals = sql`
  select i.price, i.proper_price, i.stock, i.first_seen, coalesce((
    select n.prev_confirmed_at from price_interval n
    where n.item_id = i.item_id and n.first_seen > i.first_seen order by n.first_seen limit 1
  ), p.checked_at) as last_confirmed
  from price_interval i join product p using (item_id)`;

/** When the interval began that holds this moment, or the last one before it. */
export function startOfIntervalAt(itemId: number, at: Date) {
  return sql`coalesce((select max(x.first_seen) from price_interval x
    where x.item_id = ${itemId} and x.first_seen <= ${at.toISOString()}::timestamptz), '-infinity')`;
}

/** What the known checks of one calendar day showed. */
export interface HistoryDay {
  /** `YYYY-MM-DD` of the marketplace's calendar. */
  day: string;
  /** null: the shop stated no price. */
  lowestPrice: number | null;
  /** At the day's last check, as the proper price. */
  price: number | null;
  properPrice: number | null;
  stockMin: number;
  stockMax: number;
  /** Known checks: those that began or ended an interval, and the day's last one. */
  confirmed: number;
  firstConfirmed: Date;
  lastConfirmed: Date;
}

/**
 * One row for each day with a known check; other days are absent. A page covers at most `limit` calendar
 * days, so its cost depends on these days and not on the length of the history.
 */
export async function readDays(
  db: Db,
  product: Pick<ProductRecord, "itemId" | "firstSeenAt" | "checkedAt">,
  { since, until, limit, timezone }: HistoryWindow & { timezone: string },
): Promise<HistoryPage<HistoryDay>> {
  const { itemId, firstSeenAt, checkedAt } = product;
  const end = until && until < checkedAt ? until : checkedAt;
  const firstDay = dayStart(new Date(end.getTime() - (limit - 1) * dayMs), timezone);
  const start = since && since > firstDay ? since : firstDay;
  const days = await readRange(db, itemId, { start, end, timezone });
  const rows = days.slice(-limit);
  const [oldest] = rows;
  // Over a change of the clocks, the range may begin a day earlier.
  const rangeStart =
    oldest && days.length > limit ? dayStart(oldest.firstConfirmed, timezone) : start;
  const earliest = since && since > firstSeenAt ? since : firstSeenAt;
  if (rangeStart <= earliest) return { rows, next: null };
  const beforeMs = rangeStart.getTime() - 1;
  const { rows: older } = await readIntervals(db, itemId, { until: new Date(beforeMs), limit: 1 });
  const next = new Date(Math.min(beforeMs, older[0]?.lastConfirmed.getTime() ?? -Infinity));
  return { rows, next: next >= earliest ? next : null };
}

interface Range {
  start: Date;
  end: Date;
  timezone: string;
}

async function readRange(db: Db, itemId: number, range: Range): Promise<HistoryDay[]> {
  const { timezone } = range;
  const start = sql`${range.start.toISOString()}::timestamptz`;
  const end = sql`${range.end.toISOString()}::timestamptz`;
  const rows = await db.execute<RowOf<HistoryDay>>(sql`
    with spans as materialized (
      ${intervals} where i.item_id = ${itemId} and i.first_seen <= ${end}
        and i.first_seen >= ${startOfIntervalAt(itemId, range.start)}
    ), checks as (
      select first_seen as at, price, proper_price, stock from spans
      union select last_confirmed, price, proper_price, stock from spans
      union select m.at, v.price, v.proper_price, v.stock
      from (
        select unnest(moments) as at from confirmation
        where item_id = ${itemId}
          and month between date_trunc('month', ${start} at time zone ${timezone})::date
            and (${end} at time zone ${timezone})::date
      ) m cross join lateral (
        select i.price, i.proper_price, i.stock from price_interval i
        where i.item_id = ${itemId} and i.first_seen <= m.at order by i.first_seen desc limit 1
      ) v
    )
    select (at at time zone ${timezone})::date::text as day,
      min(price) filter (where price > 0) as lowest_price,
      (array_agg(nullif(greatest(price, 0), 0) order by at desc))[1] as price,
      (array_agg(proper_price order by at desc))[1] as proper_price,
      min(stock) as stock_min, max(stock) as stock_max, count(*) as confirmed,
      min(at) as first_confirmed, max(at) as last_confirmed
    from checks where at between ${start} and ${end}
    group by 1 order by 1`);
  return toRecords<HistoryDay>(rows, { firstConfirmed: true, lastConfirmed: true });
}
