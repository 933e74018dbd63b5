/**
 * When during a day a keyword's products change, in UTC hours: shops often change their prices at one moment of the
 * day. Between changes, time passes in active days: an hour counts as much as the share of a day's changes that it has.
 */
export interface DayPattern {
  /** Share of a day's changes before each hour, 0 to 24. */
  before: readonly number[];
}

const HOURS = 24;
/** This share of the changes is expected at any time, whatever was seen. */
const ANY_TIME = 0.1;
/** The hours of all keywords together weigh as much as so many counts of the keyword's own. */
const SHARED_WEIGHT = 10;

const sum = (counts: readonly number[]) => counts.reduce((all, one) => all + one, 0);

/** `own`: of the keyword (`countHours`); `all`: of all keywords together. Both may be empty. */
export function toDayPattern(own: readonly number[], all: readonly number[]): DayPattern {
  const ownSum = sum(own);
  const allSum = sum(all);
  const before = [0];
  let seen = 0;
  for (let hour = 0; hour < HOURS; hour += 1) {
    const usual = ((all[hour] ?? 0) + 1) / (allSum + HOURS);
    const share = ((own[hour] ?? 0) + SHARED_WEIGHT * usual) / (ownSum + SHARED_WEIGHT);
    seen += (1 - ANY_TIME) * share + ANY_TIME / HOURS;
    before.push(seen);
  }
  return { before };
}

/** Changes are as likely at any hour. */
export const evenDay = toDayPattern([], []);

function activeUntil({ before }: DayPattern, at: number): number {
  const day = Math.floor(at);
  const hours = (at - day) * HOURS;
  const hour = Math.min(HOURS - 1, Math.floor(hours));
  const from = before[hour] ?? 0;
  return day + from + (hours - hour) * ((before[hour + 1] ?? 1) - from);
}

/** Active days from one moment (days since the epoch) to another; 0 if it is not later. */
export function activeDays(pattern: DayPattern, from: number, to: number): number {
  return to > from ? Math.max(0, activeUntil(pattern, to) - activeUntil(pattern, from)) : 0;
}

/** Old counts fade by this factor with every page that shows changes. */
const KEEP = 0.99;

/**
 * Adds the moments of the changes that a page showed (days since the epoch). Of one hour of one day the square root of
 * their number counts: a thousand changes at once happened once.
 */
export function countHours(old: readonly number[], moments: readonly number[]): number[] {
  const byHour = new Map<number, number>();
  for (const moment of moments) {
    const hour = Math.floor(moment * HOURS);
    byHour.set(hour, (byHour.get(hour) ?? 0) + 1);
  }
  const counts = Array.from({ length: HOURS }, (_, hour) => (old[hour] ?? 0) * KEEP);
  for (const [hour, count] of byHour) {
    const ofDay = ((hour % HOURS) + HOURS) % HOURS;
    counts[ofDay] = (counts[ofDay] ?? 0) + Math.sqrt(count);
  }
  return counts;
}
