import { sql } from "drizzle-orm";
import { toModifiedAt } from "../../catalog/observing/modified.ts";
import type { Observed } from "../../catalog/sighting.ts";
import { toDays } from "../scoring/days.ts";
import { clockBehind, toOurs, type ClockBehind } from "../scoring/clock-behind.ts";
import { type Gap, type ReadPage, unreadDays, type Reading } from "../scoring/reading.ts";
import { changeValue, type ItemStats } from "../scoring/scoring.ts";
import { hasChanged, isDifferent } from "../learning/schedules.ts";
import type { Answer } from "./keyword-call.ts";
import { countOwn } from "../scoring/yield.ts";
import { anyId } from "../../db/rows.ts";
import type { Tx } from "../../db/open.ts";
import type { Bumped, Scans } from "../../db/schema.ts";
import { countMissing } from "../scoring/absences.ts";
import { believedPart } from "../scoring/swings.ts";
import { activeDays, type WeekPattern } from "../scoring/week-pattern.ts";

export interface PageDescription {
  page: Omit<ReadPage, "expected">;
  /** When each of its items was modified, in days of ours, where the upstream's moment is plausible. */
  changes: { at: number; isNews: boolean; isChange: boolean }[];
  bumped: Bumped;
  /** Down to this moment of ours the list has been shown; `-Infinity`: it ends with this page. */
  lowest: number;
  /** It shows what had been read before. */
  reachesKnown: boolean;
  /** Nothing is left to read below it: of the gap, or of the whole list. */
  isDone: boolean;
  /** The weights of its new products, together. */
  createdWeight: number;
  /** The upstream's newest plausible `modified`: one in the far future would hide every later change. */
  highestModified: number | null;
}

/**
 * What one page of the list of newest changes tells. `reading`: before it; `led`: how many products stand at its head for
 * ever; `watermark`: the newest `modified` that was read before.
 */
export function describePage(
  answer: Answer,
  asked: {
    reading: Reading;
    gap: Gap | null;
    start: number;
    led: number;
    watermark: number | null;
    changedShare: number;
  },
): PageDescription {
  const { page, learned, exhausted } = answer;
  const { sentAt } = answer.sighting;
  const { gap, start, led } = asked;
  const at = toDays(sentAt);
  const plausible = page.items
    .map((item) => item.modified)
    .filter((modified) => toModifiedAt(modified, sentAt) !== null);
  const listed = learned.flatMap(({ observed }) => {
    const listedAt = momentOf(observed.modified, sentAt);
    return listedAt === null ? [] : [{ observed, listedAt, isNews: isNews(observed) }];
  });
  // What leads the list for ever, or cannot be read, tells nothing of what is below it.
  const isLed = led > 0 && led === start + page.items.length;
  const isMute = !exhausted && (isLed || page.items.length === 0);
  const readBehind = gap ? gap.behind : clockBehindOf(answer, asked);
  const behind = isMute ? undefined : readBehind;
  const changes = listed.map(({ observed, listedAt, ...one }) => ({
    ...one,
    at: toOurs(behind, listedAt),
    isChange: hasChanged(observed, asked.changedShare),
  }));
  const bumped = learned.filter(({ observed }) => observed.before !== null && isNews(observed));
  const news = learned.filter(({ observed }) => isNews(observed)).length;
  const created = learned.filter(({ observed }) => observed.fate === "created");
  const newest = Math.max(-Infinity, ...listed.map((one) => one.listedAt));
  const oldestListed = Math.min(newest, ...listed.map((one) => one.listedAt));
  const oldest = exhausted ? -Infinity : isMute ? at : oldestListed;
  const lowest = toOurs(behind, oldest);
  const reachesKnown = exhausted || (!isMute && reaches(plausible, asked.watermark, news));
  const isDone = gap ? (!isMute && news === 0) || lowest < gap.from : reachesKnown;
  return {
    page: {
      start,
      at,
      newest,
      // Without plausible moments the page says nothing of what is below it.
      oldest: changes.length === 0 && !isDone ? at : oldest,
      behind,
      items: page.items.length + page.broken.length,
      found: page.found,
      news,
      newsOfOldest: listed.filter((one) => one.isNews && one.listedAt === oldest).length,
      created: created.length,
    },
    changes,
    bumped: {
      all: bumped.length,
      changed: bumped.filter(({ observed }) => isDifferent(observed)).length,
    },
    lowest,
    reachesKnown,
    isDone,
    createdWeight: created.reduce((sum, { item }) => sum + item.weight, 0),
    highestModified: plausible.length > 0 ? Math.max(...plausible) : null,
  };
}

/** The sum over the changed and new items of what finding them now was worth. */
export function valueOfChanges(
  { sighting, learned }: Answer,
  {
    readUntil,
    changedShare,
    behind,
  }: { readUntil: number; changedShare: number; behind?: ClockBehind | undefined },
): number {
  const now = toDays(sighting.sentAt);
  let value = 0;
  for (const { observed, item } of learned) {
    if (observed.fate === "created") {
      const listedAt = momentOf(observed.modified, sighting.sentAt);
      const cameUp = listedAt === null ? (readUntil + now) / 2 : toOurs(behind, listedAt);
      value += item.weight * Math.max(0, Math.min(now, cameUp) - readUntil);
    } else if (observed.before && isNews(observed) && hasChanged(observed, changedShare)) {
      const since = Math.max(readUntil, toDays(observed.before.checkedAt));
      value += changeValue(item, now - since);
    }
  }
  return value;
}

/** When an item was modified, in days, by the upstream's clock; null: its number is no plausible moment. */
function momentOf(modified: number, now: Date): number | null {
  const at = toModifiedAt(modified, now);
  return at && toDays(at);
}

