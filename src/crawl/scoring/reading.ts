import { activeDays, type DayPattern } from "./day-pattern.ts";

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
  /** Changes listed, and in how many days: how fast pages move down. Fading. */
  flow: { items: number; days: number };
  /** The usual number of days between two first pages; Infinity before there are two. */
  everyDays: number;
}

export interface Gap {
  from: number;
  to: number;
  /** Its next page; null if nothing more is expected there. */
  next: NextPage | null;
}

export interface NextPage {
  /** Its position in the list at the moment of the latest first page. */
  start: number;
  /** Pages of this gap read in a row. */
  pages: number;
  /** Unread items that it is expected to show. */
  expected: number;
}

export function isSameGap(a: Gap, b: Gap): boolean {
  return a.from === b.from && a.to === b.to && a.next?.start === b.next?.start;
}

/** Everything up to this moment is known, by a full scan. */
export function newReading(until: number): Reading {
  return { until, gaps: [], flow: { items: 0, days: 0 }, everyDays: Infinity };
}

/**
 * For a product checked at `since`: how long changes of it could have been listed and were not read, in active days
 * up to `at`. `recent`: since the latest first page; `missed`: in gaps.
 */
export function unreadDays(
  { until, gaps }: Reading,
  pattern: DayPattern,
  since: number,
  at: number,
): { recent: number; missed: number } {
  let missed = 0;
  for (const gap of gaps) {
    if (gap.to > since) missed += activeDays(pattern, Math.max(gap.from, since), gap.to);
  }
  return { recent: activeDays(pattern, Math.max(until, since), at), missed };
}

/** Active days after `since` in which any change would have been read. */
export function readDays(reading: Reading, pattern: DayPattern, since: number): number {
  const { missed } = unreadDays(reading, pattern, since, reading.until);
  return Math.max(0, activeDays(pattern, since, reading.until) - missed);
}

/** New products are among the changes: up to here none is unknown, but for those in gaps that nobody will read. */
export function readWithoutGapUntil({ until, gaps }: Reading): number {
  return Math.min(until, ...gaps.flatMap((gap) => (gap.next ? [gap.from] : [])));
}

/** What one page of the list has shown. */
export interface ReadPage {
  start: number;
  at: number;
  /** When its newest and its oldest item were modified; `-Infinity`: it ends the list. */
  newest: number;
  oldest: number;
  items: number;
  /** Its items that were new, or modified since they were last seen. */
  news: number;
  /** Unread items that were expected there, on this page and below it. */
  expected: number;
}

/** Clocks may differ by so much, in days. */
const SKEW = 2 / 1440;
const PAGE = 50;
/** Days after which the flow of changes is learned anew. */
const FLOW_MEMORY_DAYS = 1;
/** A flow seen for less time is doubted. */
const LEAST_FLOW_DAYS = 0.05;
const MOST_GAPS = 24;
/** Gaps that are read at a time. */
const MOST_READ = 4;
/** Shorter spans are as good as read. */
const SHORTEST_GAP = 1e-6;

/** `later`: its items modified after the page before; `reachesKnown`: it shows what had been read before. */
export function afterFirstPage(
  old: Reading,
  page: ReadPage & { later: number; reachesKnown: boolean },
): Reading {
  const days = Math.max(0, page.at - old.until);
  const isClosed = page.reachesKnown || page.oldest <= old.until - SKEW;
  const oldest = Math.min(page.at, Math.max(page.oldest, old.until));
  const keep = Math.exp(-days / FLOW_MEMORY_DAYS);
  const moved = old.gaps.map((gap) => movedDown(gap, isClosed ? page.later : page.items));
  const next = toNext(page.items, 1, Math.max(page.expected - PAGE, page.news / 2));
  return {
    until: page.at,
    gaps: shorten(isClosed ? moved : [{ from: old.until, to: oldest, next }, ...moved]),
    flow: {
      items: old.flow.items * keep + page.later,
      days: old.flow.days * keep + (isClosed ? days : page.at - oldest),
    },
    everyDays: Number.isFinite(old.everyDays) ? old.everyDays * 0.8 + days * 0.2 : days,
  };
}

/** A page of one gap; others become shorter too where it shows them. */
export function afterGapPage(old: Reading, read: Gap, page: ReadPage): Reading {
  const place = old.gaps.findIndex((gap) => isSameGap(gap, read));
  const { pages, expected } = read.next ?? { pages: 0, expected: 0 };
  const start = Math.max(0, page.start - sinceFirstPage(old, page.at)) + page.items;
  const isAbove = page.oldest > read.to;
  const isBelow = page.newest < read.from;
  const next = isBelow
    ? null
    : isAbove
      ? toNext(start, pages, expected / 2)
      : toNext(
          start,
          pages + 1,
          Math.max(
            Math.min(page.expected - PAGE, page.news),
            (page.news * (pages + 1)) / (pages + 2),
          ),
        );
  const gaps = old.gaps.flatMap((gap, i) => {
    if (i !== place) return without(i > place ? movedDown(gap, page.news) : gap, page);
    return without({ ...gap, next: null }, page).map((part) =>
      // What the page has left out above it is not read any more.
      part.from === read.from ? { ...part, next } : part,
    );
  });
  return { ...old, gaps: shorten(gaps) };
}

function toNext(start: number, pages: number, expected: number): NextPage | null {
  return expected >= 0.5 ? { start, pages, expected: Math.min(PAGE, expected) } : null;
}

function movedDown(gap: Gap, items: number): Gap {
  return gap.next ? { ...gap, next: { ...gap.next, start: gap.next.start + items } } : gap;
}

/** What a page leaves of a gap. */
function without(gap: Gap, { newest, oldest }: ReadPage): Gap[] {
  if (oldest >= gap.to || newest <= gap.from) return [gap];
  return [
    ...(newest < gap.to ? [{ ...gap, from: newest, next: null }] : []),
    ...(oldest > gap.from ? [{ ...gap, to: oldest }] : []),
  ];
}

/** Forgets the shortest gap, or joins the two nearest, until they are few enough; those being read are kept. */
function shorten(gaps: readonly Gap[]): Gap[] {
  let read = 0;
  const kept = gaps
    .filter((gap) => gap.to - gap.from > SHORTEST_GAP)
    .toSorted((a, b) => b.to - a.to)
    .map((gap) => (gap.next && ++read > MOST_READ ? { ...gap, next: null } : gap));
  while (kept.length > MOST_GAPS) {
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

/** Items that new changes have moved up since the latest first page; rather too few, so that no item is left out. */
function sinceFirstPage({ flow, until }: Reading, at: number): number {
  const moved = (flow.items / (flow.days + LEAST_FLOW_DAYS)) * Math.max(0, at - until);
  return Math.max(0, Math.floor(moved - Math.sqrt(moved)));
}

/** Where the next page of a gap begins now. */
export function nextStart(reading: Reading, next: NextPage, at: number): number {
  return next.start + sinceFirstPage(reading, at);
}
