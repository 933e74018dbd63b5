import { skew, toOurs, type ClockBehind } from "./clock-behind.ts";
import { countComing, movedBack, movedTo, sumOfSquares, type Flow } from "./list-positions.ts";
import { activeDays, type WeekPattern } from "./week-pattern.ts";

/**
 * What has been read of a keyword's newest changes, a list by `modified`, newest first. Every first page shows the
 * latest changes; if it does not reach what was read before, a gap is left. An item stays in a gap until a later page or
 * a refresh shows it, or until it changes again and is listed at the top. All moments are days since the epoch.
 */
export interface Reading {
  /** Of the latest first page: later changes are not read. */
  until: number;
  /** Spans whose changes were not read, the newest first. */
  gaps: readonly Gap[];
  flow: Flow;
  /** The usual number of days between two first pages; Infinity before there are two. */
  everyDays: number;
}

export interface Gap {
  from: number;
  to: number;
  /** Its next page; null if nothing more is expected there. */
  next: NextPage | null;
  /** Of the page that left it. */
  behind?: ClockBehind;
}

export interface NextPage {
  /** Its position in the list at the moment of the latest first page. */
  start: number;
  /** It lies at least so far down: unread changes of a newer gap, which came later, lie above it. */
  isLeast?: boolean;
  /** Pages of this gap read in a row. */
  pages: number;
  /** Unread items that it was expected to show when the page before it was read. */
  expected: number;
  /** Those that change rates let nobody expect, but the pages before it do: an import changes many at one moment. */
  surplus: number;
  /** The share of new products among these, as on the pages before. */
  newShare: number;
}

export function isSameGap(a: Gap, b: Gap): boolean {
  return a.from === b.from && a.to === b.to && a.next?.start === b.next?.start;
}

/** Everything up to this moment is known, by a full scan. */
export function newReading(until: number): Reading {
  return { until, gaps: [], flow: { items: 0, squares: 0, days: 0 }, everyDays: Infinity };
}

/**
 * For a product checked at `since`: how long changes of it could have been listed and were not read, in active days
 * up to `at`. `recent`: since the latest first page; `missed`: in gaps.
 */
export function unreadDays(
  { until, gaps }: Reading,
  pattern: WeekPattern,
  since: number,
  at: number,
): { recent: number; missed: number } {
  let missed = 0;
  for (const gap of gaps) {
    if (gap.to > since) missed += activeDays(pattern, Math.max(gap.from, since), gap.to);
  }
  return { recent: activeDays(pattern, Math.max(until, since), at), missed };
}

/** Active days between `since` and `to` in which any change would have been read. */
export function readDays(
  { until, gaps }: Reading,
  pattern: WeekPattern,
  since: number,
  to = Infinity,
): number {
  const end = Math.min(until, to);
  let days = activeDays(pattern, since, end);
  for (const gap of gaps)
    days -= activeDays(pattern, Math.max(gap.from, since), Math.min(gap.to, end));
  return Math.max(0, days);
}

/**
 * For a product checked before at `checkedAt` whose last change was at `changedAt`: the days known to be without one. A
 * check `at` knows of all days since the change. A page of the list shows only what did not change again: the days that no
 * page has shown count for nothing, because they count for none of those that have changed in them.
 */
export function quietDays(
  keyword: { reading: Reading; pattern: WeekPattern } | undefined,
  { checkedAt, changedAt, at, byList }: QuietSight,
): number {
  if (!keyword) return Math.max(0, at - changedAt);
  const { reading, pattern } = keyword;
  if (!byList) {
    return readDays(reading, pattern, checkedAt, changedAt) + Math.max(0, at - changedAt);
  }
  const gap = reading.gaps.find(({ from, to }) => from <= changedAt && changedAt <= to);
  const shownUntil = gap?.to ?? (changedAt > reading.until ? at : changedAt);
  return readDays(reading, pattern, checkedAt) + shownUntil - changedAt;
}

