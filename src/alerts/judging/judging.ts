import { sql } from "drizzle-orm";
import {
  databaseErrorCode,
  isExhausted,
  isOutage,
  isTimeout,
  transact,
} from "../../db/transact.ts";
import type { Db, Tx } from "../../db/open.ts";
import { calendarDay } from "../../lib/calendar.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Logger } from "../../lib/logger.ts";
import { findAnchored, type Anchored } from "./anchors.ts";
import { createAnchorRenewal } from "./stored-anchors.ts";
import { isJump, judge, type JudgedChange, type News, type PairState } from "./judge.ts";
import { momentName, readLowsBefore, type LowsBefore, type Moment } from "./lows-before.ts";
import { readChangesToJudge, type Waiting } from "./waiting-changes.ts";
import { readStates, type States, writeVerdicts, type DayCount, type Told } from "./verdicts.ts";
import type { ReadSavedSearches, SearchRow } from "./searches-in-memory.ts";

export interface JudgingDeps {
  db: Db;
  clock: Clock;
  logger: Logger;
  /** Of the days of the daily maximum. */
  timezone: string;
  searches: ReadSavedSearches;
}

const sliceSize = 500;
const idleMs = 300;
/** After a slice that was not full: more is on its way. */
const busyMs = 50;

/**
 * A step for `runLoop`: judges the next changes in the order of commits, and returns the pause in
 * milliseconds. Events, states and the end of the slice commit together. Any number of processes may
 * run it; one at a time works. A change that cannot be judged is left out alone.
 */
export function createJudging(deps: JudgingDeps): (signal?: AbortSignal) => Promise<number> {
  const { db, clock, logger } = deps;
  let size = sliceSize;
  let first: number | null = null;
  const renewAnchors = createAnchorRenewal(deps);
  return async () => {
    if (!(await renewAnchors())) return 0;
    try {
      const judged = await transact(db, clock, async (tx) => {
        if (size === 1) first = await readFirst(tx);
        return judgeSlice(tx, deps, size);
      });
      const isFull = judged === size;
      if (judged > 0) size = Math.min(sliceSize, size * 2);
      return isFull ? 0 : judged > 0 ? busyMs : idleMs;
    } catch (error) {
      if (isOutage(error) || isExhausted(error)) throw error;
      if (size === 1) {
        // Also where a saved search or webhook was deleted meanwhile.
        if (isTimeout(error) || databaseErrorCode(error) === "23503") throw error;
        // Another process may have left it out meanwhile.
        const position = first;
        if (position !== null && (await transact(db, clock, (tx) => skip(tx, position)))) {
          logger.error({ err: error, position }, "a change could not be judged for alerts");
        }
      }
      size = 1;
      return 0;
    }
  };
}

/** Returns how many changes were judged; 0 too if another process works. */
export async function judgeSlice(tx: Tx, deps: JudgingDeps, limit: number): Promise<number> {
  // A statement of its own, so that the next one sees all that the last holder of the lock has done.
  const head = await tx.execute(sql`select from alert_head for update skip locked`);
  if (head.length === 0) return 0;
  const changes = await readChangesToJudge(tx, limit);
  if (changes.length === 0) return 0;
  await judgeInOrder(tx, deps, changes);
  await tx.execute(sql`
    delete from alert_change where position = any (array(
      select position from alert_change order by position limit ${changes.length}))`);
  return changes.length;
}

/** Judges them and writes what comes of it; the caller has locked `alert_head`. */
export async function judgeInOrder(
  tx: Tx,
  deps: JudgingDeps,
  changes: readonly Waiting[],
): Promise<void> {
  if (changes.length === 0) return;
  const { clock, timezone, searches } = deps;
  const states = await readStates(tx, [...new Set(changes.map(({ itemId }) => itemId))]);
  const anchored = await findAnchored(tx, changes);
  const ids = [...anchored.values(), ...[...states.values()].map((own) => [...own.keys()])].flat();
  const rows = await searches(tx, [...new Set(ids)], clock.now());
  const lows = await readLowsBefore(tx, momentsOf({ changes, anchored, rows, states }));
  const verdicts = judgeAll({ changes, anchored, rows, states, lows, timezone });
  await writeVerdicts(tx, { ...verdicts, judged: changes.length, now: clock.now() });
}

interface Slice {
  changes: readonly Waiting[];
  anchored: Anchored;
  rows: ReadonlyMap<number, SearchRow>;
  /** Followed while the slice is judged. */
  states: States;
  lows: LowsBefore;
  timezone: string;
}

