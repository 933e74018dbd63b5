import { toModifiedAt } from "../../catalog/observing/modified.ts";
import type { Scans } from "../../db/schema.ts";
import { countMissing } from "../scoring/absences.ts";
import { activeDays, type DayPattern } from "../scoring/day-pattern.ts";
import { toDays } from "../scoring/days.ts";
import { unreadDays, type Reading } from "../scoring/reading.ts";
import type { ItemStats } from "../scoring/scoring.ts";
import { countOwn, type Answer } from "./keyword-call.ts";

/** What a page has shown of a keyword's newest changes, and the reading after it. */
export interface ListedPage {
  reading: Reading;
  pattern: DayPattern;
  /** It was read for what was modified between these moments; its lowest item was at `lowest`. */
  from: number;
  to: number;
  lowest: number;
  /** Some of the keyword's own products; none: it is unknown when they were checked. */
  sample: readonly ItemStats[];
}

/** Products are counted when so much of the list was read since the last count. */
const LEAST_READ = 0.3;

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
  if (sample.length === 0 || read < LEAST_READ) {
    return absences ? { absences: { ...absences, born } } : {};
  }
  const at = toDays(sighting.sentAt);
  const own = countOwn(scans, found);
  const days = sample.reduce((sum, { checkedAt }) => sum + Math.max(0, at - checkedAt), 0);
  const productDays = (own / sample.length) * days;
  const old = absences ? { ...absences, born: expectBorn(born, read) } : null;
  // What comes up after its latest first page is still to be listed.
  const now = { found, deleted, own, productDays, read, at: reading.until };
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
function countBorn({ learned, sighting }: Answer, { from, to }: ListedPage, since: number): number {
  return learned.filter(({ appearedAt, observed }) => {
    const modifiedAt = toModifiedAt(observed.modified, sighting.sentAt);
    if (appearedAt === null || modifiedAt === null || appearedAt <= since) return false;
    return toDays(modifiedAt) > from && toDays(modifiedAt) <= to;
  }).length;
}

/** Of so many that the read share of the list has shown; rather too few, so that none seems to be missing that never was. */
function expectBorn(born: number, read: number): number {
  const unread = born * (1 / read - 1);
  return born + Math.max(0, unread - Math.sqrt(unread / read));
}