export interface QuietSight {
  checkedAt: number;
  changedAt: number;
  at: number;
  /** It was shown by the list. */
  byList: boolean;
}

/** New products are among the changes: up to here none is unknown, but for those in gaps that nobody will read. */
export function readWithoutGapUntil({ until, gaps }: Reading): number {
  return Math.min(until, ...gaps.flatMap((gap) => (gap.next ? [gap.from] : [])));
}

/** What one page of the list has shown. */
export interface ReadPage {
  start: number;
  at: number;
  /** When its newest and its oldest item were modified, as listed; `-Infinity`: it ends the list. */
  newest: number;
  oldest: number;
  /** Undefined: the listed moments are ours. */
  behind?: ClockBehind | undefined;
  items: number;
  /** How many the list has. */
  found: number;
  /** Its items that were new, or modified since they were last seen. */
  news: number;
  /** Those that were new. */
  created: number;
  /** Those of its oldest moment: if they are many, more of that moment may lie below it. */
  newsOfOldest: number;
  /** Unread items that change rates let one expect on it, and in the rest of what it was read for. */
  expected: { here: number; below: number };
}

const pageSize = 50;
/** Days after which the flow of changes is learned anew. */
const flowMemoryDays = 1;
const mostGaps = 24;
/** Gaps that are read at a time: those that show most. */
const mostRead = 4;
/** Shorter spans are as good as read. */
const shortestGap = 1e-6;

/** `later`: when its items modified after the page before were; `reachesKnown`: it shows what had been read before. */
export function afterFirstPage(
  old: Reading,
  page: ReadPage & { later: readonly number[]; reachesKnown: boolean },
): Reading {
  const days = Math.max(0, page.at - old.until);
  const later = page.later.length;
  const { behind } = page;
  const lowest = toOurs(behind, page.oldest);
  const isClosed = page.reachesKnown || lowest <= old.until - skew;
  const oldest = Math.min(page.at, Math.max(lowest, old.until));
  const keep = Math.exp(-days / flowMemoryDays);
  const moved = old.gaps.map(({ next, ...gap }) => ({
    ...gap,
    next: next && {
      ...next,
      start: movedTo(next.start, isClosed ? later : page.items, page.found),
      isLeast: next.isLeast === true || !isClosed,
    },
  }));
  const surplus = surplusOf(page, 1);
  const next = toNext({
    start: page.start + page.items,
    pages: 1,
    expected: page.expected.below + surplus,
    surplus,
    newShare: page.created / Math.max(1, page.news),
  });
  return {
    until: page.at,
    gaps: shorten(
      isClosed
        ? moved
        : [{ from: old.until, to: oldest, next, ...(behind && { behind }) }, ...moved],
    ),
    flow: {
      items: old.flow.items * keep + later,
      squares: old.flow.squares * keep + sumOfSquares(page.later),
      days: old.flow.days * keep + (isClosed ? days : page.at - oldest),
    },
    everyDays: Number.isFinite(old.everyDays) ? old.everyDays * 0.8 + days * 0.2 : days,
  };
}

/** A page of one gap; others become shorter too where it shows them. */
export function afterGapPage(old: Reading, read: Gap, page: ReadPage): Reading {
  const place = old.gaps.findIndex((gap) => isSameGap(gap, read));
  const next = nextAfter(old, read, page);
  const gaps = old.gaps.flatMap((gap, i) => {
    if (i !== place) return without(i > place ? movedDown(gap, page.news) : gap, page);
    return without({ ...gap, next: null }, page).map((part) =>
      // What the page has left out above it is not read any more.
      part.from === read.from ? { ...part, next } : part,
    );
  });
  return { ...old, gaps: shorten(gaps) };
}

