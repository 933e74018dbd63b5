import { sql } from "drizzle-orm";
import { toModifiedAt } from "../catalog/observing/modified.ts";
import type { Db } from "../db/open.ts";
import type { Bumped } from "../db/schema.ts";
import { type RowOf, rowsOf, toRecords } from "../db/rows.ts";
import { dayMs } from "../lib/calendar.ts";
import type { DayRules } from "./budget/accounts.ts";
import { createPlannerState, type PlannerState } from "./learning/planner-state.ts";
import { readSample, readShopStats } from "./learning/statistics.ts";
import { toDays } from "./scoring/days.ts";
import { unchangedSince } from "./scoring/scoring.ts";
import { changedShare } from "./scoring/yield.ts";

/** Products drawn each day. */
const sample = 300;
const aheadMs = 7 * dayMs;
const keptMs = 400 * dayMs;
/**
 * After this time what is not known yet will not be known. It stays counted as drawn: late changes are harder
 * to tell than their absence, so a class with many unknown ones says too little to be judged.
 */
const givenUpMs = 60 * dayMs;

/** Once a day: what became of earlier forecasts, and the new ones. */
export async function keepForecasts(db: Db, now: Date, rules: DayRules): Promise<void> {
  const state = createPlannerState(db, rules);
  await state.refresh(now.getTime());
  await judge(db, now, state);
  const before = (ms: number) => new Date(now.getTime() - ms).toISOString();
  await db.execute(sql`delete from forecast where made_at < ${before(keptMs)}`);
  const [row] = await db.execute<{ any: boolean }>(
    sql`select exists (select from forecast where made_at > ${before(dayMs * 0.9)}) as any`,
  );
  if (!row?.any) await make(db, now, state);
}

async function make(db: Db, now: Date, state: PlannerState): Promise<void> {
  const dueAt = new Date(now.getTime() + aheadMs);
  const rows = (await readSample(db, sample, state.context())).map((item) => ({
    item_id: item.itemId,
    chance: 1 - unchangedSince(item, toDays(dueAt)),
  }));
  await db.execute(sql`
    insert into forecast (made_at, item_id, due_at, modified, chance)
    select ${now.toISOString()}, item_id, ${dueAt.toISOString()}, p.modified, chance
    from ${rowsOf("forecast", rows)} x join product p using (item_id) where p.state <> 'gone'`);
}

type OpenRow = {
  made_at: string;
  item_id: number;
  shop_id: string;
  due_at: string;
  has_changed: boolean;
  has_new_price: boolean;
  changed_at: string;
  modified: number;
  checked_at: string;
  list_read_at: string | null;
  bumped: Bumped | null;
};

/** A list of newest changes tells of a product that did not change only if it shows this share of its shop's changes. */
const shownShare = 0.9;

/** A deleted product had no time to change; what is not known yet stays open. */
async function judge(db: Db, now: Date, state: PlannerState): Promise<void> {
  await db.execute(sql`
    delete from forecast f using product p
    where f.changed is null and p.item_id = f.item_id and p.state = 'gone'`);
  const rows = await db.execute<OpenRow>(sql`
    select f.made_at, f.item_id, p.shop_id, f.due_at, p.price_since > f.made_at or p.modified <> f.modified as has_changed,
      p.price_since > f.made_at as has_new_price,
      case when p.price_since > f.made_at then p.price_since else p.changed_at end as changed_at,
      p.modified, p.checked_at, q.feed_checked_at as list_read_at, q.scans -> 'bumped' as bumped
    from forecast f join product p using (item_id)
    left join product_schedule c using (item_id) left join crawl_query q on q.id = c.query_id
    where f.changed is null and f.made_at >= ${new Date(now.getTime() - givenUpMs).toISOString()}`);
  const shops = await readShopStats(
    db,
    [...new Set(rows.map((row) => row.shop_id))],
    state.totals(),
  );
  const judged = rows.map((row) => {
    const isShown = (shops.get(row.shop_id)?.bumpShare ?? 0) >= shownShare;
    const knownAt = isShown && row.list_read_at !== null ? [row.list_read_at] : [];
    const changed = outcomeOf(row, [row.checked_at, ...knownAt], now);
    return { made_at: row.made_at, item_id: row.item_id, changed };
  });
  await db.execute(sql`
    update forecast f set changed = x.changed
    from ${rowsOf("forecast", judged)} x
    where f.made_at = x.made_at and f.item_id = x.item_id and x.changed is not null`);
}

/**
 * Known once a change was seen, or after its week, at one of `lookedAt`, that there was none; null where that is
 * not so yet, or a change seen later may have come after it; or `modified` alone is new, which mostly means nothing in its list.
 */
function outcomeOf(row: OpenRow, lookedAt: readonly string[], now: Date): boolean | null {
  const dueAt = new Date(row.due_at);
  if (row.has_changed && !row.has_new_price && changedShare(row) < 1) return null;
  if (!row.has_changed) return lookedAt.some((at) => new Date(at) >= dueAt) ? false : null;
  if (new Date(row.changed_at) <= dueAt) return true;
  const modifiedAt = toModifiedAt(row.modified, now);
  const isWithin = modifiedAt !== null && modifiedAt > new Date(row.made_at) && modifiedAt <= dueAt;
  return isWithin ? true : null;
}

/** Forecasts of one day for products of about the same chance. */
export interface JudgedForecast {
  madeOn: string;
  chanceFrom: number;
  chanceTo: number;
  products: number;
  low: number;
  high: number;
  changes: number;
  held: boolean;
}

/** Those that were made a week ago and before, the latest first. */
export async function readForecasts(db: Db, most: number): Promise<JudgedForecast[]> {
  const rows = await db.execute<RowOf<JudgedForecast>>(sql`
    select made_on::text, chance_from, chance_to, products, low, high, changes, held
    from analytics.forecasts order by made_on desc, chance_from limit ${most}`);
  return toRecords<JudgedForecast>(rows, {});
}
