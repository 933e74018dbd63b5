import { desc, eq, gt, sql } from "drizzle-orm";
import type { Db } from "../db/open.ts";
import { alertOwner, savedSearch, type AlertRule, type SavedQuery } from "../db/schema.ts";

/** `faulty`: it cannot be judged. `limited`: further events of today are quiet. */
export const searchStates = ["faulty", "expired", "paused", "limited", "active"] as const;
export type SearchState = (typeof searchStates)[number];

export interface BusySearch {
  savedSearchId: number;
  /** null: of a visitor. */
  keyId: number | null;
  query: SavedQuery;
  rules: AlertRule[];
  state: SearchState;
  /** Why it is faulty. */
  fault: string | null;
  /** Since it was made. */
  events: number;
  /** Events of today that were not quiet, and how many there may be. */
  today: number;
  dailyMax: number;
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

function toState(row: {
  fault: string | null;
  isExpired: boolean;
  isPaused: boolean;
  today: number;
  dailyMax: number;
}): SearchState {
  if (row.fault !== null) return "faulty";
  if (row.isExpired) return "expired";
  if (row.isPaused) return "paused";
  return row.today >= row.dailyMax ? "limited" : "active";
}
