import { sql } from "drizzle-orm";
import type { Db } from "../../db/open.ts";
import { type RowOf, rowsOf, toRecords } from "../../db/rows.ts";
import type { click } from "../../db/schema.ts";
import { calendarDay } from "../../lib/calendar.ts";
import type { Clock } from "../../lib/clock.ts";
import { createClickLimits } from "./daily-visitors.ts";
import type { Demand } from "./demand.ts";

export interface Click {
  itemId: number;
  /** The API key of the request; null: none. */
  keyId: number | null;
  /** The page's label for its links; null: none. */
  src: string | null;
}

/** repeated: this visitor clicks too often; dropped: too many clicks wait for the database. */
export type ClickOutcome = "counted" | "repeated" | "dropped";

/** Counts clicks that lead to shops. `clicked` never waits or throws, and stores nothing about the visitor. */
export interface Clicks {
  /** `visitor`: any text that tells visitors apart; only a hash of it is kept, until the end of the day. */
  clicked(click: Click, visitor: string): ClickOutcome;
}

export type ClickBuffer = ReturnType<typeof createClickBuffer>;

/**
 * How much a click counts as demand, in opens. About one visitor in five who opens a product goes on to
 * the shop, so all clicks together weigh as much as all opens. Only the first click of a visitor on a
 * product counts, so that nobody can raise a product by clicking again and again.
 */
const interest = 5;
/** Different rows that wait to be written: 5 MB. More come only while the database does not answer. */
const maxRows = 20_000;

/** The most labels of one day and key; later ones are counted as `other`, so that inventing labels cannot fill the table. */
export const maxSources = 100;
/** The label of our own pages is never counted as `other`. */
export const ownSource = "page";

type ClickRow = RowOf<typeof click.$inferSelect>;

interface ClickRules {
  /** Where days begin. */
  timezone: string;
  demand: Pick<Demand, "opened">;
}

/** Counts clicks in bounded memory and writes them in bulk. A crash loses those since the last flush. */
export function createClickBuffer(db: Db, clock: Clock, rules: ClickRules) {
  const repetitionOf = createClickLimits(clock);
  let waiting = new Map<string, ClickRow>();

  function add(row: ClickRow): boolean {
    const key = JSON.stringify([row.day, row.key_id, row.src, row.item_id]);
    const known = waiting.get(key);
    if (!known && waiting.size >= maxRows) return false;
    waiting.set(key, { ...row, clicks: row.clicks + (known?.clicks ?? 0) });
    return true;
  }

  return {
    clicked({ itemId, keyId, src }: Click, visitor: string): ClickOutcome {
      const repetition = repetitionOf(visitor, itemId);
      if (repetition === "beyond") return "repeated";
      if (repetition === "first") rules.demand.opened(itemId, interest);
      const day = calendarDay(clock.now(), rules.timezone);
      const row = { day, key_id: keyId ?? 0, src: src ?? "", item_id: itemId, clicks: 1 };
      return add(row) ? "counted" : "dropped";
    },
    /** Writes what was counted. If the write fails, the next flush tries it again. */
    async flush(): Promise<void> {
      const taken = waiting;
      waiting = new Map();
      try {
        await writeClicks(db, [...taken.values()]);
      } catch (error) {
        for (const row of taken.values()) add(row);
        throw error;
      }
    },
  };
}

/** `known` steps through the labels of a day and key by the primary key, so its cost is bounded by `maxSources`. */
async function writeClicks(db: Db, rows: readonly ClickRow[]): Promise<void> {
  if (rows.length === 0) return;
  await db.execute(sql`
    with recursive given as materialized (
      select * from ${rowsOf("click", rows)}
    ), known as (
      select day, key_id, '' as src from given group by 1, 2
      union all
      select k.day, k.key_id, later.src from known k cross join lateral (
        select c.src from click c where c.day = k.day and c.key_id = k.key_id and c.src > k.src
        order by c.src limit 1) later
    ), new as (
      select day, key_id, src, row_number() over (partition by day, key_id order by src) as place
      from (select day, key_id, src from given except select day, key_id, src from known) n
    ), named as (
      select day, key_id, src from known
      union select day, key_id, ${ownSource} from given
      union select day, key_id, src from new
      where place + (select count(*) from known k where k.day = new.day and k.key_id = new.key_id)
        <= ${maxSources + 1}
    )
    insert into click as c (day, key_id, src, item_id, clicks)
    select g.day, g.key_id, coalesce(n.src, 'other'), g.item_id, sum(g.clicks)
    from given g left join named n using (day, key_id, src)
    group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (day, key_id, src, item_id) do update set clicks = c.clicks + excluded.clicks`);
}

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

const daysSummed = 7;

/** Reads the rows of the listed days alone, by the primary key. */
export async function readClickReport(db: Db, bounds: ReportBounds): Promise<ClickReport> {
  const today = calendarDay(bounds.now, bounds.timezone);
  const lately = sql`day > ${today}::date - ${daysSummed}::int and day <= ${today}::date`;
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
