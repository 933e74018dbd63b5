import { sql } from "drizzle-orm";
import type { Db } from "../../db/open.ts";
import { randomRows } from "../../db/sample.ts";
import { readCounts } from "../counts.ts";

export interface FreshnessBand {
  /** Oldest age in the band, in seconds; null: no bound. */
  upToSeconds: number | null;
  products: number;
}

const bounds = [3600, 6 * 3600, 86_400, 3 * 86_400, 7 * 86_400, 30 * 86_400];

/** Counts products that are not deleted by the time since they were last verified. Every band has a row. */
export async function readFreshnessBands(db: Db, now: Date): Promise<FreshnessBand[]> {
  const { younger, products } = await countYounger(db, now);
  const upTo = [...younger, products];
  return [...bounds, null].map((upToSeconds, band) => ({
    upToSeconds,
    products: (upTo[band] ?? 0) - (upTo[band - 1] ?? 0),
  }));
}

export interface FreshnessDay {
  /** A day in the marketplace's calendar. */
  day: string;
  /** The share of the products known at the end of the day, 0 to 1. */
  checkedWithinDay: number;
  /** Seconds since products had last been verified at the end of the day. */
  p50Seconds: number;
  p95Seconds: number;
}

/** A random sample, so that the query costs the same for every size of catalogue. */
const sampleSize = 1000;

/**
 * How fresh the catalogue was at the end of each of the last `days` days, oldest first; for today, how
 * fresh it is now. Estimated from the confirmations of a sample. Days before the first product are
 * left out.
 */
export async function readFreshnessDays(db: Db, now: Date, days: number): Promise<FreshnessDay[]> {
  const at = now.toISOString();
  return db.execute<FreshnessDay & Record<string, unknown>>(sql`
    with ends as (
      select d::date::text as day,
        least(((d::date + 1)::timestamp at time zone m.timezone), ${at}::timestamptz) as ends
      from analytics.marketplace m, generate_series(
        (${at}::timestamptz at time zone m.timezone)::date - ${days - 1}::int,
        (${at}::timestamptz at time zone m.timezone)::date, interval '1 day') d
    ), sample as (
      select item_id, first_seen_at, deleted_at from ${randomRows("product", 4 * sampleSize)} p
      order by random() limit ${sampleSize}
    ), moments as (
      select c.item_id, m.at
      from sample s join confirmation c using (item_id), unnest(c.moments) as m(at)
      where c.month >= date_trunc('month', ${at}::timestamptz - make_interval(days => ${days + 45}))::date
    ), ages as (
      select e.day, s.item_id,
        extract(epoch from e.ends - max(coalesce(m.at, s.first_seen_at)))::float8 as age
      from ends e
      join sample s on s.first_seen_at < e.ends and (s.deleted_at is null or s.deleted_at > e.ends)
      left join moments m on m.item_id = s.item_id and m.at <= e.ends
      group by e.day, e.ends, s.item_id
    )
    select day, (count(*) filter (where age <= 86400))::float8 / count(*) as "checkedWithinDay",
      percentile_cont(0.5) within group (order by age) as "p50Seconds",
      percentile_cont(0.95) within group (order by age) as "p95Seconds"
    from ages group by day order by day`);
}

const hourS = 3600;

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
  const seconds = await readSeconds(db, new Set(places.map(({ hour }) => hour)));
  return places.map(({ hour, rank }) => {
    let left = rank;
    let found = hour * hourS;
    for (const { at, n } of seconds.get(hour) ?? []) {
      found = at;
      left -= n;
      if (left <= 0) break;
    }
    return Math.max(0, now.getTime() / 1000 - found);
  });
}

/** How many products were verified less than so many seconds before `now`, for each of `bounds`; to the second. */
async function countYounger(db: Db, now: Date): Promise<{ younger: number[]; products: number }> {
  const hours = await readHours(db);
  const since = bounds.map((seconds) => now.getTime() / 1000 - seconds);
  const seconds = await readSeconds(db, new Set(since.map((at) => Math.floor(at / hourS))));
  const sum = (counts: readonly At[], isCounted: (at: number) => boolean) =>
    counts.reduce((total, { at, n }) => total + (isCounted(at) ? n : 0), 0);
  return {
    younger: since.map((moment) => {
      const hour = Math.floor(moment / hourS);
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
  return inOrder(await readCounts(db, ["checked_hour"]));
}

/** By hour, youngest first. */
async function readSeconds(db: Db, hours: ReadonlySet<number>): Promise<Map<number, At[]>> {
  const names = new Map([...hours].map((hour) => [hour, `checked_second ${hour}`]));
  const counts = await readCounts(db, [...names.values()]);
  const ofName = (name: string) => inOrder(counts.filter((count) => count.name === name));
  return new Map([...names].map(([hour, name]) => [hour, ofName(name)]));
}

function inOrder(counts: readonly { key: string; n: number }[]): At[] {
  return counts.map(({ key, n }) => ({ at: Number(key), n })).toSorted((a, b) => b.at - a.at);
}

export interface CatalogStatus {
  products: { live: number; missing: number; gone: number };
  shops: number;
  /** Seconds since products that are not deleted were last verified, at most 1 s too much; null if there are none. */
  freshness: { p50Seconds: number; p95Seconds: number; oldestSeconds: number } | null;
  quarantined: number;
  heldDeletions: number;
}

/** From kept counts: costs the same for every size of catalogue. */
export async function readCatalogStatus(db: Db, now: Date): Promise<CatalogStatus> {
  const [counts, ages] = await Promise.all([
    readCounts(db, ["state", "table"]),
    readPercentiles(db, now, [0.5, 0.95, 1]),
  ]);
  const count = (name: string, key: string) =>
    counts.find((one) => one.name === name && one.key === key)?.n ?? 0;
  const [p50Seconds = 0, p95Seconds = 0, oldestSeconds = 0] = ages ?? [];
  return {
    products: {
      live: count("state", "live"),
      missing: count("state", "missing"),
      gone: count("state", "gone"),
    },
    shops: count("table", "shop"),
    freshness: ages && { p50Seconds, p95Seconds, oldestSeconds },
    quarantined: count("table", "quarantine"),
    heldDeletions: count("table", "held_deletion"),
  };
}
