import { batchSize } from "../scoring/scoring.ts";
import { eq, inArray, sql, type SQL } from "drizzle-orm";
import type { ObserveResult } from "../../catalog/observing/observe.ts";
import type { Sighting } from "../../catalog/sighting.ts";
import type { Tx } from "../../db/open.ts";
import { unlessHeld } from "../../db/transact.ts";
import { crawlQuery, type Scans } from "../../db/schema.ts";
import type { SortTerm } from "../../storefront/wire.ts";
import type { SearchPage } from "../../storefront/product.ts";
import type { SearchCall } from "../safety/planned-call.ts";
import type { Learned } from "../learning/learning.ts";
import { notePageFailure, notePageSuccess, type ListOrder } from "../safety/keyword-backoffs.ts";
import { endWaits } from "../safety/product-backoffs.ts";
import type { Keyword } from "../learning/keywords.ts";
import type { PlannerState } from "../learning/planner-state.ts";
import type { Reason } from "../scoring/reason.ts";
import { addMove } from "../scoring/swings.ts";
import { shownKeep } from "../scoring/yield.ts";

export interface Answer {
  /** The keyword's. */
  queryId: number;
  sighting: Sighting;
  /** With what its number tells, or else what the pages have shown. */
  page: SearchPage & { found: number };
  result: ObserveResult;
  learned: readonly Learned[];
  /** What is kept of the keyword's pages, before this one; but its share of own products counts this one. */
  scans: Scans;
  /** Products that this keyword was the first to show and that were proven deleted. */
  deleted: number;
  /** Where the page began: after the planned `start` if that position fails by itself. */
  start: number;
  /** Less than a page was requested, because calls failed there. */
  isPart: boolean;
  /** The position after this page. */
  next: number;
  /** Nothing follows it. */
  exhausted: boolean;
}

/** The changes of the keyword's row. */
export type Progress = Partial<Keyword>;

export interface KeywordCallPlan {
  job: "discover" | "feed";
  order: ListOrder;
  start: number;
  value: number;
  why: Reason;
  progress(tx: Tx, answer: Answer): Progress | Promise<Progress>;
  /** The changes of the row after the upstream refused the call. */
  giveUp(at: Date): Partial<Keyword>;
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

export type KeywordCaller = ReturnType<typeof createKeywordCaller>;

/** Makes a call from the plan of one page of one keyword, with what it records and learns. */
export function createKeywordCaller(state: PlannerState) {
  const busy = new Set<number>();

  return {
    /** A call of this keyword is under way: there is never a second one. */
    isBusy: (keyword: Keyword) => busy.has(keyword.id),
    busyIds: () => [...busy],
    call(keyword: Keyword, plan: KeywordCallPlan): SearchCall {
      const list = { queryId: keyword.id, order: plan.order };
      const range = state.backoffs.toRange(list, { start: plan.start, size: batchSize });
      const failedAbove = state.backoffs.failedAbove(list, range.start);
      const ofKeyword = eq(crawlQuery.id, keyword.id);
      const save = (tx: Tx, at: Date, change: Record<string, unknown>, where: SQL = ofKeyword) =>
        tx
          .update(crawlQuery)
          .set({ askedAt: at, ...change })
          .where(where);
      return {
        job: plan.job,
        purpose: "discovery",
        operation: "search",
        value: plan.value,
        why: plan.why,
        isRetry: state.backoffs.hasFailed(list),
        expectedFound: keyword.found,
        firstRank: plan.order === "popular" ? range.start : null,
        params: {
          q: keyword.q,
          sort: sorts[plan.order],
          start: range.start,
          size: range.size,
          ...(keyword.shopId === null ? {} : { shopId: keyword.shopId }),
        },
        async settle(tx, sighting, page, result) {
          const learned = await state.learn(tx, result.observed, {
            at: sighting.sentAt,
            queryId: keyword.id,
            byFeed: plan.order === "modified",
          });
          const returned = page.items.length + page.broken.length;
          const next = range.start + returned;
          const told = page.found ?? keyword.found;
          // More may follow a full page, whatever number the upstream tells.
          const exhausted =
            returned === 0 || (told !== null && next >= told && returned < batchSize);
          const seen = returned === 0 ? Math.min(next, told ?? next) : Math.max(next, told ?? 0);
          const found = page.found ?? seen;
          const answer: Answer = {
            queryId: keyword.id,
            sighting,
            page: { ...page, found },
            result,
            learned,
            scans: toScans(keyword, learned, page.found),
            deleted: await readDeleted(tx, keyword),
            start: range.start,
            isPart: range.size < batchSize,
            next,
            exhausted,
          };
          const progress = await plan.progress(tx, answer);
          await unlessHeld(tx, async (part) => {
            await notePageSuccess(part, list, range);
            const read = learned.map(({ item }) => item.itemId);
            await endWaits(part, read, sighting.sentAt);
          });
          await save(tx, sighting.sentAt, {
            // Pages without a number show the whole only at their end.
            found: page.found ?? (exhausted ? found : keyword.found),
            calls: sql`${crawlQuery.calls} + 1`,
            itemsSeen: sql`${crawlQuery.itemsSeen} + ${result.tally.returned}`,
            itemsCreated: sql`${crawlQuery.itemsCreated} + ${result.tally.created}`,
            lastError: null,
            scans: answer.scans,
            ...progress,
          });
          return { gone: 0 };
        },
        async failed(tx, failure) {
          const { kind, message, at, found } = failure;
          const change = {
            lastError: message,
            ...(kind === "refused" ? plan.giveUp(at) : {}),
            ...(found === null ? {} : { found }),
          };
          // The backoff does not wait for a row that somebody holds.
          const free = tx.select({ id: crawlQuery.id }).from(crawlQuery).where(ofKeyword);
          await save(
            tx,
            at,
            change,
            inArray(crawlQuery.id, free.for("no key update", { skipLocked: true })),
          );
          const isItsOwn = await notePageFailure(tx, list, range, failure, failedAbove);
          state.touch();
          return isItsOwn;
        },
        take: () => busy.add(keyword.id),
        release: () => busy.delete(keyword.id),
      };
    },
  };
}

/** Read anew: a deletion proven since the plan must not make one product more seem to be missing. */
async function readDeleted(tx: Tx, { id }: Keyword): Promise<number> {
  const [row] = await tx
    .select({ deleted: crawlQuery.itemsDeleted })
    .from(crawlQuery)
    .where(eq(crawlQuery.id, id));
  return row?.deleted ?? 0;
}

function toScans(
  { id, scans, found: before }: Keyword,
  learned: readonly Learned[],
  found: number | null,
): Scans {
  const { all = 0, own = 0 } = scans.shown ?? {};
  const ownHere = learned.filter(({ queryId }) => queryId === id).length;
  const shown = { all: all * shownKeep + learned.length, own: own * shownKeep + ownHere };
  const swings = addMove(scans.swings, before, found);
  return { ...scans, shown, ...(swings ? { swings } : {}) };
}
