import { sql } from "drizzle-orm";
import { countLiving } from "../../catalog/counts.ts";
import type { Db } from "../../db/open.ts";
import { toDays } from "../scoring/days.ts";
import type { CrawlQuery } from "../learning/keywords.ts";
import type { PlannerState } from "../learning/planner-state.ts";
import { saveScannedDays, toScannedDays } from "../learning/scanned-days.ts";
import { readTraits } from "../learning/trait-counts.ts";
import { readFill, readSample } from "../learning/statistics.ts";
import { nextScanPlanAt, planScans, type Followed } from "../scoring/scan-intervals.ts";

/** Sampled products; all keywords share them by size. */
const SAMPLE = 4000;

export interface ScanSchedule {
  /** Decides from time to time how often each keyword is scanned, and stores it with the keyword. */
  renew(now: Date): Promise<void>;
}

export function createScanSchedule(db: Db, state: PlannerState): ScanSchedule {
  let beganAt: number | null = null;
  let nextAt = -Infinity;

  async function write(spans: readonly { id: number; days: number | null }[]): Promise<void> {
    await db.execute(sql`
      update crawl_query q set scan_interval_days = coalesce(x.days, 'Infinity'::float8)
      from json_to_recordset(${JSON.stringify(spans)}::text::json) as x(id bigint, days float8)
      where q.id = x.id and q.scan_interval_days <> coalesce(x.days, 'Infinity'::float8)`);
    state.touch();
  }

  return {
    async renew(now) {
      const at = toDays(now);
      if (at < nextAt) return;
      beganAt ??= at;
      nextAt = nextScanPlanAt(beganAt, at);
      const queries = state.queries().filter((query) => query.scannedAt !== null);
      if (queries.length === 0) return;
      const followed = await readFollowed(db, state, queries, now);
      const spans = planScans(followed, await readCallsPerDay(db, now, state.callsPerDay));
      // JSON has no Infinity: null is stored as Infinity.
      await write(queries.map(({ id }, i) => ({ id, days: spans[i] ?? null })));
    },
  };
}

/** One group for each keyword, in their order, and one for products that no keyword shows. */
async function readFollowed(
  db: Db,
  state: PlannerState,
  queries: readonly CrawlQuery[],
  now: Date,
): Promise<Followed[]> {
  const keywords = state.keywords();
  const sample = await readSample(db, SAMPLE, { totals: state.totals(), keywords });
  // Counts may lag behind the products, while those from before they were kept are counted.
  const scale = Math.max(1, (await countLiving(db)) / Math.max(1, sample.length));
  const fill = await readFill(db);
  state.setDrawn(sample);
  const drawn = sample.map((item) => item.itemId);
  const traits = { of: await readTraits(db, drawn), counts: state.totals().traits };
  await saveScannedDays(db, toScannedDays(sample, scale, traits), now);
  return [...queries, null].map((query) => {
    const members = query ? state.drawn(query.id) : sample.filter((item) => item.keyword === null);
    return {
      keyword: query ? (keywords.get(query.id) ?? null) : null,
      sample: members,
      found: members.length * scale,
      isScanned: query?.feedCheckedAt ? Number.isFinite(query.scanIntervalDays) : null,
      fill: query ? 1 : fill,
    };
  });
}

/** Calls that a day really has: if the upstream refused an account more lately, those that it had allowed. */
async function readCallsPerDay(db: Db, now: Date, limit: number): Promise<number> {
  const since = new Date(now.getTime() - 36 * 3_600_000).toISOString();
  const [row] = await db.execute<{ refused: number }>(sql`
    select coalesce(sum(refused), 0)::int as refused from (
      select distinct on (account) limit_calls - used as refused
      from budget_day where refused_at >= ${since} order by account, day desc) as latest`);
  return Math.max(1, limit - (row?.refused ?? 0));
}
