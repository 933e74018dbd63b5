import { sql } from "drizzle-orm";
import { z } from "zod";
import { idList, type RowOf, toRecords } from "../../db/rows.ts";
import type { Tx } from "../../db/open.ts";
import { toErrorMessage } from "../../lib/logged-error.ts";
import type { Logger } from "../../lib/logger.ts";
import type { Saved } from "./judge.ts";
import {
  alertKinds,
  storedQuery,
  storedRule,
  type AlertRule,
  type savedSearch,
  type SavedQuery,
} from "../../db/schema.ts";
import { createMatcher } from "./matches.ts";

export interface SearchRow extends Pick<
  typeof savedSearch.$inferSelect,
  "savedSearchId" | "ownerId" | "webhookId" | "judgesAfter" | "dailyMax" | "day" | "dayEvents"
> {
  saved: Saved;
}

/** Those of these that are to be judged now. One that this version cannot read gets a fault, and is left out. */
export type ReadSavedSearches = (
  tx: Tx,
  ids: readonly number[],
  now: Date,
) => Promise<Map<number, SearchRow>>;

type Light = Omit<SearchRow, "saved"> & { version: string };
type Stored = StoredSearch & { savedSearchId: number };

/** Searches that are kept ready to be judged, about 1 kB each. With fewer than a slice needs, each slice reads all anew. */
const mostKept = 100_000;

/** Reads of each saved search only what changes with its events, while it stays the same. */
export function createSavedSearches(logger: Logger): ReadSavedSearches {
  const kept = new Map<number, { version: string; saved: Saved }>();

  async function readStored(tx: Tx, ids: readonly number[]): Promise<Map<number, Saved>> {
    if (ids.length === 0) return new Map();
    const rows = await tx.execute<RowOf<Stored>>(sql`
      select saved_search_id, query, rules, min_change_percent, cooldown_s, confirm_factor
      from saved_search where saved_search_id in ${idList(ids)}`);
    const read = new Map<number, Saved>();
    for (const { savedSearchId, ...stored } of toRecords<Stored>(rows, {})) {
      try {
        read.set(savedSearchId, toSaved(stored));
      } catch (error) {
        logger.error({ err: error, savedSearch: savedSearchId }, "unreadable saved search");
        await tx.execute(sql`
          update saved_search set fault = ${toErrorMessage(error).slice(0, 500)}
          where saved_search_id = ${savedSearchId}`);
      }
    }
    return read;
  }

  return async (tx, ids, now) => {
    if (ids.length === 0) return new Map();
    const light = await tx.execute<RowOf<Light>>(sql`
        select s.saved_search_id, s.owner_id, s.webhook_id, s.judges_after, s.daily_max, s.day, s.day_events,
          s.updated_at::text as version
        from saved_search s join alert_owner o using (owner_id) left join api_key k using (key_id)
        where s.saved_search_id in ${idList(ids)} and not s.is_paused and s.fault is null
          and (s.expires_at is null or s.expires_at > ${now.toISOString()}::timestamptz)
          and k.revoked_at is null`);
    const rows = toRecords<Light>(light, {});
    const missing = rows.filter(
      ({ savedSearchId, version }) => kept.get(savedSearchId)?.version !== version,
    );
    const missingIds = missing.map(({ savedSearchId }) => savedSearchId);
    const read = await readStored(tx, missingIds);
    const found = new Map<number, SearchRow>();
    for (const { version, ...row } of rows) {
      const { savedSearchId: id } = row;
      const saved = read.get(id) ?? kept.get(id)?.saved;
      if (!saved || (kept.get(id)?.version !== version && !read.has(id))) continue;
      kept.delete(id);
      kept.set(id, { version, saved });
      found.set(id, { ...row, saved });
    }
    for (const id of kept.keys()) {
      if (kept.size <= mostKept) break;
      kept.delete(id);
    }
    return found;
  };
}

/** As Postgres has it. */
type StoredSearch = Omit<Saved, "matches"> & { query: SavedQuery };

/** Throws if the stored query or rules are not what this version knows. */
export function toSaved({ query, rules, ...limits }: StoredSearch): Saved {
  return {
    matches: createMatcher(storedQuery.parse(query) as SavedQuery),
    rules: z.array(storedRule).max(alertKinds.length).parse(rules) as AlertRule[],
    ...limits,
  };
}
