import { toModifiedAt } from "../../catalog/modified.ts";
import type { Scan } from "../../db/schema.ts";
import {
  afterFeedScan,
  busyDays,
  countAbove,
  emptyBacklog,
  expectUnread,
  firstPosition,
  afterPush,
  firstPush,
  placesToSkip,
  type Backlog,
} from "../scoring/backlog.ts";
import { fromDays, toDays } from "../scoring/days.ts";
import { atLag, freshPerChange, pageValue } from "../scoring/scan-values.ts";
import { freshDays } from "../scoring/scoring.ts";
import { PAGE, type Answer } from "./keyword-call.ts";
import type { CrawlQuery } from "../learning/keywords.ts";
import { toKeywordStats, type PlannerState } from "../learning/planner-state.ts";

/** What a page of a scan of newest changes tells: the scan goes on, or it has ended. */
export type FeedStep = { goesOn: true; nextValue: number } | { goesOn: false; read: FeedRead };

/** Up to where the changes of a keyword are read after a scan. */
export interface FeedRead {
  feedCheckedAt: Date;
  feedWatermark: number | null;
  backlog: Backlog;
}

/** So few changes between a page and those that are known are not worth another page. */
const FEW_PLACES = 15;
/** A page that holds so many times what was expected of its time shows part of a burst. */
const DENSE = 4;
/** So many changes say little against what is expected. */
const DOUBT = 3;
/** A scan goes on to changes that are worth this share of the threshold. */
const MISSED_BELOW = 0.5;

export const toBacklog = (query: CrawlQuery): Backlog =>
  query.scans.backlog ?? emptyBacklog(toKeywordStats(query).feedScannedAt);

/** Where a scan begins: at the oldest changes that are not read, as far as one page shows them. */
export function firstStart(query: CrawlQuery, now: Date): number {
  return firstPosition(toBacklog(query), toDays(now), query.found ?? 0);
}

/** Where a scan goes on: newer changes have pushed down what its last page showed. */
export function nextStart({ start, pageAt, push }: Scan, now: Date): number {
  return pageAt && push
    ? start + placesToSkip(push, toDays(now) - toDays(new Date(pageAt)))
    : start;
}

/** What a page adds to a scan, by where it joins the page before; null: it has left products out between them. */
export function joinPages(
  query: CrawlQuery,
  old: Scan,
  { page: { items }, start, sighting }: Answer,
): Pick<Scan, "last" | "repeated" | "push"> | null {
  const lastItem = items.at(-1);
  const last = lastItem ? { last: { modified: lastItem.modified, itemId: lastItem.itemId } } : {};
  if (!old.last || !old.pageAt || !old.push)
    return { ...last, repeated: 0, push: firstPush(toBacklog(query)) };
  const repeated = countAbove(items, old.last.modified, old.last.itemId - 1);
  const skipped = start - old.start;
  if (skipped > 0 && repeated === 0) return null;
  const since = (moment: string) =>
    Math.max(1e-5, toDays(sighting.sentAt) - toDays(new Date(moment)));
  const page = { repeated, skipped, days: since(old.pageAt), daysInAll: since(old.began) };
  return { ...last, repeated, push: afterPush(old.push, page) };
}

/** What the first page of a new scan is worth. */
export function firstPageValue(query: CrawlQuery, state: PlannerState, now: Date): number {
  const curves = state.curves(query.id);
  if (!curves) return -Infinity;
  const backlog = toBacklog(query);
  const at = toDays(now);
  const days = busyDays(backlog, toKeywordStats(query).feedScannedAt, at);
  const unread = expectUnread(backlog, at, query.found ?? 0);
  // What scans have met lately corrects what the rates of the products let one expect.
  const expected = atLag(curves.unread, backlog.days);
  const share = Math.min(1, (backlog.came + DOUBT) / (expected + DOUBT));
  return share * pageValue(curves, { days, unread });
}

/**
 * After a page of a scan. It has ended once a page shows products that are known, or once so few changes are left
 * above them that they are not worth a page: they count as silent ones. `thorough`: only known products end it.
 */
export function afterFeedPage(
  query: CrawlQuery,
  state: PlannerState,
  { scan, answer, thorough }: { scan: Scan; answer: Answer; thorough: boolean },
): FeedStep {
  const above = countUnread(query, answer);
  if (above !== null)
    return { goesOn: false, read: toRead(query, scan, answer, { above, isCounted: true }) };
  // So much has come at once that the page shows again what the scan has read, while all of that is unread.
  const isPushed = scan.repeated === answer.page.items.length && isOld(answer);
  if (isPushed && !thorough)
    return {
      goesOn: false,
      read: toRead(query, scan, answer, { above: answer.start, isCounted: false }),
    };
  const unread = countLeft(query, state, { scan, answer });
  const nextValue = Math.min(PAGE, unread) * freshPerNews(query, state, answer);
  if (thorough || (unread >= FEW_PLACES && nextValue >= MISSED_BELOW * state.threshold()))
    return { goesOn: true, nextValue };
  const guess = { above: answer.next + unread, isCounted: false };
  return { goesOn: false, read: toRead(query, scan, answer, guess) };
}