function clockBehindOf(
  { learned, sighting: { sentAt } }: Answer,
  { reading, watermark }: { reading: Reading; watermark: number | null },
): ClockBehind | undefined {
  const momentsOf = (modified: readonly number[]) =>
    modified.flatMap((one) => momentOf(one, sentAt) ?? []);
  const observed = learned.map((one) => one.observed);
  // Before its first page, what a full scan has shown of these products tells how far the list had come.
  const before = observed.flatMap((one) => one.before?.modified ?? []);
  const known = Math.max(...momentsOf(watermark === null ? before : [watermark]));
  if (!Number.isFinite(known)) return undefined;
  const news = momentsOf(observed.filter(isNews).map(({ modified }) => modified));
  return clockBehind({ news, known, until: reading.until, at: toDays(sentAt) });
}

function isNews({ before, modified }: Observed): boolean {
  return before === null || before.modified !== modified;
}

/**
 * Everything below the watermark was seen before, but for gaps. At the watermark itself more may have come (a
 * whole day's changes can have one moment).
 */
function reaches(plausible: readonly number[], watermark: number | null, news: number): boolean {
  const oldest = Math.min(Infinity, ...plausible);
  if (watermark === null || news === 0) return news === 0;
  return oldest < watermark;
}

/** An upstream's clock is not so far ahead. */
const yearMs = 365 * 86_400_000;
/** Of the sampled products so many are looked at. */
const lookedAt = 50;

/**
 * Positions at the top of the list whose `modified` lies far in the future, so that no change comes above them; 0 where
 * a page from their end on shows none of them any more, or where no other `modified` tells a moment.
 */
export async function countLed(
  tx: Tx,
  { page, sighting: { sentAt } }: Answer,
  { start, sample }: { start: number; sample: readonly ItemStats[] },
): Promise<number> {
  const isTold = (modified: number) => toModifiedAt(modified, sentAt) !== null;
  const latest = sentAt.getTime() + yearMs;
  const leading = page.items.filter(
    ({ modified }) => modified * 1000 > latest && !isTold(modified),
  ).length;
  if (leading === 0) return 0;
  if (leading === page.items.length) {
    const ids = sample.slice(0, lookedAt).map(({ itemId }) => itemId);
    const others = await tx.execute<{ modified: number }>(sql`
      select modified from product where item_id = ${anyId(ids)}`);
    if (!others.some(({ modified }) => isTold(modified))) return 0;
  }
  return start + leading;
}

/** What a page has shown of a keyword's newest changes, and the reading after it. */
export interface ListedPage {
  reading: Reading;
  pattern: WeekPattern;
  /** It was read for what was modified between these moments; its lowest item was at `lowest`. */
  from: number;
  to: number;
  lowest: number;
  behind?: ClockBehind | undefined;
  /** Some of the keyword's own products; none: it is unknown when they were checked. */
  sample: readonly ItemStats[];
}

/** Products are counted when so much of the list was read since the last count. */
const leastRead = 0.3;

/**
 * How many of the keyword's own products are deleted that nobody has noticed. New products in parts of the list that
 * were not read are expected to be as many as in those that were.
 */
export function countAbsences(answer: Answer, page: ListedPage): Pick<Scans, "absences"> {
  const { scans, deleted, sighting } = answer;
  const { found } = answer.page;
  const { absences } = scans;
  const { reading, sample } = page;
  const read = absences ? readShare(answer, page, absences.at) : 1;
  const born = absences ? absences.born + countBorn(answer, page, absences.at) : 0;
  if (sample.length === 0 || read < leastRead) {
    return absences ? { absences: { ...absences, born } } : {};
  }
  const at = toDays(sighting.sentAt);
  const own = countOwn(scans, found);
  const days = sample.reduce((sum, { checkedAt }) => sum + Math.max(0, at - checkedAt), 0);
  const productDays = (own / sample.length) * days;
  const old = absences ? { ...absences, born: expectBorn(born, read) } : null;
  // What comes up after its latest first page is still to be listed.
  const believed = believedPart(scans.swings);
  const now = { found, deleted, own, productDays, read, believed, at: reading.until };
  return { absences: countMissing(old, now) };
}

/**
 * Of the time since a moment: in how much of it new products would have been shown. Below a page that shows no news,
 * other keywords may have shown some.
 */
function readShare({ learned, queryId }: Answer, page: ListedPage, since: number): number {
  const { reading, pattern, from, lowest } = page;
  const all = activeDays(pattern, since, reading.until);
  const { missed } = unreadDays(reading, pattern, since, reading.until);
  const isOwn = learned.every((one) => one.queryId === queryId);
  const below = isOwn ? 0 : activeDays(pattern, Math.max(from, since), lowest);
  return all > 1e-9 ? 1 - (missed + below) / all : 0;
}

/** Its products that have appeared since the last count and were not listed before. */
function countBorn(
  { learned, sighting }: Answer,
  { from, to, behind }: ListedPage,
  since: number,
): number {
  return learned.filter(({ appearedAt, observed }) => {
    const listedAt = momentOf(observed.modified, sighting.sentAt);
    if (appearedAt === null || listedAt === null || appearedAt <= since) return false;
    const at = toOurs(behind, listedAt);
    return at > from && at <= to;
  }).length;
}

/** Of so many that the read share of the list has shown; rather too few, so that none seems to be missing that never was. */
function expectBorn(born: number, read: number): number {
  const unread = born * (1 / read - 1);
  return born + Math.max(0, unread - Math.sqrt(unread / read));
}
