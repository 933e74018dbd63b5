import { toModifiedAt } from "../../catalog/modified.ts";
import type { Scan, Scans } from "../../db/schema.ts";
import {
  afterFeedScan,
  afterPush,
  busyDays,
  countAbove,
  emptyBacklog,
  expectUnread,
  firstPosition,
  placesToSkip,
  type Backlog,
} from "../scoring/backlog.ts";
import { countMissing } from "../scoring/absences.ts";
import { bringForward } from "../learning/due-times.ts";
import type { Tx } from "../../db/open.ts";
import type { SearchCall } from "../safety/planned-call.ts";
import { fromDays, toDays } from "../scoring/days.ts";
import { changeValue, freshDays } from "../scoring/scoring.ts";
import {
  NEWEST_MAX_AGE_DAYS,
  afterArrivals,
  afterCheck,
  expectCheck,
  keywordMaxAgeDays,
  checksOn,
  newestGrowth,
} from "../scoring/yield.ts";
import { afterCall } from "./keyword-rest.ts";
import { PAGE, type Answer, type Progress, type QueryCaller } from "./keyword-call.ts";
import { isProposed, type CrawlQuery } from "../learning/keywords.ts";
import { toKeywordStats, type PlannerState } from "../learning/planner-state.ts";

export type ScanKind = "feed" | "newest";

export interface IncrementalScans {
  /** Its list may be requested now. */
  isFree(query: CrawlQuery, kind: ScanKind): boolean;
  /**
   * The expected gain of the next page; Infinity if it is due whatever its value, -Infinity if it is not due by the
   * plan of scans. `weight`: of its job.
   */
  value(query: CrawlQuery, kind: ScanKind, now: Date, weight: number): number;
  /** `thorough`: until it reaches known items, whatever it gains. */
  next(
    query: CrawlQuery,
    kind: ScanKind,
    plan: { now: Date; value: number; thorough: boolean },
  ): SearchCall;
}

/**
 * Scans the new items and changes of a keyword: its feed (newest `modified` first, until where the last
 * scan began) and its newest ids. A scan goes on page by page until it reaches known items or is no
 * longer worth it.
 */
