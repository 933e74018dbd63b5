import { countEach } from "../../lib/collect.ts";

/**
 * When during a week a keyword's products change, in UTC: shops often change their prices on one day of the week, at one
 * moment of the day. Between changes, time passes in active days: an hour counts as much as the share of a week's
 * changes that it has, and a whole week is 7 active days.
 */
export interface WeekPattern {
  /** Share of a week's changes before each weekday, 0 to 7; a week begins like the epoch, on a Thursday. */
  days: readonly number[];
  /** Share of a day's changes before each hour, 0 to 24. */
  hours: readonly number[];
}

/** When changes were seen; all counts fade. */
export interface ChangeMoments {
  /** Changes by the hour of the day. */
  hours: readonly number[];
  /** Changes by the day of the week. */
  weekdays: readonly number[];
  /** For how many days changes of each hour, and of each weekday, would have been seen. */
  readHours: readonly number[];
  readWeekdays: readonly number[];
  /** The sum of the squares of the numbers of changes of each date: it tells of how many dates they are. */
  squares: number;
  /** The last date, in days since the epoch, and the changes seen on it. */
  latest: { day: number; items: number };
}

const hoursPerDay = 24;
const daysPerWeek = 7;
/** This share of the changes is expected at any time, whatever was seen. */
const anyTime = 0.1;
/** The hours of all keywords together weigh as much as so many counts of the keyword's own. */
const sharedWeight = 10;
/** So many times the differences that chance makes between the weekdays of dates are none. */
const chance = 2;

const even = (length: number, each: number) => Array.from({ length }, () => each);

export const noMoments: ChangeMoments = {
  hours: even(hoursPerDay, 0),
  weekdays: even(daysPerWeek, 0),
  readHours: even(hoursPerDay, 0),
  readWeekdays: even(daysPerWeek, 0),
  squares: 0,
  latest: { day: 0, items: 0 },
};

const sum = (counts: readonly number[]) => counts.reduce((all, one) => all + one, 0);

/**
 * The share of the changes that each hour or weekday has, whatever part of it was read; drawn towards the `usual` share
 * by so many counts.
 */
function sharesOf(
  counts: readonly number[],
  read: readonly number[],
  usual: readonly number[],
  weight: number,
): readonly number[] {
  const all = sum(counts);
  const days = sum(read);
  if (!(all > 0 && days > 0)) return usual;
  const doubtDays = (weight * days) / (all * counts.length);
  const rates = counts.map(
    (count, i) => (count + weight * (usual[i] ?? 0)) / ((read[i] ?? 0) + doubtDays),
  );
  const sumOfRates = sum(rates);
  return rates.map((rate) => rate / sumOfRates);
}

/** On how many dates its changes were seen: one on which most changed counts once, however many they are. */
function datesOf({ weekdays, squares }: ChangeMoments): number {
  const items = sum(weekdays);
  return squares > 0 ? Math.min(items, items ** 2 / squares) : 0;
}

/** What the moments of several keywords have in common. Changes of one date may be one event for all of them. */
export interface SharedMoments {
  /** Shares of a day's changes. */
  hours: readonly number[];
  /** Shares of a week's changes, seen on so many dates. */
  weekdays: readonly number[];
  dates: number;
}

export function shareMoments(all: readonly ChangeMoments[]): SharedMoments {
  const hours = Array.from(noMoments.hours);
  const read = Array.from(noMoments.readHours);
  const weekdays = Array.from(noMoments.weekdays);
  let dates = 0;
  for (const one of all) {
    const own = datesOf(one);
    dates = Math.max(dates, own);
    addTo(hours, one.hours);
    addTo(read, one.readHours);
    addTo(
      weekdays,
      weekdayShares(one, evenDays).map((share) => own * share),
    );
  }
  const allDates = sum(weekdays);
  return {
    hours: sharesOf(hours, read, evenHours, hoursPerDay),
    weekdays: allDates > 0 ? weekdays.map((count) => count / allDates) : evenDays,
    dates,
  };
}

function addTo(sums: number[], counts: readonly number[]): void {
  for (const [i, count] of counts.entries()) sums[i] = (sums[i] ?? 0) + count;
}

const weekdayShares = ({ weekdays, readWeekdays }: ChangeMoments, usual: readonly number[]) =>
  sharesOf(weekdays, readWeekdays, usual, 1);

export function toWeekPattern(own: ChangeMoments, all: SharedMoments): WeekPattern {
  const hours = sharesOf(own.hours, own.readHours, all.hours, sharedWeight);
  const usual = believed(all.weekdays, all.dates, evenDays);
  const weekdays = believed(weekdayShares(own, usual), datesOf(own), usual);
  return { days: before(weekdays), hours: before(hours) };
}

const evenHours = even(hoursPerDay, 1 / hoursPerDay);
const evenDays = even(daysPerWeek, 1 / daysPerWeek);

/** The shares of weekdays that were counted on so many dates, as far as they differ from the `usual` ones beyond chance. */
function believed(shares: readonly number[], dates: number, usual: readonly number[]): number[] {
  const differences = usual.map((share, day) => (shares[day] ?? 0) - share);
  const squares = sum(differences.map((one) => one ** 2));
  const byChance = (1 - 1 / daysPerWeek) / dates;
  const belief = dates > 0 && squares > 0 ? Math.max(0, 1 - (chance * byChance) / squares) : 0;
  return usual.map((share, day) => share + belief * (differences[day] ?? 0));
}

