import { toModifiedAt } from "../../catalog/modified.ts";
import type { Scan, Scans } from "../../db/schema.ts";
import { countMissing } from "../scoring/absences.ts";
import { bringForward } from "../learning/due-times.ts";
import type { Tx } from "../../db/open.ts";
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
} from "../scoring/yield.ts";
import { afterFeedPage, firstPageValue, firstStart, joinPages, nextStart } from "./feed-scan.ts";
import { afterCall } from "./keyword-rest.ts";
import { type Answer, type Progress, type QueryCaller } from "./keyword-call.ts";
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
    const joined = kind === "feed" ? joinPages(query, old, answer) : {};
    if (joined === null) {
      const pageAt = sighting.sentAt.toISOString();
      const again = { ...old, pageAt, push: { places: old.push?.places ?? 0, perDay: 0 } };
      return { row: { scans: { ...query.scans, [kind]: again } } };
    }
    const scan: Scan = {
      ...old,
      ...joined,
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
    const step = afterFeedPage(query, state, { scan, answer, thorough });
    if (step.goesOn) {
      const going = { ...scan, nextValue: step.nextValue };
      return { row: { scans: { ...query.scans, arrivals: arrivals(-Infinity), feed: going } } };
    }
    const { backlog, ...read } = step.read;
    const readUntil = toDays(read.feedCheckedAt);
    const scans = {
      ...query.scans,
      arrivals: arrivals(readUntil),
      backlog,
      ...toAbsences(query, answer, backlog.items),
    };
    return { row: { ...end(scans), ...read } };
  }

  /**
   * How many products of the keyword are deleted and not noticed; unknown while changes are `left` that are not
   * read, and without a sample of its products.
   */
  function toAbsences(query: CrawlQuery, answer: Answer, left: number): Pick<Scans, "absences"> {
    const drawn = state.drawn(query.id);
    const { found } = answer.page;
    const known = query.itemsCreated + answer.result.tally.created - query.itemsDeleted;
    if (left > 0 || drawn.length === 0) return {};
    const at = toDays(answer.sighting.sentAt);
    const sinceChecks = drawn.reduce((sum, { checkedAt }) => sum + Math.max(0, at - checkedAt), 0);
    const productDays = (found / drawn.length) * sinceChecks;
    const absences = countMissing(query.scans.absences ?? null, { known, found, productDays, at });
    return { absences };
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
      if (at - lastAt > floor) return Infinity;
      return (going ? (going.nextValue ?? Infinity) : firstPageValue(query, state, now)) * weight;
    },
    next(query, kind, { now, value, thorough }) {
      const scan = scanUnderWay(query, kind, now) ?? {
        start: kind === "newest" || thorough ? 0 : firstStart(query, now),
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

/** Shops that are valued anew when products of a keyword are missing. */
const MOST_SHOPS = 50;
/** Otherwise a `modified` in the far future would hide every later change. */
function newestPlausible({ page, start, sighting }: Answer) {
  const index = page.items.findIndex(
    ({ modified }) => toModifiedAt(modified, sighting.sentAt) !== null,
  );
  const item = page.items[index];
  return item ? { top: item.modified, topId: item.itemId, topAt: start + index } : null;
}
