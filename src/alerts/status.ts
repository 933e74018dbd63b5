import { sql, desc, eq, gt } from "drizzle-orm";
import type { Db } from "../db/open.ts";
import { readJudgingLag } from "./judging/waiting-changes.ts";
import { alertOwner, savedSearch } from "../db/schema.ts";

export const mostMailsCounted = 10_000;

export async function readAlertStatus(db: Db, now: Date) {
  const [counts] = await db.execute<Record<"judged" | "looked" | "events" | "skipped", number>>(
    sql`select judged, looked, events, skipped from alert_head`,
  );
  // In the order of the primary key, which is the order in which they were asked for.
  const [mails] = await db.execute<{ waiting: number; oldestSeconds: number }>(sql`
    select (select count(*) from (
        select from outgoing_mail order by mail_id limit ${mostMailsCounted}) as c)::int as waiting,
      coalesce(extract(epoch from ${now.toISOString()}::timestamptz - (
        select created_at from outgoing_mail order by mail_id limit 1)), 0)::float8 as "oldestSeconds"`);
  return {
    /** All four since the beginning. */
    ...(counts ?? { judged: 0, looked: 0, events: 0, skipped: 0 }),
    lagSeconds: await readJudgingLag(db),
    /** Not sent and not given up, counted up to `mostMailsCounted`; how long the oldest has waited, 0: none waits. */
    mails: mails ?? { waiting: 0, oldestSeconds: 0 },
  };
}

/** `faulty`: it cannot be judged. `limited`: further events of today are quiet. */
export const searchStates = ["faulty", "expired", "paused", "limited", "active"] as const;
export type SearchState = (typeof searchStates)[number];

export interface BusySearch extends Pick<
  typeof savedSearch.$inferSelect,
  "savedSearchId" | "query" | "rules" | "fault" | "events" | "dailyMax"
> {
  /** null: of a visitor. */
  keyId: number | null;
  state: SearchState;
  /** Events of today that were not quiet. */
  today: number;
}

/**
 * The saved searches with the most events, read from the end of an index. Their names are left out: they
 * are the owners' own notes. `day`: today on the marketplace's calendar.
 */
export async function listBusiest(
  db: Db,
  { now, day, limit }: { now: Date; day: string; limit: number },
): Promise<BusySearch[]> {
  const s = savedSearch;
  const rows = await db
    .select({
      savedSearchId: s.savedSearchId,
      keyId: alertOwner.keyId,
      query: s.query,
      rules: s.rules,
      isPaused: s.isPaused,
      isExpired: sql<boolean>`coalesce(${s.expiresAt} <= ${now.toISOString()}, false)`,
      fault: s.fault,
      events: s.events,
      today: sql<number>`case when ${s.day} = ${day} then ${s.dayEvents} else 0 end`,
      dailyMax: s.dailyMax,
    })
    .from(s)
    .innerJoin(alertOwner, eq(alertOwner.ownerId, s.ownerId))
    .where(gt(s.events, 0))
    .orderBy(desc(s.events))
    .limit(limit);
  return rows.map(({ isPaused, isExpired, ...row }) => ({
    ...row,
    state: toState({ ...row, isPaused, isExpired }),
  }));
}

type Told = Pick<BusySearch, "fault" | "today" | "dailyMax">;

function toState(row: Told & { isExpired: boolean; isPaused: boolean }): SearchState {
  if (row.fault !== null) return "faulty";
  if (row.isExpired) return "expired";
  if (row.isPaused) return "paused";
  return row.today >= row.dailyMax ? "limited" : "active";
}
