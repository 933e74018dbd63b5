import type { Trial } from "../../db/schema.ts";
import type { SearchCall } from "../safety/planned-call.ts";
import { afterCall, newcomerWorth, rest } from "./keyword-rest.ts";
import { PAGE, type Answer, type QueryCaller } from "./keyword-call.ts";
import { isProposed, type CrawlQuery } from "../learning/keywords.ts";
import type { PlannerState } from "../learning/planner-state.ts";
import type { Reason } from "../scoring/reason.ts";

export interface Walks {
  /** Its list can be asked for now. */
  isFree(query: CrawlQuery): boolean;
  /** The next page of the walk that this keyword needs; null when it needs none. */
  next(query: CrawlQuery, worth: number): SearchCall;
}

/**
 * Pages share an item: where the new page does not reach back to the last one, products were deleted
 * in between that new ones hide in the count, and the walk steps back until it does.
 */
const OVERLAP = 1;
const STEP_BACK = 25;

/**
 * Full walks of a keyword by ascending item id, so that new products only append and pages do not
 * drift. The position is kept with the query: a restart goes on where the last answer ended. The
 * walk of a proposal stops to rest where its pages are not worth it, and goes on from there later.
 */
export function createWalks(caller: QueryCaller, state: PlannerState): Walks {
  return {
    isFree: (query) => !state.isWaiting({ queryId: query.id, order: "id-ascending" }),
    next(query, worth) {
      const start = query.walkStart ?? 0;
      return caller.call(query, {
        job: "discover",
        order: "id-ascending",
        start,
        worth,
        why: toWhy(query, start),
        giveUp: (at) =>
          start > 0 || !isProposed(query)
            ? {
                walkStart: null,
                walkTop: null,
                walkedAt: at,
                ...(start > 0 ? { endsAt: start } : {}),
              }
            : { trial: toTrial(query, at, 0, 0), ...rest(query.poorLooks + 1, at) },
        progress(_tx, answer) {
          const { page, next, exhausted, sighting } = answer;
          const lastId = start > 0 ? (query.walkTop ?? 0) : 0;
          const topId = Math.max(0, ...page.items.map((item) => item.itemId));
          const stuck = start > 0 && !answer.isPart && page.items.length > 0 && topId <= lastId;
          const merit = toMerit(query, answer);
          if (exhausted || stuck) {
            const isRepeating = stuck && page.items.length === PAGE;
            const lastError = isRepeating ? "its pages repeat" : null;
            const endsAt = !isRepeating && next < page.found ? next : null;
            const done = { walkStart: null, walkTop: null, walkedAt: sighting.sentAt };
            return {
              row: { ...done, lastError, endsAt, ...merit, ...afterWalk(query, merit, answer) },
            };
          }
          const firstId = Math.min(...page.items.map((item) => item.itemId));
          // Behind a position that was left out, pages cannot touch.
          const isGap =
            page.items.length > 0 && lastId > 0 && firstId > lastId && answer.start === start;
          if (start > 0 && isGap) return { row: { walkStart: Math.max(0, start - STEP_BACK) } };
          // What was deleted since the last page has moved the rest towards us: step back by as much.
          const lost = start > 0 ? Math.max(0, (query.found ?? 0) - page.found) : 0;
          return {
            row: {
              walkStart: Math.max(start + 1, next - OVERLAP - lost),
              walkTop: Math.max(topId, lastId),
              ...merit,
            },
          };
        },
      });
    },
  };

  /** What this page tells about a proposal; nothing about keywords of ops, which are walked whatever they bring. */
  function toMerit(query: CrawlQuery, { result, sighting }: Answer): Partial<CrawlQuery> {
    if (!isProposed(query)) return {};
    const { created, returned } = result.tally;
    const at = sighting.sentAt;
    const trial = toTrial(query, at, returned, returned - created);
    const walkYield = query.walkYield === null ? created : (query.walkYield + created) / 2;
    // Half a product a page is what chance brings to any keyword.
    const worth = walkYield >= 0.5 ? walkYield * newcomerWorth(state.totals()) : 0;
    return { trial, walkYield, ...afterCall(query, worth, { price: state.price(), at }) };
  }
}

function toTrial(query: CrawlQuery, at: Date, shown: number, known: number): Trial {
  return query.trial ?? { at: at.toISOString(), shown, known };
}

/**
 * A shop that was walked through is kept by refreshes, so it rests. What rests and fits on one page
 * is not looked at for news but tried anew: the page shows all of it, also of a list that was empty.
 */
function afterWalk(
  query: CrawlQuery,
  merit: Partial<CrawlQuery>,
  { page, sighting }: Answer,
): Partial<CrawlQuery> {
  if (!isProposed(query)) return {};
  const resting =
    query.shopId === null ? merit : rest(Math.max(4, query.poorLooks + 1), sighting.sentAt);
  return resting.nextAt && page.found <= PAGE ? { ...resting, walkedAt: null } : resting;
}

function toWhy(query: CrawlQuery, start: number): Reason {
  const { q, shopId, source, reason } = query;
  return isProposed(query) && query.trial === null
    ? { code: "trial", q, shopId, source, reason }
    : { code: "walk", q, shopId, start };
}
