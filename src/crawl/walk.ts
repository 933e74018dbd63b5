import type { Trial } from "../db/schema.ts";
import type { SearchCall } from "./call.ts";
import { afterCall, newcomerWorth, rest } from "./merit.ts";
import { PAGE, type Answer, type QueryCaller } from "./query-call.ts";
import { isProposed, type CrawlQuery } from "./queries.ts";
import type { PlannerState } from "./state.ts";
import type { Reason } from "./reason.ts";

export interface Walks {
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
  /** Highest id of a walk's last page: pages that stop climbing would never end. */
  const climbed = new Map<number, number>();

  return {
    next(query, worth) {
      const start = query.walkStart ?? 0;
      return caller.call(query, {
        job: "discover",
        order: "id-ascending",
        start,
        worth,
        why: toWhy(query, start),
        giveUp(at) {
          climbed.delete(query.id);
          return start > 0 || !isProposed(query)
            ? { walkStart: null, walkedAt: at, ...(start > 0 ? { endsAt: start } : {}) }
            : { trial: toTrial(query, at, 0, 0), ...rest(query.poorLooks + 1, at) };
        },
        progress(_tx, answer) {
          const { page, next, exhausted, sighting } = answer;
          const lastId = climbed.get(query.id) ?? 0;
          const topId = Math.max(0, ...page.items.map((item) => item.itemId));
          const stuck = start > 0 && page.items.length > 0 && topId <= lastId;
          const merit = toMerit(query, answer);
          if (exhausted || stuck) {
            const isRepeating = stuck && page.items.length === PAGE;
            const lastError = isRepeating ? "its pages repeat" : null;
            const endsAt = !isRepeating && next < page.found ? next : null;
            const done = { walkStart: null, walkedAt: sighting.sentAt, lastError, endsAt };
            return {
              row: { ...done, ...merit, ...afterWalk(query, merit, answer) },
              committed: () => climbed.delete(query.id),
            };
          }
          const firstId = Math.min(...page.items.map((item) => item.itemId));
          const isGap = page.items.length > 0 && lastId > 0 && firstId > lastId;
          if (start > 0 && isGap) {
            return { row: { walkStart: Math.max(0, start - STEP_BACK) }, committed() {} };
          }
          // What was deleted since the last page has moved the rest towards us: step back by as much.
          const lost = start > 0 ? Math.max(0, (query.found ?? 0) - page.found) : 0;
          return {
            row: { walkStart: Math.max(start + 1, next - OVERLAP - lost), ...merit },
            committed: () => climbed.set(query.id, Math.max(topId, lastId)),
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
