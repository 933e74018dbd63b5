import type { Db } from "../db/open.ts";
import { readCounts } from "./counts.ts";

const HOUR = 3600;

/**
 * Seconds since products that are not deleted were last verified: for each share (0 to 1) the age that so many of
 * them do not exceed, at most 1 s too much; null without products. From the counts of checks by hour, and
 * by second for the hours in question, so it costs the same for every size of catalogue.
 */
export async function readPercentiles(
  db: Db,
  now: Date,
  shares: readonly number[],
): Promise<number[] | null> {
  const hours = await readHours(db);
  const products = hours.reduce((sum, { n }) => sum + n, 0);
  if (products <= 0) return null;
  const places = shares.map((share) => {
    let rank = Math.max(1, Math.ceil(share * products));
    for (const { at, n } of hours) {
      if (rank <= n) return { hour: at, rank };
      rank -= n;
    }
    return { hour: hours.at(-1)?.at ?? 0, rank: Infinity };
  });
  const seconds = await readSeconds(
    db,
    places.map(({ hour }) => hour),
  );
  return places.map(({ hour, rank }) => {
    let left = rank;
    let found = hour * HOUR;
    for (const { at, n } of seconds.get(hour) ?? []) {
      found = at;
      left -= n;
      if (left <= 0) break;
    }
    return Math.max(0, now.getTime() / 1000 - found);
  });
}

/** How many products were verified less than so many seconds before `now`, for each bound; to the second. */
export async function countYounger(
  db: Db,
  now: Date,
  bounds: readonly number[],
): Promise<{ younger: number[]; products: number }> {
  const hours = await readHours(db);
  const since = bounds.map((seconds) => now.getTime() / 1000 - seconds);
  const seconds = await readSeconds(
    db,
    since.map((moment) => Math.floor(moment / HOUR)),
  );
  const sum = (counts: readonly At[], isCounted: (at: number) => boolean) =>
    counts.reduce((total, { at, n }) => total + (isCounted(at) ? n : 0), 0);
  return {
    younger: since.map((moment) => {
      const hour = Math.floor(moment / HOUR);
      return sum(hours, (at) => at > hour) + sum(seconds.get(hour) ?? [], (at) => at > moment);
    }),
    products: sum(hours, () => true),
  };
}

interface At {
  /** Hours or seconds since 1970. */
  at: number;
  n: number;
}

/** Youngest first. */
async function readHours(db: Db): Promise<At[]> {
  const counts = await readCounts(db, ["checked_hour"]);
  return inOrder(counts);
}

/** By hour, youngest first. */
async function readSeconds(db: Db, hours: readonly number[]): Promise<Map<number, At[]>> {
  const names = [...new Set(hours)].map((hour) => `checked_second ${hour}`);
  const counts = await readCounts(db, names);
  return new Map(
    hours.map((hour) => [hour, inOrder(counts.filter((c) => c.name === `checked_second ${hour}`))]),
  );
}

function inOrder(counts: readonly { key: string; n: number }[]): At[] {
  return counts.map(({ key, n }) => ({ at: Number(key), n })).toSorted((a, b) => b.at - a.at);
}