/** For how many product-days a change further down would be fresh: as expected of the keyword, or like those shown. */
function freshPerNews(query: CrawlQuery, state: PlannerState, answer: Answer): number {
  const at = toDays(answer.sighting.sentAt);
  const days = busyDays(toBacklog(query), toKeywordStats(query).feedScannedAt, at);
  const curves = state.curves(query.id);
  if (curves && atLag(curves.unread, days) >= 1) return freshPerChange(curves, days);
  return mean(newsOf(answer).map(({ item }) => item.weight * freshDays(item)));
}

/** The products of a page that were unknown, or that have changed since they were seen. */
const newsOf = ({ learned }: Answer) =>
  learned.filter(
    ({ observed: { fate, before, modified } }) =>
      fate === "created" || (before !== null && before.modified !== modified),
  );

const mean = (values: readonly number[]): number =>
  values.reduce((sum, one) => sum + one, 0) / Math.max(1, values.length);

/** How many products stand above those that are known; null if none on the page is known. */
function countUnread(query: CrawlQuery, answer: Answer): number | null {
  const { feedWatermark: watermark } = query;
  const { items } = answer.page;
  const { itemId } = toBacklog(query);
  const above = countAbove(items, watermark, itemId);
  // Changes of one moment: where any of them may be unread, a scan goes on while it finds some.
  const isAtWatermark = itemId === null && items.at(-1)?.modified === watermark;
  const isKnown = above < items.length || (isOld(answer) && (watermark === null || isAtWatermark));
  if (!answer.exhausted && !isKnown) return null;
  return answer.start + (isAtWatermark ? countAbove(items, watermark, Infinity) : above);
}

function isOld({ result: { tally } }: Answer): boolean {
  return tally.created + tally.changed === 0;
}

/**
 * How many changes are expected between the oldest one of a page and those that are known, by their moments. Where
 * the newest changes are far more than was to be expected of their time, they are part of a burst: another page of it.
 */
function countLeft(
  query: CrawlQuery,
  state: PlannerState,
  { scan, answer }: { scan: Scan; answer: Answer },
): number {
  const { sighting, page } = answer;
  const curves = state.curves(query.id);
  const toMoment = (time: number | null | undefined) =>
    time === null || time === undefined ? null : toModifiedAt(time, sighting.sentAt);
  const [newest, oldest] = [page.items[0], page.items.at(-1)].map((item) =>
    toMoment(item?.modified),
  );
  const known = toMoment(query.feedWatermark);
  if (!curves || !known || !newest || !oldest) return PAGE;
  const expected = (from: Date, to: Date) =>
    atLag(curves.unread, busyDays(toBacklog(query), toDays(from), toDays(to)));
  const left = expected(known, oldest);
  const isBurst = scan.from === 0 && newsOf(answer).length > DENSE * expected(oldest, newest);
  return isBurst ? Math.max(PAGE, left) : left;
}

/** `above`: so many products stand above those that were known before the scan. */
function toRead(
  query: CrawlQuery,
  scan: Scan,
  answer: Answer,
  { above, isCounted }: { above: number; isCounted: boolean },
): FeedRead {
  const { top, topId = null, topAt = 0, from = 0 } = scan;
  const old = toBacklog(query);
  const watermark = query.feedWatermark;
  const { sentAt } = answer.sighting;
  const { feedScannedAt } = toKeywordStats(query);
  const began = toDays(new Date(scan.began));
  const isWhole = from === 0;
  const isNew =
    top !== null &&
    (watermark === null ||
      top > watermark ||
      (top === watermark && (topId ?? 0) > (old.itemId ?? Infinity)));
  const news = answer.page.items.slice(0, Math.max(0, above - answer.start));
  const seen = {
    above,
    isCounted,
    endedAt: toDays(sentAt),
    found: answer.page.found,
    modifiedAt: news.flatMap(({ modified }) => toModifiedAt(modified, sentAt) ?? []).map(toDays),
  };
  if (!isWhole && !isNew) {
    return {
      feedWatermark: watermark,
      feedCheckedAt: fromDays(feedScannedAt),
      backlog: afterFeedScan(old, { ...seen, read: null }),
    };
  }
  const modifiedAt = top === null ? null : toModifiedAt(top, sentAt);
  const readUntil = isWhole || modifiedAt === null ? began : Math.min(began, toDays(modifiedAt));
  const left = isNew ? topAt + (scan.push?.places ?? 0) : 0;
  return {
    feedWatermark: top === null ? watermark : Math.max(top, watermark ?? 0),
    feedCheckedAt: fromDays(Math.max(feedScannedAt, readUntil)),
    backlog: afterFeedScan(old, { ...seen, read: { left, itemId: topId } }),
  };
}
