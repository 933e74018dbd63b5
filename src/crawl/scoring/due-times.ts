import { horizonDays, daysUntilValue } from "./freshness-value.ts";
import { bestBatch, checkLaw, type ItemStats } from "./scoring.ts";
import { afterActiveDays } from "./week-pattern.ts";

/** When items and batches are worth a call. All moments are days since the epoch. */

/**
 * After so many days an item's due time is computed anew: the threshold may have fallen, and the item
 * would stay hidden.
 */
const reconsiderDays = 3;

/**
 * When the item alone is worth its part of a call (the threshold divided by `batchSize`), or when this is to
 * be computed anew. `product_schedule.due_at` holds it, so that an index finds the best items of a
 * large shop. `now`: when it is set, by default at the check itself.
 */
export function itemDueAt(item: ItemStats, itemThreshold: number, now = item.checkedAt): number {
  const { shape, span } = checkLaw(item, item.shop.goneWeight);
  const days = daysUntilValue(shape, span, itemThreshold / item.weight);
  const { keyword, checkedAt } = item;
  const dueAt =
    keyword === null ? checkedAt + days : afterActiveDays(keyword.pattern, checkedAt, days);
  const patience = Math.max(reconsiderDays, now - checkedAt);
  return Math.max(now, Math.min(dueAt, now + patience));
}

/**
 * When a batch of these items will reach the threshold of a call: `shop.due_at` holds it. The value grows about as a
 * power of time, so the secant method runs on logarithms; 5% off is near enough.
 */
export function batchDueAt(items: readonly ItemStats[], now: number, threshold: number): number {
  if (items.length === 0) return now + horizonDays;
  if (bestBatch(items, now, true).value >= threshold) return now;
  const best = bestBatch(items, now + 1, true).items;
  let span = 1;
  let power = 2;
  let earlier: { span: number; value: number } | null = null;
  // The value jumps where most changes come at one moment of the week.
  let low = 0;
  let high = Infinity;
  for (let step = 0; step < 24 && high - low > 0.01; step += 1) {
    // A value of 0 has no logarithm.
    const value = Math.max(1e-300, bestBatch(best, now + span, true).value);
    const ratio = Math.log(threshold / value);
    if (Math.abs(ratio) < 0.05) return now + span;
    if (ratio > 0) low = span;
    else high = span;
    if (low > horizonDays) break;
    if (earlier && earlier.span !== span) {
      power = Math.log(value / earlier.value) / Math.log(span / earlier.span);
    }
    earlier = { span, value };
    const move = ratio / Math.min(4, Math.max(0.25, power));
    const next = span * Math.exp(Math.min(4, Math.max(-4, move)));
    span = next > low && next < high ? next : (low + high) / 2;
  }
  // What changes all the time is known so little that a check may never be worth a call.
  return now + Math.min(high, horizonDays);
}
