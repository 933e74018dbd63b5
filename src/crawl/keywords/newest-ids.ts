import { BATCH } from "../scoring/scoring.ts";
import type { Scan, Scans } from "../../db/schema.ts";
import type { SearchCall } from "../safety/planned-call.ts";
import { toDays } from "../scoring/days.ts";
import { daysOfNew } from "../scoring/unread-value.ts";
import {
  NEWEST_MAX_AGE_DAYS,
  afterArrivals,
  afterCheck,
  arrivalRates,
  checksOn,
  expectCheck,
  meanWeightOf,
  newestGrowth,
} from "../scoring/yield.ts";
import { afterCall } from "./keyword-rest.ts";
import { type Answer, type Progress, type QueryCaller } from "./keyword-call.ts";
import { isProposed, type CrawlQuery } from "../learning/keywords.ts";
import type { PlannerState } from "../learning/planner-state.ts";
import type { PlannedScan } from "./newest-changes.ts";

const LIST = "id-descending";

/**
 * Finds new products of a keyword among its newest ids, page by page until known ones are reached or it is no longer
 * worth it.
 */
export function createNewestIds(caller: QueryCaller, state: PlannerState) {
  function expected(query: CrawlQuery, at: number) {
    const stats = state.statsOf(query);
    const days = Math.max(1e-6, at - stats.newestAt);
    const growth = newestGrowth(days);
    return { growth, yields: stats.newest, expected: expectCheck(stats.newest, growth) };
  }

  /** Of a check under way: the next page is expected to show as many new products as the last one. */
  function nextPageValue(query: CrawlQuery, { created = BATCH / 2 }: Scan): number {
    const arrivals = arrivalRates(state.statsOf(query).arrivals);
    return created * meanWeightOf(arrivals) * daysOfNew(state.drawn(query.id));
  }

  /** Days since they were last read to a known one, or tried. */
  function idleDays(
    { newestCheckedAt, scannedAt, createdAt, scans }: CrawlQuery,
    at: number,
  ): number {
    const days = at - toDays(newestCheckedAt ?? scannedAt ?? createdAt);
    const triedAt = scans.triedAt?.newest;
    return Math.min(days, triedAt ? at - toDays(new Date(triedAt)) : Infinity);
  }

  function progress(query: CrawlQuery, thorough: boolean, old: Scan, answer: Answer): Progress {
    const { sentAt } = answer.sighting;
    const stats = state.statsOf(query);
    const fresh = answer.learned.filter(({ observed }) => observed.fate === "created");
    const weight = fresh.reduce((sum, { item }) => sum + item.weight, 0);
    const began = old.pages === 0 ? sentAt : new Date(old.began);
    const scan: Scan = {
      start: answer.next,
      began: began.toISOString(),
      // They came, on average, in the middle of the time since the last check.
      value: old.value + (weight * Math.max(0, toDays(sentAt) - stats.newestAt)) / 2,
      pages: old.pages + 1,
      created: fresh.length,
    };
    const law = expected(query, toDays(began));
    const isDone = answer.exhausted || fresh.length === 0;
    const scans: Scans = {
      ...answer.scans,
      arrivals: afterArrivals(stats.arrivals, {
        items: fresh.length,
        weight,
        days: isDone ? Math.max(0, toDays(began) - stats.newestAt) : 0,
      }),
    };
    if (!isDone && (thorough || checksOn(scan, law.expected, state.threshold()))) {
      return { scans: { ...scans, newest: scan } };
    }
    return {
      newestYield: afterCheck(law.yields, scan, law.growth),
      ...(isDone ? { newestCheckedAt: began } : {}),
      ...afterCall(query, scan.value / scan.pages, { price: state.threshold(), at: sentAt }),
      scans: ended(scans, sentAt),
    };
  }

  const underWay = (query: CrawlQuery, now: Date) => scanUnderWay(query, now, state.callsPerDay);

  return {
    /** Its list may be requested now. */
    isFree: (query: CrawlQuery) => !state.isWaiting({ queryId: query.id, order: LIST }),
    /** The expected gain of the next page; Infinity if its first page is overdue. `weight`: of its job. */
    value(query: CrawlQuery, now: Date, weight: number): number {
      const at = toDays(now);
      const scan = underWay(query, now);
      if (scan) return nextPageValue(query, scan) * weight;
      const law = expected(query, at);
      const isOverdue = idleDays(query, at) > NEWEST_MAX_AGE_DAYS;
      return isOverdue && !isProposed(query) ? Infinity : law.expected.perCall * weight;
    },
    next(query: CrawlQuery, { now, value, thorough }: PlannedScan): SearchCall {
      const scan = underWay(query, now) ?? {
        start: 0,
        began: now.toISOString(),
        value: 0,
        pages: 0,
      };
      return caller.call(query, {
        job: "discover",
        order: LIST,
        start: scan.start,
        value,
        why: { code: "newest_ids", q: query.q, start: scan.start },
        giveUp: (at) => ({ scans: ended(query.scans, at), newestCheckedAt: at }),
        progress: (_tx, answer) => progress(query, thorough, scan, answer),
      });
    },
  };
}

const DAY_MS = 86_400_000;
/** A check that has not moved for a day and for so many calls begins anew: its pages have shifted. */
const STALE_CALLS = 3;

function scanUnderWay(query: CrawlQuery, now: Date, callsPerDay: number): Scan | null {
  const scan = query.scans.newest;
  if (!scan) return null;
  const lastMs = Math.max(Date.parse(scan.began), query.askedAt?.getTime() ?? 0);
  const staleMs = DAY_MS * Math.max(1, STALE_CALLS / callsPerDay);
  return now.getTime() - lastMs < staleMs ? scan : null;
}

function ended(scans: Scans, at: Date): Scans {
  const { newest: _ended, ...others } = scans;
  return { ...others, triedAt: { newest: at.toISOString() } };
}
