import type { Scans } from "../../db/schema.ts";
import type { Tx } from "../../db/open.ts";
import { bringForward } from "../learning/due-shops.ts";
import { isProposed, type Keyword } from "../learning/keywords.ts";
import type { PlannerState } from "../learning/planner-state.ts";
import { momentsOf, toStored } from "../learning/stored-reading.ts";
import type { SearchCall } from "../safety/planned-call.ts";
import { activeDays, addMoments } from "../scoring/week-pattern.ts";
import { toOurs } from "../scoring/clock-behind.ts";
import { toDays } from "../scoring/days.ts";
import {
  afterFailure,
  afterFirstPage,
  afterGapPage,
  isSameGap,
  nextStart,
  type Gap,
  type Reading,
  type ReadPage,
} from "../scoring/reading.ts";
import { batchSize, type ItemStats, type KeywordStats } from "../scoring/scoring.ts";
import { expectUnread, type Unread } from "../scoring/unread-value.ts";
import { addBumped, afterArrivals, keywordMaxAgeDays } from "../scoring/yield.ts";
import { describePage, valueOfChanges, countLed, countAbsences } from "./changes-page.ts";
import { afterCall } from "./keyword-rest.ts";
import { findUnlisted, suspect } from "./suspects.ts";
import type { Answer, Progress, KeywordCaller } from "./keyword-call.ts";

export interface PlannedScan {
  now: Date;
  value: number;
  /** Until it reaches known items, whatever it gains. */
  thorough: boolean;
}

const list = "modified";

/**
 * Reads the newest changes of a keyword, newest `modified` first. Every page is a call of its own value: the first page
 * again, or the next one of the gap that the first pages have left.
 */
export function createNewestChanges(caller: KeywordCaller, state: PlannerState) {
  const remembered = new Map<number, { stats: KeywordStats; at: number; unread: Unread }>();

  /** What is expected to be unread; remembered while little time passes for the keyword. */
  function unreadOf(keyword: Keyword, at: number): Unread {
    const stats = state.statsOf(keyword);
    const old = remembered.get(keyword.id);
    if (old && isSameReading(old.stats.reading, stats.reading) && isNear(stats, old.at, at))
      return old.unread;
    const sample = state.drawn(keyword.id);
    const itemThreshold = state.threshold() / batchSize;
    const unread = expectUnread(stats, { sample, itemThreshold }, at);
    remembered.set(keyword.id, { stats, at, unread });
    return unread;
  }

  function bestPage(keyword: Keyword, at: number): { gap: Gap | null; value: number } {
    const unread = unreadOf(keyword, at);
    let best: { gap: Gap | null; value: number } = { gap: null, value: unread.firstValue };
    for (const page of unread.gaps) if (page.value > best.value) best = page;
    return best;
  }

  return {
    /** Its list may be requested now. */
    isFree: (keyword: Keyword) => !state.backoffs.isWaiting({ queryId: keyword.id, order: list }),
    /** A thorough reading that began after this moment has pages left. */
    isUnderWay(keyword: Keyword, since: Date): boolean {
      const { reading } = state.statsOf(keyword);
      return reading.until >= toDays(since) && reading.gaps.some(hasNext);
    },
    /** The expected gain of its best page; Infinity if the first page is overdue. `weight`: of its job. */
    value(keyword: Keyword, now: Date, weight: number): number {
      const at = toDays(now);
      const { reading } = state.statsOf(keyword);
      const mostDays = keywordMaxAgeDays(state.queries().length, state.callsPerDay);
      const isOverdue = !isProposed(keyword) && at - reading.until > mostDays;
      return isOverdue ? Infinity : bestPage(keyword, at).value * weight;
    },
    next(keyword: Keyword, { now, value, thorough }: PlannedScan): SearchCall {
      const at = toDays(now);
      const { reading } = state.statsOf(keyword);
      const unread = unreadOf(keyword, at);
      const best = value === Infinity ? null : bestPage(keyword, at).gap;
      const gap = thorough ? (reading.gaps.find(hasNext) ?? null) : best;
      const start = gap?.next
        ? nextStart(reading, gap.next, { found: keyword.found ?? 0, at })
        : Math.max(0, (keyword.scans.led ?? 0) - 1);
      return caller.call(keyword, {
        job: "feed",
        order: list,
        start,
        value,
        why: { code: "newest_changes", q: keyword.q, start },
        giveUp: (failedAt) => ({
          scans: {
            ...keyword.scans,
            reading: toStored(
              afterFailure(reading, toDays(failedAt)),
              momentsOf(keyword.scans.reading),
            ),
          },
          feedCheckedAt: failedAt,
        }),
        async progress(tx, answer) {
          const sample = state.drawn(keyword.id);
          const led = await countLed(tx, answer, { start, sample });
          const plan = { gap, start, thorough, unread, led };
          const progress = toProgress(state, keyword, plan, answer);
          if (gap === null) {
            const unlisted = await findUnlisted(tx, keyword.scans.listed ?? [], answer);
            await suspect(tx, unlisted, answer.sighting.sentAt);
          }
          await lookForMissing(tx, { keyword, sample }, progress, answer.sighting.sentAt);
          return progress;
        },
      });
    },
  };
}

