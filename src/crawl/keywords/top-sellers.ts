import { sql } from "drizzle-orm";
import { idList, type RowOf } from "../../db/rows.ts";
import type { Db, Tx } from "../../db/open.ts";
import { unlessHeld } from "../../db/transact.ts";
import type { crawlPage } from "../../db/schema.ts";
import { fromDays, toDays } from "../scoring/days.ts";
import { checkValue } from "../scoring/freshness-value.ts";
import { priorShape, overallMean } from "../scoring/rate-estimate.ts";
import { batchDueAt } from "../scoring/due-times.ts";
import { batchSize, pageItemValue, type ItemStats } from "../scoring/scoring.ts";
import type { Answer, Progress, KeywordCaller } from "./keyword-call.ts";
import { findKeywords, type Keyword } from "../learning/keywords.ts";
import type { Offers, SearchCall } from "../safety/planned-call.ts";
import type { PlannerState } from "../learning/planner-state.ts";
import { readItemStats } from "../learning/statistics.ts";
import { missingBetween, suspect } from "./suspects.ts";

/** Pages valued in one step. */
const pagesScored = 8;
/** One in so many calls may be a first page that is requested only to see what it shows. */
const oneUnseenIn = 20;
/** A page never seen whose value is below the threshold is valued again after so many days. */
const unseenAgainDays = 0.1;

interface Page {
  keyword: Keyword;
  start: number;
  itemIds: number[];
  isDue: boolean;
}

/**
 * Pages of a keyword's most ordered products: a full batch of important items of any shops. A page is
 * expected to show what it showed last; one never seen, products as important as its position says. Each
 * page opens the next one.
 */
export function createTopSellers(
  db: Db,
  caller: KeywordCaller,
  state: PlannerState,
): (now: Date) => Promise<Offers<SearchCall>> {
  /** When a page never seen was last requested, in days; later than now after a clock was ahead. */
  let triedAt = -Infinity;

  function toCall(page: Page, value: number): SearchCall {
    return caller.call(page.keyword, {
      job: "discover",
      order: "popular",
      start: page.start,
      value,
      why: {
        code: "most_ordered",
        q: page.keyword.q,
        start: page.start,
        expected: page.itemIds.length,
      },
      // What is behind it is requested no more: each refusal would hold up the pages before it too.
      giveUp: () => (page.start > 0 ? { endsAt: page.start } : {}),
      progress(tx, answer) {
        if (page.itemIds.length === 0) triedAt = toDays(answer.sighting.sentAt);
        return settle(tx, page, answer);
      },
    });
  }

  async function settle(tx: Tx, page: Page, answer: Answer): Promise<Progress> {
    const now = toDays(answer.sighting.sentAt);
    const shown = answer.page.items.map((item) => item.itemId);
    const unread = answer.page.broken.flatMap(({ itemId }) => itemId ?? []);
    await suspect(tx, missingBetween(page.itemIds, [...shown, ...unread]), answer.sighting.sentAt);
    const items = answer.learned.map(({ item }) => item);
    const dueAt = fromDays(batchDueAt(items, now, state.threshold())).toISOString();
    await unlessHeld(tx, async (part) => {
      await part.execute(sql`
        update crawl_page set item_ids = ${JSON.stringify(shown)}::text::jsonb,
          seen_at = ${answer.sighting.sentAt.toISOString()}, due_at = ${dueAt}
        where query_id = ${page.keyword.id} and start = ${page.start}`);
      if (!answer.exhausted)
        await openPage(part, page.keyword.id, page.start + batchSize, answer.sighting.sentAt);
    });
    return {};
  }

  /**
   * Whether a first page shows what is expected is to be found out: it is worth the threshold at least, but for few of
   * the calls.
   */
  function unseenValue(page: Page, at: number): number {
    const value = expectedValue(page, at);
    const isTurn = Math.abs(at - triedAt) * state.callsPerDay >= oneUnseenIn;
    return page.start === 0 && isTurn ? Math.max(value, state.threshold()) : value;
  }

  const sumOf = (items: readonly ItemStats[], at: number) =>
    items.reduce((sum, item) => sum + pageItemValue(item, at, state.threshold()), 0);

  function expectedValue({ keyword, start }: Page, at: number): number {
    const found = keyword.found ?? batchSize;
    const shown = Math.min(batchSize, Math.max(1, found - start));
    const all = state.drawn(keyword.id);
    const share = all.length / Math.max(1, found);
    const first = Math.min(Math.floor(start * share), Math.max(0, all.length - 1));
    const drawn = all.slice(first, Math.max(first + 1, Math.ceil((start + batchSize) * share)));
    if (drawn.length > 0) {
      return (shown / drawn.length) * sumOf(drawn, at);
    }
    // None was drawn yet: as if all dated from the full scan.
    const days = at - toDays(keyword.scannedAt ?? keyword.createdAt);
    const span = priorShape / overallMean(state.totals().sum);
    return shown * state.meanWeight() * checkValue(priorShape, span, days);
  }

  return async (now) => {
    const at = toDays(now);
    const calls: SearchCall[] = [];
    const early: { page: Page; dueAt: number }[] = [];
    const want = { busyIds: caller.busyIds(), leaveFailed: state.backoffs.leavesFailed() };
    const pages = await readPagesDue(db, want, now);
    const ids = new Set(pages.flatMap((page) => page.itemIds));
    const items = await readItemStats(db, [...ids], state.context());
    const expected = new Map(items.map((item) => [item.itemId, item]));
    for (const page of pages) {
      const isSeen = page.itemIds.length > 0;
      const shown = page.itemIds.flatMap((id) => expected.get(id) ?? []);
      const value = isSeen ? sumOf(shown, at) : unseenValue(page, at);
      if (!page.isDue || value >= 0.9 * state.threshold()) calls.push(toCall(page, value));
      else {
        const dueAt = isSeen
          ? Math.max(at + 1 / 1440, batchDueAt(shown, at, state.threshold()))
          : at + unseenAgainDays;
        early.push({ page, dueAt });
      }
    }
    return {
      calls,
      async postpone() {
        for (const { page, dueAt } of early) await reschedule(db, page, dueAt);
      },
    };
  };
}

