import { eq } from "drizzle-orm";
import { z } from "zod";
import type { Db, Tx } from "../../db/open.ts";
import { putSetting } from "../../db/put-setting.ts";
import { setting } from "../../db/schema.ts";
import { addLosses, noLosses, recentLosses, type Losses } from "./losses.ts";

/**
 * The threshold follows the values of the calls made: it rises while better calls are to be had, and falls
 * while none is due. `calls`: made since the threshold is kept; the first ones count more. A threshold far
 * below the value rises at once: it dates from a time when everything had just been checked.
 */
export function nextThreshold(threshold: number, value: number, calls: number): number {
  if (threshold <= 0) return value;
  const step = Math.max(0.02, 1 / (0.3 * calls + 2));
  const ahead = Math.log(Math.max(value, 1e-300) / threshold);
  return threshold * Math.exp(step * Math.max(-1, Math.min(1, ahead)) + Math.max(0, ahead - 1) / 4);
}

const KEY = "crawl_price";
/** It is stored this often; a crash loses its changes since. */
const SAVE_EVERY_MS = 5000;
const saved = z.object({
  price: z.number(),
  calls: z.number(),
  losses: recentLosses.default(noLosses),
});

/** The threshold and the losses of late. They survive restarts. */
export function createThresholdState(db: Db) {
  let threshold = 0;
  /** Calls that the threshold has followed. */
  let calls = 0;
  let losses = noLosses;
  let savedAtMs = -Infinity;
  return {
    threshold: () => threshold,
    losses: () => losses,
    follow(value: number): void {
      if (!Number.isFinite(value)) return;
      threshold = nextThreshold(threshold, value, calls);
      calls += 1;
    },
    addLosses(more: Losses, at: number): void {
      losses = addLosses(losses, more, at);
    },
    async load(): Promise<void> {
      const [row] = await db.select().from(setting).where(eq(setting.key, KEY));
      const found = saved.safeParse(row?.value).data;
      if (found) ({ price: threshold, calls, losses } = found);
    },
    async save(tx: Tx, at: Date): Promise<void> {
      if (Math.abs(at.getTime() - savedAtMs) < SAVE_EVERY_MS) return;
      savedAtMs = at.getTime();
      await putSetting(tx, KEY, { price: threshold, calls, losses }, at);
    },
  };
}
