import { sql } from "drizzle-orm";
import { countLiving } from "../../catalog/counts.ts";
import type { Db } from "../../db/open.ts";
import { toDays } from "../scoring/days.ts";
import type { PlannerState } from "../learning/planner-state.ts";
import { saveScannedDays, toScannedDays } from "../learning/scanned-days.ts";
import { readTraits } from "../learning/trait-counts.ts";
import { readSample } from "../learning/statistics.ts";
import { daysToPage, nextCurvesAt, toScanCurves, type ScanCurves } from "../scoring/scan-values.ts";

/** Sampled products; all keywords share them by size. */
const SAMPLE = 4000;

export interface ScanSchedule {
  /**
   * Computes from time to time what the changes of each keyword are worth, and stores with it after how many days a
   * page of them is worth a call.
   */
  renew(now: Date): Promise<void>;
  /** Only computes it, for a view of the plan. */
  compute(): Promise<void>;
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

  async function compute() {
    const keywords = state.keywords();
    const sample = await readSample(db, SAMPLE, { totals: state.totals(), keywords });
    // Counts may lag behind the products, while those from before they were kept are counted.
    const scale = Math.max(1, (await countLiving(db)) / Math.max(1, sample.length));
    state.setDrawn(sample);
    const curves = new Map<number, ScanCurves>();
    for (const [id, keyword] of keywords) {
      const members = state.drawn(id);
      curves.set(id, toScanCurves(keyword, members, members.length * scale));
    }
    state.setCurves(curves);
    return { sample, scale, curves };
  }

  return {
    async renew(now) {
      const at = toDays(now);
      if (at < nextAt) return;
      beganAt ??= at;
      nextAt = nextCurvesAt(beganAt, at);
      const queries = state.queries().filter((query) => query.scannedAt !== null);
      if (queries.length === 0) return;
      const { sample, scale, curves } = await compute();
      const drawn = sample.map((item) => item.itemId);
      const traits = { of: await readTraits(db, drawn), counts: state.totals().traits };
      await saveScannedDays(db, toScannedDays(sample, scale, traits), now);
      const spans = queries.map(({ id }) => {
        const own = curves.get(id);
        const days = own ? daysToPage(own, state.threshold()) : Infinity;
        // JSON has no Infinity: null is stored as Infinity.
        return { id, days: Number.isFinite(days) ? days : null };
      });
      await write(spans);
    },
    async compute() {
      await compute();
    },
  };
}