/**
 * The pages that are due, and the first one that is not: it may still be worth more than all other calls. Filtered
 * before the limit: pages that cannot be requested now must not hide others. None while somebody keeps others from the table.
 */
async function readPagesDue(
  db: Db,
  { busyIds, leaveFailed }: { busyIds: number[]; leaveFailed: boolean },
  now: Date,
): Promise<Page[]> {
  type Read = Pick<typeof crawlPage.$inferSelect, "queryId" | "start" | "itemIds">;
  const due = sql`
    select query_id, start, item_ids, due_at <= ${now.toISOString()} as is_due
    from crawl_page p join crawl_query q on q.id = p.query_id
    where q.enabled
      and (p.start = 0 or q.ends_at is null or p.start < q.ends_at)
      and (q.next_at is null or q.next_at <= ${now.toISOString()})
      and q.id not in ${idList(busyIds)}
      and not exists (
        select from backoff b
        where b.kind = 'keyword' and b.key = q.id || ':popular'
          and (b.retry_at > ${now.toISOString()} or ${leaveFailed}))
    order by due_at limit ${pagesScored}`;
  let rows: (RowOf<Read> & { is_due: boolean })[] = [];
  await unlessHeld(db, async (part) => {
    rows = await part.execute<RowOf<Read> & { is_due: boolean }>(due);
  });
  const ids = rows.map((row) => row.query_id);
  const keywords = await findKeywords(db, ids);
  const first = rows.findIndex((row) => !row.is_due);
  return rows.slice(0, first < 0 ? rows.length : first + 1).flatMap((row) => {
    const keyword = keywords.get(row.query_id);
    if (!keyword) return [];
    return [{ keyword, start: row.start, itemIds: row.item_ids, isDue: row.is_due }];
  });
}

/** Not if somebody holds its row: the planner must not wait, and values the page again. */
async function reschedule(db: Db, page: Page, dueAt: number): Promise<void> {
  const write = sql`
    update crawl_page set due_at = ${fromDays(dueAt).toISOString()}
    where (query_id, start) in (
      select query_id, start from crawl_page
      where query_id = ${page.keyword.id} and start = ${page.start} for no key update skip locked)`;
  await unlessHeld(db, (part) => part.execute(write));
}

/**
 * The first page of every scanned keyword; each later one follows the page before it. A keyword within one
 * shop has none: a refresh shows the same products and selects better. Keywords whose row somebody holds are left out.
 */
export async function openFirstPages(db: Db, at: Date): Promise<void> {
  const open = sql`
    insert into crawl_page (query_id, start, item_ids, due_at)
    select id, 0, '[]', ${at.toISOString()} from crawl_query
    where enabled and scanned_at is not null and shop_id is null
      and (next_at is null or next_at <= ${at.toISOString()})
      and not exists (select from crawl_page where query_id = id and start = 0)
    for key share skip locked
    on conflict do nothing`;
  await unlessHeld(db, (part) => part.execute(open));
}

async function openPage(tx: Tx, queryId: number, start: number, at: Date): Promise<void> {
  await tx.execute(sql`
    insert into crawl_page (query_id, start, item_ids, due_at)
    values (${queryId}, ${start}, '[]', ${at.toISOString()}) on conflict do nothing`);
}
