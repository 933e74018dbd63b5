import { toModifiedAt } from "../../catalog/modified.ts";
import type { Observed } from "../../catalog/sighting.ts";
import type { Scans } from "../../db/schema.ts";
import type { Tx } from "../../db/open.ts";
import { bringForward } from "../learning/due-times.ts";
import { isProposed, type CrawlQuery } from "../learning/keywords.ts";
import type { PlannerState } from "../learning/planner-state.ts";
import { toStored } from "../learning/stored-reading.ts";
import type { SearchCall } from "../safety/planned-call.ts";
import { activeDays, countHours } from "../scoring/day-pattern.ts";
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
import { BATCH, changeValue, type KeywordStats } from "../scoring/scoring.ts";
import { expectUnread, type Unread } from "../scoring/unread-value.ts";
import { afterArrivals, keywordMaxAgeDays } from "../scoring/yield.ts";
import { afterCall } from "./keyword-rest.ts";
import { countLed } from "./leading-products.ts";
import { countAbsences } from "./missing-products.ts";
import { countOwn, type Answer, type Progress, type QueryCaller } from "./keyword-call.ts";

export interface PlannedScan {
  now: Date;
  value: number;
  /** Until it reaches known items, whatever it gains. */
  thorough: boolean;
}

export interface NewestChanges {
  /** Its list may be requested now. */
  isFree(query: CrawlQuery): boolean;
  /** A thorough reading that began after this moment has pages left. */
  isUnderWay(query: CrawlQuery, since: Date): boolean;
  /** The expected gain of its best page; Infinity if the first page is overdue. `weight`: of its job. */
  value(query: CrawlQuery, now: Date, weight: number): number;
  next(query: CrawlQuery, plan: PlannedScan): SearchCall;
}

const LIST = "modified";

/**
 * Reads the newest changes of a keyword, newest `modified` first. Every page is a call of its own value: the first page
 * again, or the next one of the gap that the first pages have left.
 */
