import { toModifiedAt } from "../../catalog/modified.ts";
import type { Scan, Scans } from "../../db/schema.ts";
import type { Tx } from "../../db/open.ts";
import { bringForward } from "../learning/due-times.ts";
import { countMissing } from "../scoring/absences.ts";
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
  /** Its list may be requested now. */
  isFree(query: CrawlQuery, kind: ScanKind): boolean;
  isUnderWay(query: CrawlQuery, kind: ScanKind, now: Date): boolean;
  /**
   * The expected gain of the next page; Infinity if it is overdue. A feed scan is not valued: by its
   * plan it is due (Infinity) or not (-Infinity). `weight`: of its job.
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
  function newest(query: CrawlQuery, at: number) {
    const stats = toKeywordStats(query);
    const days = Math.max(1e-6, at - stats.newestAt);
    const growth = newestGrowth(days);
    return { days, growth, yields: stats.newest, expected: expectCheck(stats.newest, growth) };
  }

  /** Days since it was last scanned, or tried without reaching known items. */
  function idleDays(query: CrawlQuery, kind: ScanKind, days: number, at: number): number {
    const triedAt = query.scans.triedAt?.[kind];
    return Math.min(days, triedAt ? at - toDays(new Date(triedAt)) : Infinity);
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
    const times = answer.page.items.map((item) => item.modified);
    const pageValue = valueOfChanges(query, kind, answer);
    const { created, changed } = answer.result.tally;
    const scan: Scan = {
      start: answer.next,
      began: old.pages === 0 ? answer.sighting.sentAt.toISOString() : old.began,
      top: old.top ?? newestPlausible(times, answer.sighting.sentAt),
      value: old.value + pageValue,
      pages: old.pages + 1,
    };
    const { yields, growth, expected } = newest(query, toDays(new Date(scan.began)));
    const stats = toKeywordStats(query);
    const isDone = answer.exhausted || reachesKnown(kind, times, answer, query.feedWatermark);
    const goesOn =
      kind === "newest"
        ? checksOn(scan, expected, state.threshold())
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
        days: isDone ? Math.max(0, toDays(new Date(scan.began)) - coveredUntil) : 0,
      }),
    };
    if (!isDone && (thorough || goesOn)) return { row: { scans: { ...scans, [kind]: scan } } };
    const outcome = afterCall(query, scan.value / scan.pages, {
      price: state.threshold(),
      at: answer.sighting.sentAt,
    });
    const ended = { scans: afterScan(scans, kind, answer.sighting.sentAt), ...outcome };
    const began = new Date(scan.began);
    if (kind === "newest") {
      const newestYield = afterCheck(yields, scan, growth);
      return { row: { newestYield, ...(isDone ? { newestCheckedAt: began } : {}), ...ended } };
    }
    if (!isDone) return { row: ended };
    const feedWatermark =
      scan.top === null ? query.feedWatermark : Math.max(scan.top, query.feedWatermark ?? 0);
    const absences = toAbsences(query, answer);
    return {
      row: {
        feedCheckedAt: began,
        feedWatermark,
        ...ended,
        scans: { ...ended.scans, ...absences },
      },
    };
  }

  /** How many products of the keyword are deleted that nobody has noticed; unknown without a sample of them. */
  function toAbsences(query: CrawlQuery, answer: Answer): Pick<Scans, "absences"> {
    const drawn = state.drawn(query.id);
    const { found } = answer.page;
    if (drawn.length === 0) return {};
    const at = toDays(answer.sighting.sentAt);
    const days = drawn.reduce((sum, { checkedAt }) => sum + Math.max(0, at - checkedAt), 0);
    const productDays = (found / drawn.length) * days;
    const known = query.itemsCreated + answer.result.tally.created - query.itemsDeleted;
    return {
      absences: countMissing(query.scans.absences ?? null, { known, found, productDays, at }),
    };
  }

  /** Once more of its products are missing, the shops that may have had them are valued anew. */
  async function lookForMissing(tx: Tx, query: CrawlQuery, { row }: Progress, at: Date) {
    const before = query.scans.absences?.missing ?? 0;
    const after = row.scans?.absences?.missing ?? 0;
    if (after < before + 0.5) return;
    const shops = new Set(state.drawn(query.id).map(({ shop }) => shop.shopId));
    await bringForward(tx, [...shops].slice(0, MOST_SHOPS), at);
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
      const scan = scanUnderWay(query, kind, now) ?? {
        start: 0,
        began: now.toISOString(),
        top: null,
        value: 0,
        pages: 0,
      };
      return caller.call(query, {
        job: kind === "feed" ? "feed" : "discover",
        order: scanOrders[kind],
        start: scan.start,
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

/** Shops that are valued anew when products of a keyword are missing. */
const MOST_SHOPS = 50;
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

/**
 * Everything below the watermark was seen before. At the watermark itself more may have come (a whole
 * day's changes can have one moment), so a scan goes on there while it still finds changes.
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

/** Otherwise a `modified` in the far future would hide every later change. */
function newestPlausible(times: readonly number[], now: Date): number | null {
  const plausible = times.filter((time) => toModifiedAt(time, now) !== null);
  return plausible.length > 0 ? Math.max(...plausible) : null;
}
