import { sql } from "drizzle-orm";
import type { Db } from "../../db/open.ts";
import { toRecords, type RowOf } from "../../db/rows.ts";
import { calendarDay } from "../../lib/calendar.ts";

/** How long clicks are kept: a year can be compared with the year before. */
export const clickDays = 400;

export interface ClickReport {
  /** The newest day first, days without clicks included. */
  days: { day: string; clicks: number }[];
  /** Most clicks first, of the last seven days. */
  products: { itemId: number; title: string; shopName: string; clicks: number }[];
  /** Most clicks first, of the last seven days. keyId, src: null: none. */
  sources: { keyId: number | null; src: string | null; clicks: number }[];
}

export interface ReportBounds {
  timezone: string;
  now: Date;
  days: number;
  /** Products and sources to list. */
  rows: number;
}

const DAYS_SUMMED = 7;

/** Reads the rows of the listed days alone, by the primary key. */
export async function readClickReport(db: Db, bounds: ReportBounds): Promise<ClickReport> {
  const today = calendarDay(bounds.now, bounds.timezone);
  const lately = sql`day > ${today}::date - ${DAYS_SUMMED}::int and day <= ${today}::date`;
  const [days, products, sources] = await Promise.all([
    db.execute<ClickReport["days"][number]>(sql`
      select d::date::text as day, coalesce(sum(clicks), 0)::int8 as clicks
      from generate_series(0, ${bounds.days - 1}::int) ago
      cross join lateral (select ${today}::date - ago) t(d) left join click on day = d
      group by 1 order by 1 desc`),
    db.execute<RowOf<ClickReport["products"][number]>>(sql`
      select item_id, title, shop_name, top.clicks
      from (select item_id, sum(clicks)::int8 as clicks from click where ${lately}
        group by 1 order by 2 desc, 1 limit ${bounds.rows}) top
      join product using (item_id) join shop using (shop_id) order by top.clicks desc, item_id`),
    db.execute<RowOf<ClickReport["sources"][number]>>(sql`
      select nullif(key_id, 0) as key_id, nullif(src, '') as src, sum(clicks)::int8 as clicks
      from click where ${lately} group by click.key_id, click.src
      order by 3 desc, click.key_id, click.src limit ${bounds.rows}`),
  ]);
  return {
    days: [...days],
    products: toRecords<ClickReport["products"][number]>(products, {}),
    sources: toRecords<ClickReport["sources"][number]>(sources, {}),
  };
}