/** The sums of the shares before each place, 0 to 1. */
function before(shares: readonly number[]): number[] {
  const all = sum(shares);
  const sums = [0];
  for (const share of shares) sums.push((sums.at(-1) ?? 0) + share / all);
  return sums;
}

/** Changes are as likely at any hour. */
export const evenWeek = toWeekPattern(noMoments, shareMoments([]));

/** Active days before an hour of the week, 0 to 168; hours may be parts. */
function activeInWeek({ days, hours }: WeekPattern, at: number): number {
  const day = Math.min(daysPerWeek - 1, Math.floor(at / hoursPerDay));
  const ofDay = at - day * hoursPerDay;
  const hour = Math.min(hoursPerDay - 1, Math.floor(ofDay));
  const share = between(hours, hour, ofDay - hour);
  const ofWeek = between(days, day, share);
  return daysPerWeek * ((1 - anyTime) * ofWeek + (anyTime * at) / (daysPerWeek * hoursPerDay));
}

function between(sums: readonly number[], place: number, part: number): number {
  const from = sums[place] ?? 0;
  return from + part * ((sums[place + 1] ?? 1) - from);
}

function activeUntil(pattern: WeekPattern, at: number): number {
  const week = Math.floor(at / daysPerWeek);
  return daysPerWeek * week + activeInWeek(pattern, (at - week * daysPerWeek) * hoursPerDay);
}

/** Active days from one moment (days since the epoch) to another; 0 if it is not later. */
export function activeDays(pattern: WeekPattern, from: number, to: number): number {
  return to > from ? Math.max(0, activeUntil(pattern, to) - activeUntil(pattern, from)) : 0;
}

/** The moment at which so many active days have passed since another one. */
export function afterActiveDays(pattern: WeekPattern, from: number, days: number): number {
  if (!(days > 0)) return from;
  if (!Number.isFinite(days)) return Infinity;
  const until = activeUntil(pattern, from) + days;
  const week = Math.floor(until / daysPerWeek);
  const rest = until - week * daysPerWeek;
  let low = 0;
  let high = daysPerWeek * hoursPerDay;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (activeInWeek(pattern, middle) <= rest) low = middle;
    else high = middle;
  }
  const start = activeInWeek(pattern, low);
  const part = (rest - start) / Math.max(1e-12, activeInWeek(pattern, low + 1) - start);
  return Math.max(from, daysPerWeek * week + (low + Math.min(1, part)) / hoursPerDay);
}

/** Old counts fade by this factor with every page that shows changes. */
const keep = 0.99;

/**
 * Adds the moments of the changes that a page showed (days since the epoch), all those of a span. Of one hour of one day
 * the square root of their number counts: a thousand changes at once happened once.
 */
export function addMoments(
  old: ChangeMoments,
  changes: readonly number[],
  { from, to }: { from: number; to: number },
): ChangeMoments {
  const moments = changes.filter((moment) => moment >= from && moment <= to);
  const fade = (counts: readonly number[]) => counts.map((count) => count * keep);
  const hours = fade(old.hours);
  const weekdays = fade(old.weekdays);
  const readHours = fade(old.readHours);
  const readWeekdays = fade(old.readWeekdays);
  addSpan(readHours, from * hoursPerDay, to * hoursPerDay, 1 / hoursPerDay);
  addSpan(readWeekdays, from, to, 1);
  let squares = old.squares * keep ** 2;
  let { latest } = old;
  for (const [hour, count] of countEach(
    moments.map((moment) => Math.floor(moment * hoursPerDay)),
  )) {
    const ofDay = cyclic(hour, hoursPerDay);
    hours[ofDay] = (hours[ofDay] ?? 0) + Math.sqrt(count);
  }
  const dates = [...countEach(moments.map(Math.floor))].sort(([a], [b]) => a - b);
  for (const [day, count] of dates) {
    const before = day === latest.day ? latest.items : 0;
    squares += (before + count) ** 2 - before ** 2;
    if (day >= latest.day) latest = { day, items: before + count };
    const weekday = cyclic(day, daysPerWeek);
    weekdays[weekday] = (weekdays[weekday] ?? 0) + count;
  }
  return { hours, weekdays, readHours, readWeekdays, squares, latest };
}

const cyclic = (index: number, length: number) => ((index % length) + length) % length;

/** Adds to each of the repeating slots of one unit how many `days` it has of a span given in such units. */
function addSpan(slots: number[], from: number, to: number, days: number): void {
  const rounds = Math.max(0, Math.floor((to - from) / slots.length));
  for (const i of slots.keys()) slots[i] = (slots[i] ?? 0) + rounds * days;
  for (let at = from + rounds * slots.length; at < to; at = Math.floor(at) + 1) {
    const slot = cyclic(Math.floor(at), slots.length);
    slots[slot] = (slots[slot] ?? 0) + (Math.min(to, Math.floor(at) + 1) - at) * days;
  }
}
