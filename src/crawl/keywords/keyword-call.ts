import { eq, sql } from "drizzle-orm";
import type { ObserveResult } from "../../catalog/observe.ts";
import { toModifiedAt } from "../../catalog/modified.ts";
import type { Sighting } from "../../catalog/sighting.ts";
import type { Tx } from "../../db/open.ts";
import { crawlQuery, type Scans } from "../../db/schema.ts";
import type { SortTerm } from "../../storefront/request.ts";
import type { SearchPage } from "../../storefront/product.ts";
import type { SearchCall } from "../safety/planned-call.ts";
import { learn, type Learned } from "../learning/learning.ts";
import { notePageFailure, notePageSuccess, type ListOrder } from "../safety/keyword-backoffs.ts";
import type { CrawlQuery } from "../learning/keywords.ts";
import type { PlannerState } from "../learning/planner-state.ts";
import { afterLate } from "../scoring/absences.ts";
import { toDays } from "../scoring/days.ts";
import type { Reason } from "../scoring/reason.ts";

/** Items a search page shows at most (specification section 8). */
export const PAGE = 50;

export interface Answer {
  sighting: Sighting;
  page: SearchPage;
  result: ObserveResult;
  /** What is kept of the keyword's pages, before this one; its absences know what this one was late to show. */
  scans: Scans;
  learned: readonly Learned[];
  /** Products that this keyword was the first to show, up to this page, less those proven deleted. */
  known: number;
  /** Where the page began: after the planned `start` if that position fails by itself. */
  start: number;
  /** Less than a page was requested, because calls failed there. */
  isPart: boolean;
  /** The position after this page. */
  next: number;
  /** Nothing follows it. */
  exhausted: boolean;
}

export interface Progress {
  /** The changes of the query's row. */
  row: Partial<CrawlQuery>;
}

export interface QueryCallPlan {
  job: "discover" | "feed";
  order: ListOrder;
  start: number;
  value: number;
  why: Reason;
  progress(tx: Tx, answer: Answer): Progress | Promise<Progress>;
  /** The changes of the row after the upstream refused the call, or its answer was doubted. */
  giveUp(at: Date): Partial<CrawlQuery>;
}

const sorts: Record<ListOrder, SortTerm[]> = {
  "id-ascending": [{ column: "item_id", direction: "asc" }],
  "id-descending": [{ column: "item_id", direction: "desc" }],
  modified: [
    { column: "modified", direction: "desc" },
    { column: "item_id", direction: "desc" },
  ],
  popular: [
    { column: "order_count", direction: "desc" },
    { column: "item_id", direction: "asc" },
  ],
};

export interface QueryCaller {
  /** A call of this keyword is under way: there is never a second one. */
  isBusy(query: CrawlQuery): boolean;
  busyIds(): readonly number[];
  call(query: CrawlQuery, plan: QueryCallPlan): SearchCall;
}

/** Makes a call from the plan of one page of one keyword, with what it records and learns. */
export function createQueryCaller(state: PlannerState): QueryCaller {
  const busy = new Set<number>();

  return {
    isBusy: (query) => busy.has(query.id),
    busyIds: () => [...busy],
    call(query, plan) {
      const list = { queryId: query.id, order: plan.order };
      const range = state.toRange(list, { start: plan.start, size: PAGE });
      const save = (tx: Tx, at: Date, change: Record<string, unknown>) =>
        tx
          .update(crawlQuery)
          .set({ askedAt: at, ...change })
          .where(eq(crawlQuery.id, query.id));
      return {
        job: plan.job,
        purpose: "discovery",
        operation: "search",
        value: plan.value,
        why: plan.why,
        isRetry: state.hasFailed(list),
        expectedFound: query.found,
        firstRank: plan.order === "popular" ? range.start : null,
        params: {
          q: query.q,
          sort: sorts[plan.order],
          start: range.start,
          size: range.size,
          ...(query.shopId === null ? {} : { shopId: query.shopId }),
        },
        async settle(tx, sighting, page, result) {
          const learned = await learn(tx, result.observed, {
            at: sighting.sentAt,
            given: state.given,
            price: state.threshold(),
            maxAgeDays: state.maxAgeDays(),
            totals: state.totals(),
            keywords: state.keywords(),
            queryId: query.id,
            byFeed: plan.order === "modified",
          });
          state.noteChecked(learned);
          const returned = page.items.length + page.broken.length;
          const next = range.start + returned;
          const exhausted = returned === 0 || next >= page.found;
          const answer: Answer = {
            sighting,
            page,
            result,
            scans: withLate(query.scans, learned, sighting.sentAt),
            learned,
            known: (await readKnown(tx, query)) + result.tally.created,
            start: range.start,
            isPart: range.size < PAGE,
            next,
            exhausted,
          };
          const progress = await plan.progress(tx, answer);
          await notePageSuccess(tx, list, range);
          await save(tx, sighting.sentAt, {
            found: page.found,
            calls: sql`${crawlQuery.calls} + 1`,
            itemsSeen: sql`${crawlQuery.itemsSeen} + ${result.tally.returned}`,
            itemsCreated: sql`${crawlQuery.itemsCreated} + ${result.tally.created}`,
            lastError: null,
            ...(answer.scans === query.scans ? {} : { scans: answer.scans }),
            ...progress.row,
          });
          return { gone: 0 };
        },
        async failed(tx, failure) {
          const { kind, message, at, found } = failure;
          const isGivenUp = kind === "refused" || kind === "doubted";
          await save(tx, at, {
            lastError: message,
            ...(isGivenUp ? plan.giveUp(at) : {}),
            ...(found === null ? {} : { found }),
          });
          const blame = await notePageFailure(tx, list, range, failure);
          state.touch();
          return blame;
        },
        take: () => busy.add(query.id),
        release: () => busy.delete(query.id),
      };
    },
  };
}

/** New products that were modified before the last count of absences; one that came back was counted as deleted. */
function withLate(scans: Scans, learned: readonly Learned[], sentAt: Date): Scans {
  const { absences } = scans;
  if (!absences) return scans;
  const late = learned.filter(({ observed: { fate, modified, deletions } }) => {
    const modifiedAt = toModifiedAt(modified, sentAt);
    return fate === "created" && deletions === 0 && modifiedAt && toDays(modifiedAt) < absences.at;
  });
  return late.length === 0 ? scans : { ...scans, absences: afterLate(absences, late.length) };
}

/** Read anew: a deletion proven since the plan must not make one product more seem to be missing. */
async function readKnown(tx: Tx, { id }: CrawlQuery): Promise<number> {
  const [row] = await tx
    .select({
      known: sql<number>`${crawlQuery.itemsCreated} - ${crawlQuery.itemsDeleted}`.mapWith(Number),
    })
    .from(crawlQuery)
    .where(eq(crawlQuery.id, id));
  return row?.known ?? 0;
}
