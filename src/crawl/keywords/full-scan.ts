import { batchSize } from "../scoring/scoring.ts";
import type { Scans, Trial } from "../../db/schema.ts";
import type { SearchCall } from "../safety/planned-call.ts";
import { afterCall, newProductValue, rest } from "./keyword-rest.ts";
import type { Answer, KeywordCaller, Progress } from "./keyword-call.ts";
import { countOwn } from "../scoring/yield.ts";
import { countMissing } from "../scoring/absences.ts";
import { toDays } from "../scoring/days.ts";
import { isProposed, type Keyword } from "../learning/keywords.ts";
import type { PlannerState } from "../learning/planner-state.ts";
import type { Reason } from "../scoring/reason.ts";

/** Keywords that no call is under way for, as last read. */
export type Idle = readonly Keyword[];

export type FullScans = ReturnType<typeof createFullScans>;

const oneRepeatIn = 20;

/** Keywords of ops that were never scanned completely. */
export function unscannedOf(idle: Idle): Idle {
  return idle.filter((keyword) => keyword.scannedAt === null && !isProposed(keyword));
}

/**
 * Two pages share an item. If the new page does not reach back to the last one, products were deleted
 * in between, hidden in the count by new ones: the scan steps back until the pages meet.
 */
const overlap = 1;
const stepBack = 25;
/** So many at most are taken for deleted because the number found is smaller: it may be a guess of the upstream. */
const mostLost = 5;

/**
 * Full scans of a keyword by ascending item id: new products only append, so pages do not shift. The
 * position is stored with the keyword, so a restart continues after the last answer. The scan of a
 * proposal backs off if its pages show no more new products than chance, and continues later.
 */
export function createFullScans(caller: KeywordCaller, state: PlannerState) {
  let callsSinceRepeat = 0;
  /** Its list may be requested now. */
  const isFree = (keyword: Keyword) =>
    !state.backoffs.isWaiting({ queryId: keyword.id, order: "id-ascending" });

  function firstOf(unscanned: Idle): SearchCall | null {
    const free = unscanned.filter(isFree);
    const keyword = free.find((q) => q.scanStart !== null) ?? free[0];
    return keyword ? next(keyword, Infinity) : null;
  }

  return {
    isFree,
    next,
    /** The next page of a keyword of ops that was never scanned completely, whatever its value. */
    first: (idle: Idle) => firstOf(unscannedOf(idle)),
    /** The next page of a seed that was never scanned completely. */
    firstOfSeeds: (idle: Idle) =>
      firstOf(unscannedOf(idle).filter((keyword) => keyword.source === "seed")),
    /**
     * The next page of a keyword that was scanned longer ago: its pages show what all others may have missed. It has no
     * value of its own to compare, so that one in so many calls may belong to it.
     */
    repeat(idle: Idle, intervalMs: number, now: Date): SearchCall | null {
      const since = new Date(now.getTime() - intervalMs);
      const keyword = idle.find(
        (q) =>
          !isProposed(q) &&
          q.scannedAt !== null &&
          (q.scanStart !== null || q.scannedAt < since) &&
          isFree(q),
      );
      if (!keyword || callsSinceRepeat < oneRepeatIn) return null;
      const call = next(keyword, state.threshold());
      return {
        ...call,
        take() {
          callsSinceRepeat = 0;
          call.take();
        },
      };
    },
    /** A call was chosen at the day's pace. */
    noteCall() {
      callsSinceRepeat += 1;
    },
  };

  /** The next page of this keyword's full scan. */
  function next(keyword: Keyword, value: number): SearchCall {
    const start = keyword.scanStart ?? 0;
    return caller.call(keyword, {
      job: "discover",
      order: "id-ascending",
      start,
      value,
      why: toWhy(keyword, start),
      giveUp: (at) =>
        start > 0 || !isProposed(keyword)
          ? {
              scanStart: null,
              scanTop: null,
              scannedAt: at,
              ...(start > 0 ? { endsAt: start } : {}),
            }
          : { trial: toTrial(keyword, at, 0, 0), ...rest(keyword.failedTrials + 1, at) },
      progress: (_tx, answer) => toProgress(state, { keyword, start }, answer),
    });
  }
}

