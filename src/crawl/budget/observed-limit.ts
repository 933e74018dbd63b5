import { sql } from "drizzle-orm";
import type { Db } from "../../db/open.ts";
import { notSent } from "./call-log.ts";

/** An early `day_api_limit`: what that day of the upstream's calendar really allowed. */
export interface ObservedLimit {
  day: string;
  allowed: number;
}

/** An observed limit that no later day has put to the test is believed for so many days. */
const BELIEVED_DAYS = 30;

/**
 * What the last day that the upstream ended early has allowed, as the ledger shows it; null when
 * there was none, or a day since then allowed more. `today`: YYYY-MM-DD.
 */
export async function readObservedLimit(db: Db, today: string): Promise<ObservedLimit | null> {
  const [row] = await db.execute<{ day: string; allowed: number }>(sql`
    with refused as (
      select day, greatest(1, used - (
        select count(*) from api_call c
        where c.day = b.day and c.outcome in ('day_api_limit', ${notSent}))) as allowed
      from budget_day b
      where refused_at is not null and day > ${today}::date - ${BELIEVED_DAYS}::int and day <= ${today}
      order by day desc limit 1)
    select day::text, allowed from refused r
    where not exists (
      select from budget_day later where later.day > r.day and refused_at is null and later.used > r.allowed)`);
  return row ?? null;
}

/**
 * The calls to reckon with a day. A little more than was allowed is tried, so that the observed limit is
 * forgotten once it does not hold any more, while the day's pace suffers little if it does.
 */
export function toExpected(limit: number, observedLimit: ObservedLimit | null): number {
  return observedLimit === null
    ? limit
    : Math.min(limit, Math.ceil(observedLimit.allowed * 1.05) + 1);
}