/** The saved searches that are anchored at the product, or remember something of it; ascending. */
function toLookAt(
  change: Waiting,
  { anchored, rows, states }: Pick<Slice, "anchored" | "rows" | "states">,
) {
  const remembering = states.get(change.itemId)?.keys() ?? [];
  if (change.only !== undefined) return [rows.get(change.only) ?? []].flat();
  const ids = [...new Set([...(anchored.get(change) ?? []), ...remembering])];
  const own = ids.toSorted((a, b) => a - b).flatMap((id) => rows.get(id) ?? []);
  // A saved search that is younger than the change, or was paused then, is not told of it.
  return own.filter(({ judgesAfter }) => change.position > judgesAfter);
}

/** The moments whose lows may be asked for: of products that a saved search with `new_low` may be about, or whose price has jumped for it. */
function momentsOf(slice: Pick<Slice, "changes" | "anchored" | "rows" | "states">): Moment[] {
  const moments = new Map<string, Moment>();
  for (const change of slice.changes) {
    const { itemId, before, after } = change;
    if (!before || !after) continue;
    const own = [...(slice.states.get(itemId)?.values() ?? [])];
    const jumps = own.flatMap(({ jump }) => jump?.after ?? []);
    const asking = toLookAt(change, slice).filter(
      ({ saved }) =>
        saved.rules.some(({ kind }) => kind === "new_low") ||
        jumps.length > 0 ||
        isJump(before.facts.price, after.facts.price, saved.confirmFactor),
    );
    for (const factor of new Set(asking.map(({ saved }) => saved.confirmFactor))) {
      for (const { since } of [after.facts, ...jumps]) {
        moments.set(momentName({ itemId, since, factor }), { itemId, since, factor });
      }
    }
  }
  return [...moments.values()];
}

interface Pair {
  savedSearchId: number;
  itemId: number;
}

function judgeAll(slice: Slice) {
  const { changes, states, lows, timezone } = slice;
  const told: Told[] = [];
  const touched = new Map<string, Pair>();
  const days = new Map<number, DayCount>();
  let looked = 0;
  for (const change of changes) {
    const { itemId } = change;
    const own = states.get(itemId) ?? new Map<number, PairState>();
    const day = calendarDay(change.at, timezone);
    for (const row of toLookAt(change, slice)) {
      looked += 1;
      const { savedSearchId } = row;
      const past = own.get(savedSearchId) ?? null;
      const { news, state } = judgeOne(row, change, past, lows);
      if (state) own.set(savedSearchId, state);
      else own.delete(savedSearchId);
      if (state || past) touched.set(`${savedSearchId} ${itemId}`, { savedSearchId, itemId });
      if (news.length === 0) continue;
      const count = countOf(days.get(savedSearchId) ?? { ...row, events: 0 }, day);
      for (const one of news) {
        told.push(toTold(row, change, one, count.dayEvents >= row.dailyMax));
        if (count.dayEvents < row.dailyMax) count.dayEvents += 1;
        count.events += 1;
      }
      days.set(savedSearchId, count);
    }
  }
  const written = [...touched.values()].map((pair) => ({
    ...pair,
    state: states.get(pair.itemId)?.get(pair.savedSearchId) ?? null,
  }));
  return { told, states: written, days, looked };
}

function countOf(
  known: { day: string | null; dayEvents: number; events: number },
  day: string,
): DayCount {
  const { dayEvents, events } = known;
  return { day, dayEvents: known.day === day ? dayEvents : 0, events };
}

function judgeOne(row: SearchRow, change: Waiting, past: PairState | null, lows: LowsBefore) {
  // The history between a jump and its confirmation is that of the jump itself.
  const since = past?.jump?.after.since ?? change.after?.facts.since ?? "";
  const factor = row.saved.confirmFactor;
  const known = lows.get(momentName({ itemId: change.itemId, since, factor }));
  return judge(row.saved, change, past, (window) => known?.[window] ?? null);
}

function toTold(
  row: SearchRow,
  change: JudgedChange & { itemId: number },
  news: News,
  isQuiet: boolean,
): Told {
  return {
    owner_id: row.ownerId,
    saved_search_id: row.savedSearchId,
    webhook_id: row.webhookId,
    item_id: change.itemId,
    kind: news.kind,
    ver: change.ver,
    data: news.data,
    is_quiet: isQuiet,
    changed_at: change.at.toISOString(),
  };
}

async function readFirst(tx: Tx): Promise<number | null> {
  const [row] = await tx.execute<{ position: number }>(sql`
    select position from alert_change order by position limit 1`);
  return row?.position ?? null;
}

/** Returns whether it was there. */
async function skip(tx: Tx, position: number): Promise<boolean> {
  // First, as judging does: otherwise the two could wait for each other.
  await tx.execute(sql`select from alert_head for update`);
  const rows = await tx.execute(sql`
    delete from alert_change where position = ${position} returning position`);
  if (rows.length > 0) await tx.execute(sql`update alert_head set skipped = skipped + 1`);
  return rows.length > 0;
}