/** Shops that are valued anew when products of a keyword are missing. */
const mostShops = 50;

const hasNext = (gap: Gap) => gap.next !== null;

interface PagePlan {
  /** null: the first page. */
  gap: Gap | null;
  start: number;
  thorough: boolean;
  unread: Unread;
  led: number;
}

/** What an answered page changes of its keyword: what is read, what is left to read, and what was learned. */
function toProgress(
  state: PlannerState,
  keyword: Keyword,
  plan: PagePlan,
  answer: Answer,
): Progress {
  const { gap, unread } = plan;
  const stats = state.statsOf(keyword);
  const { reading: old, changedShare } = stats;
  const shown = describePage(answer, {
    ...plan,
    reading: old,
    changedShare,
    watermark: keyword.feedWatermark,
  });
  const { behind } = shown.page;
  const expect = gap ? unread.gaps.find((one) => isSameGap(one.gap, gap))?.items : unread.recent;
  const lowest = Math.max(toOurs(behind, shown.page.oldest), gap?.from ?? old.until);
  const end = gap?.to ?? shown.page.at;
  const top = Math.min(end, gap ? toOurs(behind, shown.page.newest) : end);
  const here = expect?.(activeDays(stats.pattern, lowest, end)) ?? 0;
  const below = Math.max(0, (expect?.(Infinity) ?? 0) - here);
  const page = { ...shown.page, expected: { here, below } };
  const later = shown.changes.map((one) => one.at).filter((moment) => moment > old.until);
  const { reachesKnown } = shown;
  const read = gap
    ? afterGapPage(old, gap, page)
    : afterFirstPage(old, { ...page, later, reachesKnown });
  const reading = plan.thorough && !shown.isDone ? goingOn(read, gap, page) : read;
  const changes = shown.changes.filter((one) => one.isNews && one.isChange).map((one) => one.at);
  const from = gap?.from ?? old.until;
  const { at, created } = page;
  const scans: Scans = {
    ...answer.scans,
    ...(gap ? {} : { led: plan.led, listed: answer.page.items.map(({ itemId }) => itemId) }),
    reading: toStored(
      reading,
      addMoments(momentsOf(answer.scans.reading), changes, { from: lowest, to: top }),
    ),
    bumped: addBumped(answer.scans, shown.bumped),
    arrivals: afterArrivals(stats.arrivals, {
      items: created,
      weight: shown.createdWeight,
      // The days of a gap count when it is left, its products when they are read.
      days: gap ? 0 : Math.max(0, at - old.until),
    }),
    ...countAbsences(answer, {
      reading,
      pattern: stats.pattern,
      from,
      to: end,
      lowest: shown.lowest,
      behind,
      sample: state.drawn(keyword.id),
    }),
  };
  const { sentAt } = answer.sighting;
  return {
    scans,
    ...(gap ? {} : { feedCheckedAt: sentAt }),
    feedWatermark:
      shown.highestModified === null
        ? keyword.feedWatermark
        : Math.max(shown.highestModified, keyword.feedWatermark ?? 0),
    ...afterCall(keyword, valueOfChanges(answer, { readUntil: from, changedShare, behind }), {
      threshold: state.threshold(),
      at: sentAt,
    }),
  };
}

/** Once more of its products are missing, the shops that may have had them are valued anew. */
async function lookForMissing(
  tx: Tx,
  { keyword, sample }: { keyword: Keyword; sample: readonly ItemStats[] },
  { scans }: Progress,
  at: Date,
) {
  const before = keyword.scans.absences?.since ?? Infinity;
  const after = scans?.absences?.since ?? 0;
  if (after <= before) return;
  const shops = new Set(sample.map(({ shop }) => shop.shopId));
  await bringForward(tx, [...shops].slice(0, mostShops), at);
}

function isSameReading(a: Reading, b: Reading): boolean {
  if (a.until !== b.until || a.gaps.length !== b.gaps.length) return false;
  return a.gaps.every((gap, i) => {
    const other = b.gaps[i];
    return other !== undefined && isSameGap(gap, other);
  });
}

/** What is unread hardly changes within this part of the time since the first page, and within an hour. */
const near = { part: 0.05, days: 1 / 24 };

function isNear({ reading, pattern }: KeywordStats, from: number, at: number): boolean {
  const passed = activeDays(pattern, from, at);
  return at - from < near.days && passed <= near.part * activeDays(pattern, reading.until, from);
}

/** A thorough reading has a next page until it reaches what is known. `read`: the gap of the last page. */
function goingOn(reading: Reading, read: Gap | null, { start, items }: ReadPage): Reading {
  const gaps = reading.gaps.map((gap, i) => {
    if (gap.next || (read ? gap.from !== read.from : i > 0)) return gap;
    return {
      ...gap,
      next: {
        start: (read?.next?.start ?? start) + items,
        pages: 1,
        expected: 1,
        surplus: 1,
        newShare: read?.next?.newShare ?? 0,
      },
    };
  });
  return { ...reading, gaps };
}
