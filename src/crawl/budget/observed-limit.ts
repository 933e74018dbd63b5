import { sql } from "drizzle-orm";
import type { Db } from "../../db/open.ts";
import { notSent } from "./call-log.ts";

/** A day of the upstream's calendar that it ended early (`day_api_limit`), and the calls it allowed. */
export interface ObservedLimit {
  day: string;
  allowed: number;
}

/** An observed limit that no later day has tested is trusted for so many days. */
const BELIEVED_DAYS = 30;

/**
 * The latest day of the account that the upstream ended early and its calls, from the ledger; null if there was none,
 * or if a later day allowed more. A day of which every call was refused tells of no limit: the upstream's date had not
 * changed yet. `today`: YYYY-MM-DD.
 */
export async function readObservedLimit(
  db: Db,
  account: string,
  today: string,
): Promise<ObservedLimit | null> {
  const [row] = await db.execute<{ day: string; allowed: number }>(sql`
    with refused as (
      select day, greatest(1, used - (
        select count(*) from api_call c
        where c.day = b.day and c.account = b.account and c.outcome in ('day_api_limit', ${notSent}))) as allowed
      from budget_day b
      where account = ${account} and refused_at is not null and day > ${today}::date - ${BELIEVED_DAYS}::int and day <= ${today}
        and (select coalesce(bool_or(c.outcome is distinct from 'day_api_limit' and c.outcome is distinct from ${notSent}), true)
          from api_call c where c.day = b.day and c.account = b.account)
      order by day desc limit 1)
    select day::text, allowed from refused r
    where not exists (
      select from budget_day later
      where later.account = ${account} and later.day > r.day and refused_at is null and later.used > r.allowed)`);
  return row ?? null;
}

/**
 * The calls to expect a day. A little more than the observed limit is tried: so it is forgotten once it
 * no longer holds, and the day's pace suffers little while it holds.
 */
export function toExpected(limit: number, observedLimit: ObservedLimit | null): number {
  return observedLimit === null
    ? limit
    : Math.min(limit, Math.ceil(observedLimit.allowed * 1.05) + 1);
}
