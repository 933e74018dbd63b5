import { sql } from "drizzle-orm";
import type { Db } from "../db/open.ts";
import { type RowOf, rowsOf } from "../db/rows.ts";
import type { apiKeyDay } from "../db/schema.ts";

/** Counts of a key and a day that the database does not have yet. */
export type UseRow = RowOf<typeof apiKeyDay.$inferSelect>;

/** The requests of a key and day, of all processes. */
export type UseTotal = Pick<UseRow, "key_id" | "day" | "requests" | "minute" | "minute_requests">;

/** Clocks of processes differ by no more. A minute further ahead was stored while a clock was ahead. */
const MOST_AHEAD = 1;

/** Adds the counts and returns the totals of these and of all keys used today, in one statement. */
export async function exchangeUse(
  db: Db,
  rows: readonly UseRow[],
  now: { day: string; minute: number },
): Promise<UseTotal[]> {
  const today = now.day;
  const stored = sql`case when d.minute <= ${now.minute + MOST_AHEAD}::int then d.minute else 0 end`;
  // All processes write in the same order, so that they cannot deadlock.
  return db.execute<UseTotal>(sql`
    with sent as (
      insert into api_key_day as d
        (key_id, day, requests, errors, limited, other_origin, minute, minute_requests)
      select key_id, day, requests, errors, limited, other_origin, minute, minute_requests
      from ${rowsOf("api_key_day", rows)} order by key_id, day
      on conflict (key_id, day) do update set
        requests = d.requests + excluded.requests, errors = d.errors + excluded.errors,
        limited = d.limited + excluded.limited, other_origin = d.other_origin + excluded.other_origin,
        minute = greatest(${stored}, excluded.minute),
        minute_requests = case when ${stored} <= excluded.minute then excluded.minute_requests else 0 end
          + case when ${stored} >= excluded.minute then d.minute_requests else 0 end
      returning key_id, day, requests, minute, minute_requests
    )
    select key_id, day::text as day, requests, minute, minute_requests from sent
    union all
    select key_id, day::text, requests, minute, minute_requests from api_key_day
    where day = ${today} and key_id not in (select key_id from sent where day = ${today})`);
}

export type UseDay = Omit<UseRow, "minute" | "minute_requests">;

/** What the console and the ops API show; `analytics.api_usage` has all days. */
export const useDaysShown = 7;

/** Use of each key per day since a day, newest day first; key 0: requests without a key. */
export async function readUse(db: Db, since: string): Promise<UseDay[]> {
  return db.execute<UseDay>(sql`
    select key_id, day::text as day, requests, errors, limited, other_origin from api_key_day
    where day >= ${since} order by day desc, key_id`);
}