/** Where the scan goes on after this page, or that it has ended. */
function toProgress(
  state: PlannerState,
  { keyword, start }: { keyword: Keyword; start: number },
  answer: Answer,
): Progress {
  const { page, next, exhausted, sighting } = answer;
  const lastId = start > 0 ? (keyword.scanTop ?? 0) : 0;
  // Products that cannot be read have their place in the list too. An unknown id may be any.
  const listed = [...page.items, ...page.broken].map(({ itemId }) => itemId);
  const ids = listed.flatMap((id) => id ?? []);
  const topId = Math.max(0, ...ids);
  // What an upstream that does not sort shows next may have lower ids, but it is new.
  const isKnown = topId <= lastId && answer.result.tally.created === 0;
  const stuck = start > 0 && !answer.isPart && ids.length > 0 && isKnown;
  const outcome = toRest(state, keyword, answer, exhausted || stuck);
  if (exhausted || stuck) {
    const isRepeating = stuck && listed.length === batchSize;
    const lastError = isRepeating ? "its pages repeat" : null;
    const endsAt = !isRepeating && next < page.found ? next : null;
    const done = {
      scanStart: null,
      scanTop: null,
      scannedAt: sighting.sentAt,
      scans: withAbsences(answer),
      ...(isRepeating ? {} : { found: page.found }),
    };
    const after = afterFullScan(keyword, outcome, answer);
    return { ...done, lastError, endsAt, ...outcome, ...after };
  }
  const firstId = Math.min(...ids);
  // After a position that was left out, pages cannot meet.
  const isWhole = answer.start === start && ids.length === listed.length;
  const isGap = isWhole && lastId > 0 && firstId > lastId;
  if (start > 0 && isGap) return { scanStart: Math.max(0, start - stepBack) };
  // Products deleted since the last page have shifted the rest towards the start: step back by
  // as many. If there were more, the pages do not meet.
  const fewer = Math.max(0, (keyword.found ?? 0) - page.found);
  const lost = start > 0 ? Math.min(mostLost, fewer) : 0;
  return {
    scanStart: Math.max(start + 1, next - overlap - lost),
    scanTop: Math.max(topId, lastId),
    ...outcome,
  };
}

/** What this page says about a proposal; keywords of ops are scanned whatever they find. */
function toRest(
  state: PlannerState,
  keyword: Keyword,
  { result, sighting }: Answer,
  isEnd: boolean,
): Partial<Keyword> {
  if (!isProposed(keyword)) return {};
  const { created, returned } = result.tally;
  const at = sighting.sentAt;
  const trial = toTrial(keyword, at, returned, returned - created);
  const scanYield = keyword.scanYield === null ? created : (keyword.scanYield + created) / 2;
  // By chance any keyword finds half a product a page.
  const value = scanYield >= 0.5 ? scanYield * newProductValue(state) : 0;
  // Before its end a scan goes on as long as it finds anything; the whole of it is compared with the threshold.
  const threshold = isEnd ? state.threshold() : 0;
  return { trial, scanYield, ...afterCall(keyword, value, { threshold, at }) };
}

/** What the keyword finds is now all known: products that it finds no more are counted from here on. */
function withAbsences({ page: { found }, scans, deleted, sighting }: Answer): Scans {
  const own = countOwn(scans, found);
  const now = { found, deleted, own, productDays: 0, read: 1, at: toDays(sighting.sentAt) };
  return { ...scans, absences: scans.absences ?? countMissing(null, now) };
}

function toTrial(keyword: Keyword, at: Date, shown: number, known: number): Trial {
  return keyword.trial ?? { at: at.toISOString(), shown, known };
}

/**
 * A scanned shop is kept fresh by refreshes, so its keyword backs off. A list that backs off and fits
 * on one page has no incremental scans, but starts anew: the page shows all of it, even if it was empty
 * before.
 */
function afterFullScan(
  keyword: Keyword,
  outcome: Partial<Keyword>,
  { page, sighting }: Answer,
): Partial<Keyword> {
  if (!isProposed(keyword)) return {};
  const resting =
    keyword.shopId === null
      ? outcome
      : rest(Math.max(4, keyword.failedTrials + 1), sighting.sentAt);
  return resting.nextAt && page.found <= batchSize ? { ...resting, scannedAt: null } : resting;
}

function toWhy(keyword: Keyword, start: number): Reason {
  const { q, shopId, source, reason } = keyword;
  return isProposed(keyword) && keyword.trial === null
    ? { code: "trial", q, shopId, source, reason }
    : { code: "full_scan", q, shopId, start };
}
