import { dayMs } from "../../lib/calendar.ts";
import { batchSize } from "../scoring/scoring.ts";
import type { Scan, Scans } from "../../db/schema.ts";
import type { SearchCall } from "../safety/planned-call.ts";
import { toDays } from "../scoring/days.ts";
import { daysOfNew } from "../scoring/unread-value.ts";
import {
  newestMaxAgeDays,
  afterArrivals,
  afterCheck,
  arrivalRates,
  checksOn,
  expectCheck,
  meanWeightOf,
  newestGrowth,
} from "../scoring/yield.ts";
import { afterCall } from "./keyword-rest.ts";
import { type Answer, type Progress, type KeywordCaller } from "./keyword-call.ts";
import { isProposed, type Keyword } from "../learning/keywords.ts";
import type { PlannerState } from "../learning/planner-state.ts";
import type { PlannedScan } from "./newest-changes.ts";

const list = "id-descending";

/**
 * Finds new products of a keyword among its newest ids, page by page until known ones are reached or it is no longer
 * worth it.
 */
export function createNewestIds(caller: KeywordCaller, state: PlannerState) {
  function expected(keyword: Keyword, at: number) {
    const stats = state.statsOf(keyword);
    const days = Math.max(1e-6, at - stats.newestAt);
    const growth = newestGrowth(days);
    return { growth, yields: stats.newest, expected: expectCheck(stats.newest, growth) };
  }

  /** Of a check under way: the next page is expected to show as many new products as the last one. */
  function nextPageValue(keyword: Keyword, { created = batchSize / 2 }: Scan): number {
    const arrivals = arrivalRates(state.statsOf(keyword).arrivals);
    return created * meanWeightOf(arrivals) * daysOfNew(state.drawn(keyword.id));
  }

  /** Days since they were last read to a known one, or tried. */
  function idleDays({ newestCheckedAt, scannedAt, createdAt, scans }: Keyword, at: number): number {
    const days = at - toDays(newestCheckedAt ?? scannedAt ?? createdAt);
    const triedAt = scans.triedAt?.newest;
    return Math.min(days, triedAt ? at - toDays(new Date(triedAt)) : Infinity);
  }

  function progress(keyword: Keyword, thorough: boolean, old: Scan, answer: Answer): Progress {
    const { sentAt } = answer.sighting;
    const stats = state.statsOf(keyword);
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
    const law = expected(keyword, toDays(began));
    // A page of which nothing can be read does not show that what is below it is known.
    const isDone = answer.exhausted || (fresh.length === 0 && answer.page.items.length > 0);
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
      ...afterCall(keyword, scan.value / scan.pages, { threshold: state.threshold(), at: sentAt }),
      scans: ended(scans, sentAt),
    };
  }

  const underWay = (keyword: Keyword, now: Date) => scanUnderWay(keyword, now, state.callsPerDay);

  return {
    /** Its list may be requested now. */
    isFree: (keyword: Keyword) => !state.backoffs.isWaiting({ queryId: keyword.id, order: list }),
    /** The expected gain of the next page; Infinity if its first page is overdue. `weight`: of its job. */
    value(keyword: Keyword, now: Date, weight: number): number {
      const at = toDays(now);
      const scan = underWay(keyword, now);
      if (scan) return nextPageValue(keyword, scan) * weight;
      const law = expected(keyword, at);
      const isOverdue = idleDays(keyword, at) > newestMaxAgeDays;
      return isOverdue && !isProposed(keyword) ? Infinity : law.expected.perCall * weight;
    },
    next(keyword: Keyword, { now, value, thorough }: PlannedScan): SearchCall {
      const scan = underWay(keyword, now) ?? {
        start: 0,
        began: now.toISOString(),
        value: 0,
        pages: 0,
      };
      return caller.call(keyword, {
        job: "discover",
        order: list,
        start: scan.start,
        value,
        why: { code: "newest_ids", q: keyword.q, start: scan.start },
        giveUp: (at) => ({ scans: ended(keyword.scans, at), newestCheckedAt: at }),
        progress: (_tx, answer) => progress(keyword, thorough, scan, answer),
      });
    },
  };
}

/** A check that has not moved for a day and for so many calls begins anew: its pages have shifted. */
const staleCalls = 3;

function scanUnderWay(keyword: Keyword, now: Date, callsPerDay: number): Scan | null {
  const scan = keyword.scans.newest;
  if (!scan) return null;
  const lastMs = Math.max(Date.parse(scan.began), keyword.askedAt?.getTime() ?? 0);
  const staleMs = dayMs * Math.max(1, staleCalls / callsPerDay);
  return now.getTime() - lastMs < staleMs ? scan : null;
}

function ended(scans: Scans, at: Date): Scans {
  const { newest: _ended, ...others } = scans;
  return { ...others, triedAt: { newest: at.toISOString() } };
}
