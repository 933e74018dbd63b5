import { toModifiedAt } from "../catalog/modified.ts";
import type { SearchCall } from "./call.ts";
import { toDays } from "./days.ts";
import {
  NEWEST_FLOOR_DAYS,
  afterLook,
  expectLook,
  keywordFloorDays,
  looksOn,
  newestGrowth,
  newsWorth,
  sweepsOn,
} from "./plan.ts";
import { afterCall } from "./merit.ts";
import type { Answer, Progress, QueryCaller } from "./query-call.ts";
import { isProposed, type CrawlQuery } from "./queries.ts";
import { toKeywordStats, type PlannerState } from "./state.ts";

export type LookKind = "feed" | "newest";

/** A look under way that has not reached what is known; forgotten by a restart, which begins it anew. */
interface Look {
  start: number;
  began: Date;
  /** Highest plausible `modified` it has shown. */
  top: number | null;
  worth: number;
  pages: number;
}

export interface Looks {
  isUnderWay(query: CrawlQuery, kind: LookKind): boolean;
  /**
   * What the next page would gain; Infinity for one that is overdue whatever it brings. A sweep is
   * never weighed: it is due by its plan (Infinity), or not (-Infinity). `weight`: of its job.
   */
  worth(query: CrawlQuery, kind: LookKind, now: Date, weight: number): number;
  /** `thorough`: down to what is known, whatever it gains. */
  next(
    query: CrawlQuery,
    kind: LookKind,
    plan: { now: Date; worth: number; thorough: boolean },
  ): SearchCall;
}

/**
 * Looks at what is new with a keyword: its feed (newest `modified` first, down to where the last
 * sweep began) and its newest ids. A look goes on page by page until it reaches what is known, or
 * is no longer worth it.
 */
export function createLooks(caller: QueryCaller, state: PlannerState): Looks {
  const underWay = { feed: new Map<number, Look>(), newest: new Map<number, Look>() };
  /** Last try, complete or not: a look that was given up is not overdue again at once. */
  const tried = { feed: new Map<number, number>(), newest: new Map<number, number>() };

  function newest(query: CrawlQuery, at: number) {
    const stats = toKeywordStats(query);
    const days = Math.max(1e-6, at - stats.newestAt);
    const growth = newestGrowth(days);
    return { days, growth, yields: stats.newest, expected: expectLook(stats.newest, growth) };
  }

  /** Days since it was last looked at or tried in vain. */
  function idleDays(query: CrawlQuery, kind: LookKind, days: number, at: number): number {
    return Math.min(days, at - (tried[kind].get(query.id) ?? -Infinity));
  }

  /** The sum over the news of what finding it now instead of never was worth. */
  function worthOfNews(query: CrawlQuery, kind: LookKind, answer: Answer): number {
    const { sighting, lessons } = answer;
    const now = toDays(sighting.sentAt);
    const stats = toKeywordStats(query);
    const lookedAt = kind === "feed" ? stats.sweptAt : stats.newestAt;
    let worth = 0;
    for (const { observed, item } of lessons) {
      if (observed.fate === "created") {
        const modifiedAt = toModifiedAt(observed.modified, sighting.sentAt);
        const cameUp = kind === "feed" && modifiedAt ? toDays(modifiedAt) : (lookedAt + now) / 2;
        worth += item.weight * Math.max(0, Math.min(now, cameUp) - lookedAt);
      } else if (
        kind === "feed" &&
        observed.before &&
        observed.modified !== observed.before.modified
      ) {
        worth += newsWorth(item, now - Math.max(lookedAt, toDays(observed.before.checkedAt)));
      }
    }
    return worth;
  }

  function progress(
    query: CrawlQuery,
    kind: LookKind,
    thorough: boolean,
    old: Look,
    answer: Answer,
  ): Progress {
    const at = toDays(answer.sighting.sentAt);
    const times = answer.page.items.map((item) => item.modified);
    const pageWorth = worthOfNews(query, kind, answer);
    const { created, changed } = answer.result.tally;
    const look: Look = {
      start: answer.next,
      began: old.pages === 0 ? answer.sighting.sentAt : old.began,
      top: old.top ?? newestPlausible(times, answer.sighting.sentAt),
      worth: old.worth + pageWorth,
      pages: old.pages + 1,
    };
    const { yields, growth, expected } = newest(query, toDays(look.began));
    const isDone = answer.exhausted || reachesKnown(kind, times, answer, query.feedWatermark);
    const goesOn =
      kind === "newest"
        ? looksOn(look, expected, state.price())
        : sweepsOn(query.sweepDays, { worth: pageWorth, news: created + changed }, state.price());
    if (!isDone && (thorough || goesOn)) {
      return { row: {}, committed: () => underWay[kind].set(query.id, look) };
    }
    const merit = afterCall(query, look.worth / look.pages, {
      price: state.price(),
      at: answer.sighting.sentAt,
    });
    const committed = () => {
      underWay[kind].delete(query.id);
      tried[kind].set(query.id, at);
    };
    if (kind === "newest") {
      const newestYield = afterLook(yields, look, growth);
      const looked = isDone ? { headAt: look.began } : {};
      return { row: { newestYield, ...looked, ...merit }, committed };
    }
    if (!isDone) return { row: merit, committed };
    const feedWatermark =
      look.top === null ? query.feedWatermark : Math.max(look.top, query.feedWatermark ?? 0);
    return { row: { feedAt: look.began, feedWatermark, ...merit }, committed };
  }

  return {
    isUnderWay: (query, kind) => underWay[kind].has(query.id),
    worth(query, kind, now, weight) {
      const at = toDays(now);
      if (kind === "newest") {
        const { days, expected } = newest(query, at);
        const isOverdue = idleDays(query, kind, days, at) > NEWEST_FLOOR_DAYS;
        return isOverdue && !isProposed(query) ? Infinity : expected.perCall * weight;
      }
      const days = at - toKeywordStats(query).sweptAt;
      const floor = isProposed(query)
        ? Infinity
        : keywordFloorDays(state.queries().length, state.callsPerDay);
      const isDue = idleDays(query, kind, days, at) > Math.min(floor, query.sweepDays / weight);
      return isDue ? Infinity : -Infinity;
    },
    next(query, kind, { now, worth, thorough }) {
      const look = underWay[kind].get(query.id) ?? {
        start: 0,
        began: now,
        top: null,
        worth: 0,
        pages: 0,
      };
      return caller.call(query, {
        job: kind === "feed" ? "feed" : "discover",
        order: kind === "feed" ? "modified" : "id-descending",
        start: look.start,
        worth,
        why: {
          code: kind === "feed" ? "newest_changes" : "newest_ids",
          q: query.q,
          start: look.start,
        },
        giveUp(at) {
          underWay[kind].delete(query.id);
          return kind === "feed" ? { feedAt: at } : { headAt: at };
        },
        progress: (_tx, answer) => progress(query, kind, thorough, look, answer),
      });
    },
  };
}

/**
 * Below the watermark everything was seen before. At the watermark itself more may have come (a
 * whole day's changes can carry one instant), so a sweep goes on there while it still finds news.
 */
function reachesKnown(
  kind: LookKind,
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
