import { sql } from "drizzle-orm";
import type { Db } from "../db/open.ts";

/** Counts of a key and a day that the database does not have yet. */
export interface UseRow {
  key_id: number;
  day: string;
  requests: number;
  errors: number;
  limited: number;
  other_origin: number;
  /** The last minute with requests, counted from 1970, and its requests. */
  minute: number;
  minute_requests: number;
}

/** The requests of a key and day, of all processes. */
export type UseTotal = Pick<UseRow, "key_id" | "day" | "requests" | "minute" | "minute_requests">;

/** Adds the counts and returns the totals of these and of all keys used today, in one statement. */
export async function exchangeUse(
  db: Db,
  rows: readonly UseRow[],
  today: string,
): Promise<UseTotal[]> {
  // All processes write in the same order, so that they cannot deadlock.
  return db.execute<UseTotal & Record<string, unknown>>(sql`
    with sent as (
      insert into api_key_day as d
        (key_id, day, requests, errors, limited, other_origin, minute, minute_requests)
      select key_id, day, requests, errors, limited, other_origin, minute, minute_requests
      from json_to_recordset(${JSON.stringify(rows)}::text::json) as x(key_id bigint, day date,
        requests bigint, errors bigint, limited bigint, other_origin bigint, minute int, minute_requests int)
      order by key_id, day
      on conflict (key_id, day) do update set
        requests = d.requests + excluded.requests, errors = d.errors + excluded.errors,
        limited = d.limited + excluded.limited, other_origin = d.other_origin + excluded.other_origin,
        minute = greatest(d.minute, excluded.minute),
        minute_requests = case when d.minute <= excluded.minute then excluded.minute_requests else 0 end
          + case when d.minute >= excluded.minute then d.minute_requests else 0 end
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
  return db.execute<UseDay & Record<string, unknown>>(sql`
    select key_id, day::text as day, requests, errors, limited, other_origin from api_key_day
    where day >= ${since} order by day desc, key_id`);
}