export function createIncrementalScans(caller: QueryCaller, state: PlannerState): IncrementalScans {
  function newestChecks(query: CrawlQuery, at: number) {
    const stats = toKeywordStats(query);
    const days = Math.max(1e-6, at - stats.newestAt);
    const growth = newestGrowth(days);
    return { growth, yields: stats.newest, expected: expectCheck(stats.newest, growth) };
  }

  /** When it was last scanned, or tried without reaching known items, or its scan has had a page. */
  function triedAt(query: CrawlQuery, kind: ScanKind): number {
    const stats = toKeywordStats(query);
    const tried = [query.scans.triedAt?.[kind], query.scans[kind]?.pageAt];
    return Math.max(
      kind === "feed" ? stats.feedScannedAt : stats.newestAt,
      ...tried.map((moment) => (moment ? toDays(new Date(moment)) : -Infinity)),
    );
  }

  /** What the new and changed products of a page are worth: for how long each is expected to stay as it was shown. */
  function valueOfFresh(answer: Answer): number {
    return freshOf(answer).reduce((sum, { item }) => sum + item.weight * freshDays(item), 0);
  }

  function freshOf({ learned }: Answer) {
    return learned.filter(({ observed: { fate } }) => fate === "created" || fate === "changed");
  }

  /** Of another page, if those after this one that it has not repeated are like them. */
  function valueOfNext(scan: Scan, answer: Answer, unread: number): number {
    const fresh = answer.page.items.length - (scan.repeated ?? 0);
    const perPlace =
      fresh < FEW_PLACES && scan.nextValue !== undefined
        ? scan.nextValue / PAGE
        : valueOfFresh(answer) / Math.max(1, fresh);
    return perPlace * Math.min(PAGE, unread);
  }

  function toArrivals(query: CrawlQuery, { learned }: Answer, until: number) {
    const stats = toKeywordStats(query);
    const coveredUntil = Math.max(stats.feedScannedAt, stats.newestAt);
    const created = learned.filter(({ observed }) => observed.fate === "created");
    return afterArrivals(stats.arrivals, {
      items: created.length,
      weight: created.reduce((sum, { item }) => sum + item.weight, 0),
      days: Math.max(0, until - coveredUntil),
    });
  }

  const toBacklog = (query: CrawlQuery): Backlog =>
    query.scans.backlog ?? emptyBacklog(toKeywordStats(query).feedScannedAt);

  /** Changes are read from the oldest unread one. */
  function firstStart(query: CrawlQuery, kind: ScanKind, now: Date, thorough: boolean): number {
    if (kind === "newest" || thorough) return 0;
    return firstPosition(toBacklog(query), toDays(now), query.found ?? 0);
  }

  /** The sum over the changed and new items of what finding them now was worth. */
  function valueOfChanges(query: CrawlQuery, kind: ScanKind, answer: Answer): number {
    const { sighting, learned } = answer;
    const now = toDays(sighting.sentAt);
    const stats = toKeywordStats(query);
    const seenUntil = kind === "feed" ? stats.feedScannedAt : stats.newestAt;
    let value = 0;
    for (const { observed, item } of learned) {
      if (observed.fate === "created") {
        const modifiedAt = toModifiedAt(observed.modified, sighting.sentAt);
        const cameUp = kind === "feed" && modifiedAt ? toDays(modifiedAt) : (seenUntil + now) / 2;
        value += item.weight * Math.max(0, Math.min(now, cameUp) - seenUntil);
      } else if (
        kind === "feed" &&
        observed.before &&
        observed.modified !== observed.before.modified
      ) {
        value += changeValue(item, now - Math.max(seenUntil, toDays(observed.before.checkedAt)));
      }
    }
    return value;
  }

  function progress(
    query: CrawlQuery,
    kind: ScanKind,
    thorough: boolean,
    old: Scan,
    answer: Answer,
  ): Progress {
    const { sighting, result } = answer;
    const pageValue = valueOfChanges(query, kind, answer);
    const push = kind === "feed" ? toPush(old, answer) : {};
    if (push === null) {
      // The page left something out: the scan goes on where the last one ended.
      const again = { ...old, pageAt: sighting.sentAt.toISOString(), pushedPerDay: 0 };
      return { row: { scans: { ...query.scans, [kind]: again } } };
    }
    const scan: Scan = {
      ...old,
      ...push,
      ...(old.top === null ? newestPlausible(answer) : {}),
      start: answer.next,
      from: old.from ?? answer.start,
      began: old.pages === 0 ? sighting.sentAt.toISOString() : old.began,
      value: old.value + pageValue,
      pages: old.pages + 1,
      pageAt: sighting.sentAt.toISOString(),
    };
    const arrivals = (until: number) => toArrivals(query, answer, until);
    const end = (scans: Scans) => ({
      scans: afterScan(scans, kind, sighting.sentAt),
      ...afterCall(query, scan.value / scan.pages, {
        price: state.threshold(),
        at: sighting.sentAt,
      }),
    });
    const beganAt = toDays(new Date(scan.began));
    if (kind === "newest") {
      const { yields, growth, expected } = newestChecks(query, beganAt);
      const isDone = answer.exhausted || result.tally.created === 0;
      const scans = { ...query.scans, arrivals: arrivals(isDone ? beganAt : -Infinity) };
      if (!isDone && (thorough || checksOn(scan, expected, state.threshold())))
        return { row: { scans: { ...scans, newest: scan } } };
      const newestYield = afterCheck(yields, scan, growth);
      const checked = isDone ? { newestCheckedAt: new Date(scan.began) } : {};
      return { row: { newestYield, ...checked, ...end(scans) } };
    }
    // Much has come at once: the scan would read again what it has shown, while all of that is unread.
    const isCutOff = scan.repeated === answer.page.items.length && isOld(answer);
    const above = isCutOff ? answer.start : countUnread(query, answer);
    const unread = above === null ? toUnread(query, answer) : 0;
    // What lies below a page would be read by another one, and is worth less if it is only a few products.
    const next = valueOfNext(scan, answer, unread);
    if (above === null) {
      const isPlanned = Number.isFinite(query.scanIntervalDays);
      const isWorthIt = next >= MISSED_BELOW * state.threshold();
      const scans = { ...query.scans, arrivals: arrivals(-Infinity) };
      if (thorough || isWorthIt || (isPlanned && unread >= PAGE))
        return { row: { scans: { ...scans, feed: { ...scan, nextValue: next } } } };
      if (!isPlanned) return { row: end(scans) };
    }
    const after = afterFeed(query, scan, above ?? answer.next + unread, answer);
    const scans = {
      ...query.scans,
      arrivals: arrivals(toDays(after.feedCheckedAt)),
      backlog: after.backlog,
      ...toAbsences(query, answer, toDays(after.feedCheckedAt)),
    };
    return {
      row: {
        ...end(scans),
        feedCheckedAt: after.feedCheckedAt,
        feedWatermark: after.feedWatermark,
      },
    };
  }

  /** As many products of the keyword are deleted that nobody has noticed; unknown without a sample of them. */
  function toAbsences(
    query: CrawlQuery,
    answer: Answer,
    readUntil: number,
  ): Pick<Scans, "absences"> {
    const drawn = state.drawn(query.id);
    const { found } = answer.page;
    if (drawn.length === 0) return {};
    const at = toDays(answer.sighting.sentAt);
    const lost = drawn.map(({ shop, checkedAt }) => -Math.expm1(-shop.lossRate * (at - checkedAt)));
    const expected = (found / drawn.length) * lost.reduce((sum, one) => sum + one, 0);
    const { items, days } = toKeywordStats(query).arrivals;
    const unread = (items / days) * Math.max(0, at - readUntil);
    const known = query.itemsCreated + answer.result.tally.created - query.itemsDeleted + unread;
    return { absences: countMissing(query.scans.absences ?? null, { known, found, expected, at }) };
  }

  /** Once more of its products are missing, the shops that may have had them are valued anew. */
  async function lookForMissing(tx: Tx, query: CrawlQuery, { row }: Progress, at: Date) {
    const before = query.scans.absences?.missing ?? 0;
    const after = row.scans?.absences?.missing ?? 0;
    if (after < before + 0.5) return;
    const shops = new Set(state.drawn(query.id).map(({ shop }) => shop.shopId));
    await bringForward(tx, [...shops].slice(0, MOST_SHOPS), at);
  }

  /** Where the page joins the one before it in the same scan; null: it does not. */
  function toPush(old: Scan, { page: { items }, start, sighting }: Answer) {
    const last = items.at(-1);
    const kept = last ? { last: { modified: last.modified, itemId: last.itemId } } : {};
    if (!old.last || !old.pageAt) return { ...kept, repeated: 0, pushed: 0, pushedPerDay: 0 };
    const below = countAbove(items, old.last.modified, old.last.itemId - 1);
    const skipped = start - old.start;
    if (skipped > 0 && below === 0) return null;
    const { pushed = 0, pushedPerDay: perDay = 0 } = old;
    const since = (moment: string) =>
      Math.max(1e-5, toDays(sighting.sentAt) - toDays(new Date(moment)));
    const page = { days: since(old.pageAt), daysInAll: since(old.began) };
    const after = afterPush({ pushed, perDay }, { repeated: below, skipped, ...page });
    return { ...kept, repeated: below, pushed: after.pushed, pushedPerDay: after.perDay };
  }

  /** The position of the next page of a scan under way. */
  function nextStart({ start, pageAt, pushedPerDay: perDay = 0 }: Scan, now: Date): number {
    const days = pageAt ? toDays(now) - toDays(new Date(pageAt)) : 0;
    return start + placesToSkip({ perDay }, days);
  }

  /** How many products stand above those that are known; null if none on the page is known. */
  function countUnread(query: CrawlQuery, answer: Answer): number | null {
    const { feedWatermark: watermark } = query;
    const { items } = answer.page;
    const { itemId } = toBacklog(query);
    const above = countAbove(items, watermark, itemId);
    // Changes of one moment: where any of them may be unread, a scan goes on while it finds some.
    const isAtWatermark = itemId === null && items.at(-1)?.modified === watermark;
    const isKnown =
      above < items.length || (isOld(answer) && (watermark === null || isAtWatermark));
    if (!answer.exhausted && !isKnown) return null;
    return answer.start + (isAtWatermark ? countAbove(items, watermark, Infinity) : above);
  }

  function toUnread(query: CrawlQuery, { next, sighting, page }: Answer): number {
    return Number.isFinite(query.scanIntervalDays)
      ? expectUnread(toBacklog(query), next, toDays(sighting.sentAt), page.found)
      : PAGE;
  }

  function afterFeed(query: CrawlQuery, scan: Scan, above: number, answer: Answer) {
    const { top, topId = null, topAt = 0, from = 0, pushed = 0 } = scan;
    const old = toBacklog(query);
    const { sentAt } = answer.sighting;
    const { feedScannedAt } = toKeywordStats(query);
    const began = toDays(new Date(scan.began));
    const isWhole = from === 0;
    const isNew = top !== null && above > from + pushed;
    const news = answer.page.items.slice(0, Math.max(0, above - answer.start));
    const seen = {
      endedAt: toDays(sentAt),
      found: answer.page.found,
      modifiedAt: news.flatMap(({ modified }) => toModifiedAt(modified, sentAt) ?? []).map(toDays),
    };
    if (!isWhole && !isNew) {
      return {
        feedWatermark: query.feedWatermark,
        feedCheckedAt: fromDays(feedScannedAt),
        backlog: afterFeedScan(old, { ...seen, above: null, left: 0, itemId: old.itemId }),
      };
    }
    const modifiedAt = top === null ? null : toModifiedAt(top, sentAt);
    const readUntil = isWhole || modifiedAt === null ? began : Math.min(began, toDays(modifiedAt));
    const left = isNew ? topAt + pushed : 0;
    return {
      feedWatermark: top === null ? query.feedWatermark : Math.max(top, query.feedWatermark ?? 0),
      feedCheckedAt: fromDays(Math.max(feedScannedAt, readUntil)),
      backlog: afterFeedScan(old, { ...seen, above, left, itemId: topId }),
    };
  }

  const scanUnderWay = (query: CrawlQuery, kind: ScanKind, now: Date) =>
    underWay(query, kind, { now, callsPerDay: state.callsPerDay });

  return {
    isFree: (query, kind) => !state.isWaiting({ queryId: query.id, order: scanOrders[kind] }),
    value(query, kind, now, weight) {
      const at = toDays(now);
      const going = scanUnderWay(query, kind, now);
      const lastAt = triedAt(query, kind);
      if (kind === "newest") {
        const { expected } = newestChecks(query, at);
        const isOverdue = at - lastAt > NEWEST_MAX_AGE_DAYS;
        return going || (isOverdue && !isProposed(query)) ? Infinity : expected.perCall * weight;
      }
      const floor = isProposed(query)
        ? Infinity
        : keywordMaxAgeDays(state.queries().length, state.callsPerDay);
      const interval = query.scanIntervalDays / weight;
      // The call nearest to the planned moment is its call.
      const next = at + 0.5 / state.callsPerDay;
      if (next - lastAt > Math.min(floor, MOST_QUIET * Math.max(1, interval))) return Infinity;
      const backlog = toBacklog(query);
      const isDue = busyDays(backlog, lastAt, next) > interval;
      if (isDue) return Infinity;
      return going ? (going.nextValue ?? Infinity) * weight : -Infinity;
    },
    next(query, kind, { now, value, thorough }) {
      const scan = scanUnderWay(query, kind, now) ?? {
        start: firstStart(query, kind, now, thorough),
        began: now.toISOString(),
        top: null,
        value: 0,
        pages: 0,
      };
      return caller.call(query, {
        job: kind === "feed" ? "feed" : "discover",
        order: scanOrders[kind],
        start: kind === "feed" ? nextStart(scan, now) : scan.start,
        value,
        why: {
          code: kind === "feed" ? "newest_changes" : "newest_ids",
          q: query.q,
          start: scan.start,
        },
        giveUp: (at) => ({
          scans: afterScan(query.scans, kind, at),
          ...(kind === "feed" ? { feedCheckedAt: at } : { newestCheckedAt: at }),
        }),
        async progress(tx, answer) {
          const made = progress(query, kind, thorough, scan, answer);
          await lookForMissing(tx, query, made, answer.sighting.sentAt);
          return made;
        },
      });
    },
  };
}

