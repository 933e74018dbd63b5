import { BATCH } from "./scoring.ts";

/**
 * The changes of a keyword that are not read yet. They are read from the end that is known: newer changes only push
 * the others down, so a page whose last products are known shows up to 50 changes that nobody has seen, while a
 * scan from the newest change downwards would meet on each page what came since the page before. All moments are
 * days since the epoch.
 */
export interface Backlog {
  /** Products above the watermark at `at`, when the last scan ended. */
  items: number;
  at: number;
  /** The last of those at the watermark's own moment that was read; null: all were. */
  itemId: number | null;
  /** Products that came above the watermark, and the days in which they came; fading. */
  came: number;
  days: number;
  /** At which hours of the day (UTC) they changed; fading. */
  hours: readonly number[];
  /** How far off expectations were: squares, and the products that were expected; fading. */
  errors: number;
  expected: number;
}

/** What is learned fades with this time constant, in days. */
const MEMORY_DAYS = 10;
/** How fast changes come is learned from about so many of the latest scans. */
const MEMORY_SCANS = 10;
/** Hours are believed to differ once the changes of more days than these were seen, and of more than so many. */
const ALIKE_DAYS = 2;
const ALIKE_CHANGES = 24;
/** Above this ratio of squared errors to what was expected, changes come in bursts: none is expected before it is seen. */
const BURSTY = 8;
/** One scan counts at most with this ratio: a single wrong count makes no burst. */
const MOST_ERROR = 16;

/** Changes that must have been seen before expectations of further ones are judged. */
const KNOWN_FROM = 20;

const HOURS = 24;

/** Before the first scan that met known products: one change a day. */
export function emptyBacklog(at: number): Backlog {
  const none = Array.from({ length: HOURS }, () => 0);
  return {
    items: 0,
    at,
    itemId: null,
    came: 0.1,
    days: 0.1,
    hours: none,
    errors: 0,
    expected: 0,
  };
}

/** Days between two moments, those counting more in whose hours more products change: a whole day counts 1. */
export function busyDays({ hours, came, days: inDays }: Backlog, from: number, to: number): number {
  const days = Math.max(0, to - from);
  const whole = Math.floor(days);
  const total = hours.reduce((sum, one) => sum + one, 0);
  const alike = Math.max(ALIKE_CHANGES, (ALIKE_DAYS * came) / inDays);
  const shareOf = (hour: number) => ((hours[hour % HOURS] ?? 0) + alike / HOURS) / (total + alike);
  let busy = whole;
  let at = (from + whole) * HOURS;
  const end = to * HOURS;
  while (at < end) {
    const next = Math.min(end, Math.floor(at) + 1);
    busy += (next - at) * shareOf(Math.floor(at));
    at = next;
  }
  return busy;
}

/** Products expected to have come since `at`, of those that the keyword finds; none if they come in bursts. */
function expectNew(backlog: Backlog, at: number, now: number, found: number): number {
  return isBursty(backlog) ? 0 : expectRegular(backlog, at, now, found);
}

function expectRegular(backlog: Backlog, at: number, now: number, found: number): number {
  const { items, came, days } = backlog;
  const others = Math.max(1, found - items);
  // A product that changes twice stands in the list once.
  return others * -Math.expm1(((-came / days) * busyDays(backlog, at, now)) / others);
}

/** How many products are expected to be unread, at their mean rate if they come in bursts. */
export function expectUnread(backlog: Backlog, now: number, found: number): number {
  return backlog.items + expectRegular(backlog, backlog.at, now, found);
}

/** How far off so many expected products usually are: by chance, and because their rate is only estimated. */
function spreadOf({ came }: Backlog, more: number): number {
  return Math.sqrt(more + (more * more) / came);
}

export function isBursty({ errors, expected }: Backlog): boolean {
  return errors > BURSTY * expected;
}

/**
 * Where a scan begins: a page before the watermark, or at the newest change if one page shows all. To begin too near
 * to the newest change costs another page, to begin too far from it costs the page.
 */