export function createNewestChanges(caller: QueryCaller, state: PlannerState): NewestChanges {
  const remembered = new Map<number, { stats: KeywordStats; at: number; unread: Unread }>();

  /** What is expected to be unread; remembered while little time passes for the keyword. */
  function unreadOf(query: CrawlQuery, at: number): Unread {
    const stats = state.statsOf(query);
    const old = remembered.get(query.id);
    if (old && isSameReading(old.stats.reading, stats.reading) && isNear(stats, old.at, at))
      return old.unread;
    const sample = state.drawn(query.id);
    const price = state.threshold() / BATCH;
    const products = countOwn(query.scans, query.found ?? 0);
    const unread = expectUnread(stats, { sample, products, price }, at);
    remembered.set(query.id, { stats, at, unread });
    return unread;
  }

  /** The best of its pages: the first one, or the next one of a gap. */
  function bestPage(query: CrawlQuery, at: number): { gap: Gap | null; value: number } {
    const unread = unreadOf(query, at);
    let best: { gap: Gap | null; value: number } = { gap: null, value: unread.firstValue };
    for (const page of unread.gaps) if (page.value > best.value) best = page;
    return best;
  }

  function progress(
    query: CrawlQuery,
    { gap, start, thorough, unread, led }: PagePlan,
    answer: Answer,
  ): Progress {
    const { sentAt } = answer.sighting;
    const at = toDays(sentAt);
    const stats = state.statsOf(query);
    const { reading: old } = stats;
    const moments = answer.learned.flatMap(({ observed }) => {
      const modifiedAt = toModifiedAt(observed.modified, sentAt);
      return modifiedAt === null ? [] : [{ at: toDays(modifiedAt), isNews: isNews(observed) }];
    });
    const news = answer.learned.filter(({ observed }) => isNews(observed)).length;
    const newest = Math.max(-Infinity, ...moments.map((one) => one.at));
    // What leads the list for ever tells nothing of what is below it.
    const isLed = led > 0 && led === start + answer.page.items.length && !answer.exhausted;
    const oldest = isLed ? at : Math.min(newest, ...moments.map((one) => one.at));
    const lowest = answer.exhausted ? -Infinity : oldest;
    const reachesKnown = answer.exhausted || (!isLed && reaches(answer, query.feedWatermark, news));
    const isDone = gap ? (!isLed && news === 0) || lowest < gap.from : reachesKnown;
    const fresh = answer.learned.filter(({ observed }) => observed.fate === "created");
    const page = {
      start,
      at,
      newest,
      // Without plausible moments the page says nothing of what is below it.
      oldest: moments.length === 0 && !isDone ? at : lowest,
      items: answer.page.items.length + answer.page.broken.length,
      found: answer.page.found,
      news,
      created: fresh.length,
      expected: gap
        ? (unread.gaps.find((one) => isSameGap(one.gap, gap))?.items ?? 0)
        : unread.recent,
    };
    const later = moments.map((one) => one.at).filter((moment) => moment > old.until);
    const read = gap
      ? afterGapPage(old, gap, page)
      : afterFirstPage(old, { ...page, later, reachesKnown });
    const reading = thorough && !isDone ? goingOn(read, gap, page) : read;
    const value = valueOfChanges(answer, gap ? gap.from : old.until);
    const scans: Scans = {
      ...answer.scans,
      ...(gap ? {} : { led }),
      reading: toStored(
        reading,
        countHours(
          answer.scans.reading?.hours ?? [],
          moments.filter((one) => one.isNews).map((one) => one.at),
        ),
      ),
      arrivals: afterArrivals(stats.arrivals, {
        items: fresh.length,
        weight: fresh.reduce((sum, { item }) => sum + item.weight, 0),
        // The days of a gap count when it is left, its products when they are read.
        days: gap ? 0 : Math.max(0, at - old.until),
      }),
      ...countAbsences(answer, {
        reading,
        pattern: stats.pattern,
        from: gap?.from ?? old.until,
        to: gap?.to ?? at,
        lowest,
        sample: state.drawn(query.id),
      }),
    };
    const highest = highestModified(answer);
    return {
      row: {
        scans,
        ...(gap ? {} : { feedCheckedAt: sentAt }),
        feedWatermark:
          highest === null ? query.feedWatermark : Math.max(highest, query.feedWatermark ?? 0),
        ...afterCall(query, value, { price: state.threshold(), at: sentAt }),
      },
    };
  }

  /** The sum over the changed and new items of what finding them now was worth. */
  function valueOfChanges({ sighting, learned }: Answer, readUntil: number): number {
    const now = toDays(sighting.sentAt);
    let value = 0;
    for (const { observed, item } of learned) {
      if (observed.fate === "created") {
        const modifiedAt = toModifiedAt(observed.modified, sighting.sentAt);
        const cameUp = modifiedAt ? toDays(modifiedAt) : (readUntil + now) / 2;
        value += item.weight * Math.max(0, Math.min(now, cameUp) - readUntil);
      } else if (observed.before && observed.modified !== observed.before.modified) {
        const since = Math.max(readUntil, toDays(observed.before.checkedAt));
        value += changeValue(item, now - since);
      }
    }
    return value;
  }

  /** Once more of its products are missing, the shops that may have had them are valued anew. */
  async function lookForMissing(tx: Tx, query: CrawlQuery, { row }: Progress, at: Date) {
    const before = query.scans.absences?.missing ?? 0;
    const after = row.scans?.absences?.missing ?? 0;
    if (after < before + 0.5) return;
    const shops = new Set(state.drawn(query.id).map(({ shop }) => shop.shopId));
    await bringForward(tx, [...shops].slice(0, MOST_SHOPS), at);
  }

  return {
    isFree: (query) => !state.isWaiting({ queryId: query.id, order: LIST }),
    isUnderWay(query, since) {
      const { reading } = state.statsOf(query);
      return reading.until >= toDays(since) && reading.gaps.some(hasNext);
    },
    value(query, now, weight) {
      const at = toDays(now);
      const { reading } = state.statsOf(query);
      const mostDays = keywordMaxAgeDays(state.queries().length, state.callsPerDay);
      const isOverdue = !isProposed(query) && at - reading.until > mostDays;
      return isOverdue ? Infinity : bestPage(query, at).value * weight;
    },
    next(query, { now, value, thorough }) {
      const at = toDays(now);
      const { reading } = state.statsOf(query);
      const unread = unreadOf(query, at);
      const best = value === Infinity ? null : bestPage(query, at).gap;
      const gap = thorough ? (reading.gaps.find(hasNext) ?? null) : best;
      const start = gap?.next
        ? nextStart(reading, gap.next, { found: query.found ?? 0, at })
        : Math.max(0, (query.scans.led ?? 0) - 1);
      return caller.call(query, {
        job: "feed",
        order: LIST,
        start,
        value,
        why: { code: "newest_changes", q: query.q, start },
        giveUp: (failedAt) => ({
          scans: {
            ...query.scans,
            reading: toStored(
              afterFailure(reading, toDays(failedAt)),
              query.scans.reading?.hours ?? [],
            ),
          },
          feedCheckedAt: failedAt,
        }),
        async progress(tx, answer) {
          const led = await countLed(tx, answer, { start, sample: state.drawn(query.id) });
          const made = progress(query, { gap, start, thorough, unread, led }, answer);
          await lookForMissing(tx, query, made, answer.sighting.sentAt);
          return made;
        },
      });
    },
  };
}

/** Shops that are valued anew when products of a keyword are missing. */
const MOST_SHOPS = 50;

const hasNext = (gap: Gap) => gap.next !== null;

interface PagePlan {
  /** null: the first page. */
  gap: Gap | null;
  start: number;
  thorough: boolean;
  unread: Unread;
  led: number;
}

function isSameReading(a: Reading, b: Reading): boolean {
  if (a.until !== b.until || a.gaps.length !== b.gaps.length) return false;
  return a.gaps.every((gap, i) => {
    const other = b.gaps[i];
    return other !== undefined && isSameGap(gap, other);
  });
}

/** What is unread hardly changes within this part of the time since the first page, and within an hour. */
const NEAR = { part: 0.05, days: 1 / 24 };

function isNear({ reading, pattern }: KeywordStats, from: number, at: number): boolean {
  const passed = activeDays(pattern, from, at);
  return at - from < NEAR.days && passed <= NEAR.part * activeDays(pattern, reading.until, from);
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
        newShare: read?.next?.newShare ?? 0,
      },
    };
  });
  return { ...reading, gaps };
}

function isNews({ before, modified }: Observed): boolean {
  return before === null || before.modified !== modified;
}

/**
 * Everything below the watermark was seen before, but for gaps. At the watermark itself more may have come (a
 * whole day's changes can have one moment).
 */
function reaches(answer: Answer, watermark: number | null, news: number): boolean {
  const oldest = Math.min(Infinity, ...answer.page.items.map((item) => item.modified));
  if (watermark === null || news === 0) return news === 0;
  return oldest < watermark;
}

/** Otherwise a `modified` in the far future would hide every later change. */
function highestModified({ page, sighting }: Answer): number | null {
  const plausible = page.items
    .map((item) => item.modified)
    .filter((modified) => toModifiedAt(modified, sighting.sentAt) !== null);
  return plausible.length > 0 ? Math.max(...plausible) : null;
}