export const scanOrders = { feed: "modified", newest: "id-descending" } as const;

const DAY_MS = 86_400_000;
/** A scan that has not moved for a day and for so many calls begins anew: its pages have shifted. */
const STALE_CALLS = 3;

function underWay(
  query: CrawlQuery,
  kind: ScanKind,
  { now, callsPerDay }: { now: Date; callsPerDay: number },
): Scan | null {
  const scan = query.scans[kind];
  if (!scan) return null;
  const lastMs = Math.max(Date.parse(scan.began), query.askedAt?.getTime() ?? 0);
  const staleMs = DAY_MS * Math.max(1, STALE_CALLS / callsPerDay);
  return now.getTime() - lastMs < staleMs ? scan : null;
}

function afterScan(scans: Scans, kind: ScanKind, at: Date): Scans {
  const { [kind]: _ended, ...others } = scans;
  return { ...others, triedAt: { ...scans.triedAt, [kind]: at.toISOString() } };
}

/** So few further places of a page say little about those that follow. */
const FEW_PLACES = 10;
/** Shops that are valued anew when products of a keyword are missing. */
const MOST_SHOPS = 50;
function isOld({ result: { tally } }: Answer): boolean {
  return tally.created + tally.changed === 0;
}

/** In quiet hours scans are further apart, up to so many days or intervals. */
const MOST_QUIET = 2;
/** A scan goes on to changes that it has not reached if they are worth this share of the threshold. */
const MISSED_BELOW = 0.5;

/** Otherwise a `modified` in the far future would hide every later change. */
function newestPlausible({ page, start, sighting }: Answer) {
  const index = page.items.findIndex(
    ({ modified }) => toModifiedAt(modified, sighting.sentAt) !== null,
  );
  const item = page.items[index];
  return item ? { top: item.modified, topId: item.itemId, topAt: start + index } : null;
}