export function firstPosition(backlog: Backlog, now: number, found: number): number {
  const more = expectNew(backlog, backlog.at, now, found);
  return Math.max(0, Math.ceil(backlog.items + more + spreadOf(backlog, more)) - BATCH);
}

/** How far newer changes push the list of a scan down between two of its pages. */
export interface Push {
  /** Places, since the first page of the scan. */
  places: number;
  perDay: number;
}

/** Before the second page of a scan: as the rate of changes lets one expect. */
export function firstPush(backlog: Backlog): Push {
  return { places: 0, perDay: isBursty(backlog) ? 0 : backlog.came / backlog.days };
}

/** The places that a scan may leave out, because they show again what its last page showed. */
export function placesToSkip({ perDay }: Push, days: number): number {
  const places = perDay * days;
  return Math.max(0, Math.floor(places - 2 * Math.sqrt(places) - 1));
}

/** A further page of a scan began with `repeated` products of the page before, after `skipped` places were left out. */
export function afterPush(
  old: Push,
  page: { repeated: number; skipped: number; days: number; daysInAll: number },
): Push {
  const more = page.repeated + page.skipped;
  const places = old.places + more;
  // A page that shows nothing else does not tell by how much more it was pushed.
  const isAll = page.repeated >= BATCH;
  const perDay = isAll ? 1.5 * Math.max(old.perDay, more / page.days) : places / page.daysInAll;
  return { places, perDay };
}

export interface FeedScan {
  /** Products above the watermark of before, counted or guessed; at most so many if the scan read none of them. */
  above: number;
  isCounted: boolean;
  /** What it has read: of these products, the newest that it has left, and the last one at the new watermark. */
  read: { left: number; itemId: number | null } | null;
  endedAt: number;
  /** When the products that it has read were modified. */
  modifiedAt: readonly number[];
  found: number;
}

export function afterFeedScan(old: Backlog, scan: FeedScan): Backlog {
  const passed = Math.max(1e-4, scan.endedAt - old.at);
  const keep = Math.exp(-passed / MEMORY_DAYS);
  const keepFew = Math.min(keep, Math.max(1 - 1 / MEMORY_SCANS, Math.exp(-passed / 2)));
  const hours = old.hours.map((one) => one * keep);
  for (const at of scan.modifiedAt) {
    const hour = Math.floor((at - Math.floor(at)) * HOURS);
    hours[hour] = (hours[hour] ?? 0) + 1;
  }
  const left = scan.read
    ? scan.read.left
    : Math.min(old.items, Math.max(0, scan.above - BATCH / 2));
  const position = {
    items: left,
    at: scan.endedAt,
    itemId: scan.read === null ? old.itemId : left > 0 ? scan.read.itemId : null,
  };
  const news = Math.max(0, scan.above - old.items);
  const learnt = {
    came: old.came * keepFew + news,
    days: old.days * keepFew + passed,
    hours,
  };
  // While little is known, an expectation says nothing about bursts.
  if (!scan.isCounted || old.came < KNOWN_FROM) return { ...old, ...position, ...learnt };
  const expected = expectRegular(old, old.at, scan.endedAt, scan.found);
  const error = Math.min((news - expected) ** 2, MOST_ERROR * Math.max(1, expected));
  return {
    ...position,
    ...learnt,
    errors: old.errors * keepFew + error,
    expected: old.expected * keepFew + Math.max(1, expected),
  };
}

/** How many products of a page stand above the watermark; the page is in the order of the list. */
export function countAbove(
  page: readonly { modified: number; itemId: number }[],
  watermark: number | null,
  watermarkId: number | null,
): number {
  if (watermark === null) return page.length;
  const known = page.findIndex(
    ({ modified, itemId }) =>
      modified < watermark ||
      (modified === watermark && watermarkId !== null && itemId <= watermarkId),
  );
  return known < 0 ? page.length : known;
}
