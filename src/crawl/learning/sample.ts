import { countLiving } from "../../catalog/counts.ts";
import type { Db } from "../../db/open.ts";
import { toDays } from "../scoring/days.ts";
import type { PlannerState } from "./planner-state.ts";
import { saveScannedDays, toScannedDays, toUnseen } from "./scanned-days.ts";
import { readSample } from "./statistics.ts";
import { fitTraits, readTraits } from "./trait-factors.ts";

/** Sampled products; all keywords share them by size. */
const sampleSize = 4000;
const longestDays = 1 / 12;
const shortestDays = 1 / 24;

/**
 * Draws the sample of products by which the planner expects what pages will show, anew from time to time, and counts in
 * which days they did not change.
 */
export function createSample(db: Db, state: PlannerState): (now: Date) => Promise<void> {
  let beganAt: number | null = null;
  let drawnAt = -Infinity;

  return async (now) => {
    const at = toDays(now);
    beganAt ??= at;
    // Sooner while the crawler is new and learns fast.
    const days = Math.min(longestDays, Math.max(shortestDays, (drawnAt - beganAt) / 2));
    if (Math.abs(at - drawnAt) < days) return;
    drawnAt = at;
    const sample = await readSample(db, sampleSize, state.context());
    state.setDrawn(sample);
    const drawn = sample.map((item) => item.itemId);
    await state.readPart("traits", async () => {
      // Counts may lag behind the products, while those from before they were kept are counted.
      const scale = Math.max(1, (await countLiving(db)) / Math.max(1, sample.length));
      const traits = await readTraits(db, drawn);
      const { factors } = state.totals();
      // Days that lists have shown to be without a change, and no product's row holds yet, tell of changes too.
      await fitTraits(db, "changes", toUnseen(sample, scale, traits));
      await saveScannedDays(db, toScannedDays(sample, scale, { of: traits, factors }), now);
      await fitTraits(db, "losses");
    });
  };
}
