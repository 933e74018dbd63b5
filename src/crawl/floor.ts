import { sql } from "drizzle-orm";
import type { Db } from "../db/open.ts";
import { calendarDay } from "../lib/calendar.ts";
import type { DayRules } from "./budget.ts";
import { floorAsksAfterDays } from "./forecast.ts";
import { readJobSettings } from "./jobs.ts";
import { readLesson, toExpected } from "./lesson.ts";
import { countProducts, countShops } from "./statistics.ts";
import { HORIZON_DAYS } from "./value.ts";

/** Days after which every product is asked for whatever it is worth. */
export async function readFloorDays(db: Db, now: Date, rules: DayRules): Promise<number> {
  const lesson = await readLesson(db, calendarDay(now, rules.timezone));
  const { max_age_days: floorDays = HORIZON_DAYS } = await readJobSettings(db, "revalidate");
  return floorAsksAfterDays({
    callsPerDay: toExpected(rules.dailyLimit, lesson),
    products: await countProducts(db),
    shops: await countShops(db),
    floorDays,
  });
}

/**
 * Moments of the next look were set by the floor as it was at the last one. Where ops have lowered it
 * since, or the catalogue has grown, they come forward. Reads the whole catalogue.
 */
export async function keepFloor(db: Db, now: Date, rules: DayRules): Promise<void> {
  const days = await readFloorDays(db, now, rules);
  const asked = sql`p.checked_at + ${days * 86_400} * interval '1 s'`;
  await db.execute(sql`
    with late as (
      select item_id from product p where state <> 'gone' and due_at > ${asked}
      order by item_id for no key update
    ), early as (
      update product p set due_at = ${asked} from late where p.item_id = late.item_id
      returning p.shop_id, p.due_at
    ), shops as (
      select s.shop_id, e.due_at from shop s
      join (select shop_id, min(due_at) as due_at from early group by 1) e using (shop_id)
      order by s.shop_id collate "C" for no key update of s
    )
    update shop s set due_at = least(s.due_at, shops.due_at) from shops where s.shop_id = shops.shop_id`);
}
