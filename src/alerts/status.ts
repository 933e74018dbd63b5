import { sql } from "drizzle-orm";
import type { Db } from "../db/open.ts";
import { readJudgingLag } from "./waiting-changes.ts";

export interface AlertStatus {
  /** All four since the beginning. */
  judged: number;
  looked: number;
  events: number;
  skipped: number;
  lagSeconds: number;
  mails: {
    /** Not sent and not given up, counted up to `mostMailsCounted`. */
    waiting: number;
    /** Since the oldest of them was asked for; 0: none waits. */
    oldestSeconds: number;
  };
}

export const mostMailsCounted = 10_000;

export async function readAlertStatus(db: Db, now: Date): Promise<AlertStatus> {
  const [counts] = await db.execute<Record<"judged" | "looked" | "events" | "skipped", number>>(
    sql`select judged, looked, events, skipped from alert_head`,
  );
  // In the order of the primary key, which is the order in which they were asked for.
  const [mails] = await db.execute<AlertStatus["mails"]>(sql`
    select (select count(*) from (
        select from outgoing_mail order by mail_id limit ${mostMailsCounted}) as c)::int as waiting,
      coalesce(extract(epoch from ${now.toISOString()}::timestamptz - (
        select created_at from outgoing_mail order by mail_id limit 1)), 0)::float8 as "oldestSeconds"`);
  return {
    ...(counts ?? { judged: 0, looked: 0, events: 0, skipped: 0 }),
    lagSeconds: await readJudgingLag(db),
    mails: mails ?? { waiting: 0, oldestSeconds: 0 },
  };
}
