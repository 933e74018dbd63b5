import { toModifiedAt } from "../../catalog/modified.ts";
import type { Scan, Scans } from "../../db/schema.ts";
import type { SearchCall } from "../safety/planned-call.ts";
import { toDays } from "../scoring/days.ts";
import { changeValue } from "../scoring/scoring.ts";
import {
  NEWEST_MAX_AGE_DAYS,
  afterArrivals,
  afterCheck,
  expectCheck,
  keywordMaxAgeDays,
  checksOn,
  newestGrowth,
  scansOn,
} from "../scoring/yield.ts";
import { afterCall } from "./keyword-rest.ts";
import type { Answer, Progress, QueryCaller } from "./keyword-call.ts";
import { isProposed, type CrawlQuery } from "../learning/keywords.ts";
import { toKeywordStats, type PlannerState } from "../learning/planner-state.ts";

export type ScanKind = "feed" | "newest";

export interface IncrementalScans {
  /** Its list can be asked for now. */
  isFree(query: CrawlQuery, kind: ScanKind): boolean;
  isUnderWay(query: CrawlQuery, kind: ScanKind, now: Date): boolean;
  /**
   * What the next page would gain; Infinity for one that is overdue whatever it brings. A scan is
   * never weighed: it is due by its plan (Infinity), or not (-Infinity). `weight`: of its job.
   */
  value(query: CrawlQuery, kind: ScanKind, now: Date, weight: number): number;
  /** `thorough`: down to what is known, whatever it gains. */
  next(
    query: CrawlQuery,
    kind: ScanKind,
    plan: { now: Date; value: number; thorough: boolean },
  ): SearchCall;
}

/**
 * Scans what is new with a keyword: its feed (newest `modified` first, down to where the last
 * scan began) and its newest ids. A check goes on page by page until it reaches what is known, or
 * is no longer worth it.
 */