/** A page that shows too little may lie above the rest of the gap: half of what it promised may follow. */
function nextAfter(old: Reading, gap: Gap, page: ReadPage): NextPage | null {
  const { from, to, next } = gap;
  const { newest, oldest } = spanOf(page, gap);
  if (next === null || newest < from - shortestGap) return null;
  const { newShare } = next;
  const start =
    movedBack(page.start, countComing(old.flow, page.at - old.until), page.found) + page.items;
  const isAbove = oldest > to + shortestGap;
  const pages = isAbove ? next.pages : next.pages + 1;
  const surplus = Math.max(isAbove ? 0 : surplusOf(page, pages), next.surplus / 2);
  const showsPart = oldest < to - shortestGap;
  return toNext({
    start,
    pages,
    expected: showsPart ? page.expected.below + surplus : Math.max(surplus, next.expected / 2),
    surplus,
    newShare: page.news === 0 ? newShare : (newShare + page.created / page.news) / 2,
  });
}

/** What rates did not let one expect goes on, the longer the more pages have shown it. */
function surplusOf({ news, newsOfOldest, expected }: ReadPage, pages: number): number {
  return (Math.max(0, news - expected.here, newsOfOldest - 1) * pages) / (pages + 1);
}

function toNext(next: NextPage): NextPage | null {
  return next.expected >= 0.5 ? { ...next, expected: Math.min(pageSize, next.expected) } : null;
}

/** A page of a newer gap has shown so many changes. */
function movedDown(gap: Gap, items: number): Gap {
  return gap.next?.isLeast ? { ...gap, next: { ...gap.next, start: gap.next.start + items } } : gap;
}

/** What a page shows, in the moments of a gap. */
function spanOf({ newest, oldest }: ReadPage, { behind }: Gap) {
  return { newest: toOurs(behind, newest), oldest: toOurs(behind, oldest) };
}

/** What a page leaves of a gap. */
function without(gap: Gap, page: ReadPage): Gap[] {
  const { newest, oldest } = spanOf(page, gap);
  if (oldest >= gap.to || newest <= gap.from) return [gap];
  return [
    ...(newest < gap.to ? [{ ...gap, from: newest, next: null }] : []),
    ...(oldest > gap.from ? [{ ...gap, to: oldest }] : []),
  ];
}

/** Forgets the shortest gap, or joins the two nearest, until they are few enough; those being read are kept. */
function shorten(gaps: readonly Gap[]): Gap[] {
  const newestFirst = gaps
    .filter((gap) => gap.to - gap.from > shortestGap)
    .toSorted((a, b) => b.to - a.to);
  const read = newestFirst
    .toSorted((a, b) => (b.next?.expected ?? 0) - (a.next?.expected ?? 0))
    .slice(0, mostRead);
  const kept = newestFirst.map((gap) => (read.includes(gap) ? gap : { ...gap, next: null }));
  while (kept.length > mostGaps) {
    let place = kept.length - 1;
    let least = Infinity;
    let isJoined = false;
    for (const [i, gap] of kept.entries()) {
      if (gap.next) continue;
      const newer = kept[i - 1];
      const between = newer && !newer.next ? newer.from - gap.to : Infinity;
      const length = gap.to - gap.from;
      if (Math.min(length, between) >= least) continue;
      least = Math.min(length, between);
      place = i;
      isJoined = between < length;
    }
    const [removed] = kept.splice(place, 1);
    const newer = kept[place - 1];
    if (isJoined && removed && newer) kept[place - 1] = { ...newer, from: removed.from };
  }
  return kept;
}

/** The list cannot be read at present: what has changed since the latest first page is not read. */
export function afterFailure(old: Reading, at: number): Reading {
  const gaps = old.gaps.map((gap) => ({ ...gap, next: null }));
  return { ...old, until: at, gaps: shorten([{ from: old.until, to: at, next: null }, ...gaps]) };
}

/** Where the next page of a gap begins now, in a list of `found` items. */
export function nextStart(
  { flow, until }: Reading,
  next: NextPage,
  { found, at }: { found: number; at: number },
): number {
  return movedTo(next.start, countComing(flow, at - until), found);
}