export function createIncrementalScans(caller: QueryCaller, state: PlannerState): IncrementalScans {
  function newest(query: CrawlQuery, at: number) {
    const stats = toKeywordStats(query);
    const days = Math.max(1e-6, at - stats.newestAt);
    const growth = newestGrowth(days);
    return { days, growth, yields: stats.newest, expected: expectCheck(stats.newest, growth) };
  }

  /** Days since it was last looked at or tried without results. */
  function idleDays(query: CrawlQuery, kind: ScanKind, days: number, at: number): number {
    const triedAt = query.scans.triedAt?.[kind];
    return Math.min(days, triedAt ? at - toDays(new Date(triedAt)) : Infinity);
  }

  /** The sum over the news of what finding it now instead of never was worth. */
  function valueOfChanges(query: CrawlQuery, kind: ScanKind, answer: Answer): number {
    const { sighting, learned } = answer;
    const now = toDays(sighting.sentAt);
    const stats = toKeywordStats(query);
    const lookedAt = kind === "feed" ? stats.feedScannedAt : stats.newestAt;
    let value = 0;
    for (const { observed, item } of learned) {
      if (observed.fate === "created") {
        const modifiedAt = toModifiedAt(observed.modified, sighting.sentAt);
        const cameUp = kind === "feed" && modifiedAt ? toDays(modifiedAt) : (lookedAt + now) / 2;
        value += item.weight * Math.max(0, Math.min(now, cameUp) - lookedAt);
      } else if (
        kind === "feed" &&
        observed.before &&
        observed.modified !== observed.before.modified
      ) {
        value += changeValue(item, now - Math.max(lookedAt, toDays(observed.before.checkedAt)));
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
    const times = answer.page.items.map((item) => item.modified);
    const pageValue = valueOfChanges(query, kind, answer);
    const { created, changed } = answer.result.tally;
    const look: Scan = {
      start: answer.next,
      began: old.pages === 0 ? answer.sighting.sentAt.toISOString() : old.began,
      top: old.top ?? newestPlausible(times, answer.sighting.sentAt),
      value: old.value + pageValue,
      pages: old.pages + 1,
    };
    const { yields, growth, expected } = newest(query, toDays(new Date(look.began)));
    const stats = toKeywordStats(query);
    const isDone = answer.exhausted || reachesKnown(kind, times, answer, query.feedWatermark);
    const goesOn =
      kind === "newest"
        ? checksOn(look, expected, state.threshold())
        : scansOn(
            query.scanIntervalDays,
            { value: pageValue, news: created + changed },
            state.threshold(),
          );
    const fresh = answer.learned.filter(({ observed }) => observed.fate === "created");
    const coveredUntil = Math.max(stats.feedScannedAt, stats.newestAt);
    const scans: Scans = {
      ...query.scans,
      arrivals: afterArrivals(stats.arrivals, {
        items: fresh.length,
        weight: fresh.reduce((sum, { item }) => sum + item.weight, 0),
        days: isDone ? Math.max(0, toDays(new Date(look.began)) - coveredUntil) : 0,
      }),
    };
    if (!isDone && (thorough || goesOn)) return { row: { scans: { ...scans, [kind]: look } } };
    const merit = afterCall(query, look.value / look.pages, {
      price: state.threshold(),
      at: answer.sighting.sentAt,
    });
    const ended = { scans: afterScan(scans, kind, answer.sighting.sentAt), ...merit };
    const began = new Date(look.began);
    if (kind === "newest") {
      const newestYield = afterCheck(yields, look, growth);
      return { row: { newestYield, ...(isDone ? { newestCheckedAt: began } : {}), ...ended } };
    }
    if (!isDone) return { row: ended };
    const feedWatermark =
      look.top === null ? query.feedWatermark : Math.max(look.top, query.feedWatermark ?? 0);
    return { row: { feedCheckedAt: began, feedWatermark, ...ended } };
  }

  const scanUnderWay = (query: CrawlQuery, kind: ScanKind, now: Date) =>
    underWay(query, kind, { now, callsPerDay: state.callsPerDay });

  return {
    isFree: (query, kind) => !state.isWaiting({ queryId: query.id, order: scanOrders[kind] }),
    isUnderWay: (query, kind, now) => scanUnderWay(query, kind, now) !== null,
    value(query, kind, now, weight) {
      const at = toDays(now);
      if (kind === "newest") {
        const { days, expected } = newest(query, at);
        const isOverdue = idleDays(query, kind, days, at) > NEWEST_MAX_AGE_DAYS;
        return isOverdue && !isProposed(query) ? Infinity : expected.perCall * weight;
      }
      const days = at - toKeywordStats(query).feedScannedAt;
      const floor = isProposed(query)
        ? Infinity
        : keywordMaxAgeDays(state.queries().length, state.callsPerDay);
      const isDue =
        idleDays(query, kind, days, at) > Math.min(floor, query.scanIntervalDays / weight);
      return isDue ? Infinity : -Infinity;
    },
    next(query, kind, { now, value, thorough }) {
      const look = scanUnderWay(query, kind, now) ?? {
        start: 0,
        began: now.toISOString(),
        top: null,
        value: 0,
        pages: 0,
      };
      return caller.call(query, {
        job: kind === "feed" ? "feed" : "discover",
        order: scanOrders[kind],
        start: look.start,
        value,
        why: {
          code: kind === "feed" ? "newest_changes" : "newest_ids",
          q: query.q,
          start: look.start,
        },
        giveUp: (at) => ({
          scans: afterScan(query.scans, kind, at),
          ...(kind === "feed" ? { feedCheckedAt: at } : { newestCheckedAt: at }),
        }),
        progress: (_tx, answer) => progress(query, kind, thorough, look, answer),
      });
    },
  };
}

export const scanOrders = { feed: "modified", newest: "id-descending" } as const;

const DAY_MS = 86_400_000;
/** A scan that has stood still for a day, and for so many calls, is begun anew: its pages have moved on. */
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

/**
 * Below the watermark everything was seen before. At the watermark itself more may have come (a
 * whole day's changes can carry one instant), so a scan goes on there while it still finds news.
 */
function reachesKnown(
  kind: ScanKind,
  times: readonly number[],
  answer: Answer,
  watermark: number | null,
): boolean {
  const { created, changed } = answer.result.tally;
  if (kind === "newest") return created === 0;
  const oldest = Math.min(Infinity, ...times);
  const news = created + changed > 0;
  if (watermark === null) return !news;
  return oldest < watermark || (oldest === watermark && !news);
}

/** A `modified` of the far future would otherwise hide every later change behind it. */
function newestPlausible(times: readonly number[], now: Date): number | null {
  const plausible = times.filter((time) => toModifiedAt(time, now) !== null);
  return plausible.length > 0 ? Math.max(...plausible) : null;
}
