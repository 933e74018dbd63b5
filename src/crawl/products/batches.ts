import type { DueItem, DueShop } from "../learning/due-shops.ts";
import type { PlannerState } from "../learning/planner-state.ts";
import { batchDueAt, itemDueAt } from "../scoring/due-times.ts";
import { horizonDays } from "../scoring/freshness-value.ts";
import type { Expected, Reason } from "../scoring/reason.ts";
import { batchSize, shopRead, bestBatch, itemValue, rateOf } from "../scoring/scoring.ts";

/** A shop that is not worth a call yet, although it was expected to be, is valued again after so many days. */
const againDays = 0.25;

/** Products of one shop, for one refresh. */
export interface Batch {
  shopId: string;
  itemIds: number[];
  value: number;
  why: Reason;
  /** The last call of the shop, or of the isolated product, failed. */
  isRetry?: boolean;
}

interface Rules {
  /** The value at which a call is made. */
  threshold: number;
  maxAgeDays: number;
}

export function rulesOf(state: PlannerState): Rules {
  return { threshold: state.threshold(), maxAgeDays: state.maxAgeDays() };
}

/**
 * When the value of a batch reaches the threshold, an item reaches the maximum age, or one stops to back off. At once if
 * others of its products are worth a call already, because some that are missing may be among them.
 */
export function shopDueAt(
  { items, resumesAt, triesAt }: DueShop,
  rules: Rules,
  at: number,
): number {
  if (items.length === 0) return Math.min(resumesAt, triesAt, at + horizonDays);
  const maxAgeAt = Math.min(
    ...items.map((item) => Math.max(item.dueAt, item.checkedAt + rules.maxAgeDays)),
  );
  const { threshold } = rules;
  const isWorthIt = bestBatch(items, at).value >= threshold;
  return Math.min(maxAgeAt, resumesAt, isWorthIt ? at : batchDueAt(items, at, threshold));
}

/**
 * When to look again at a shop that is not worth a call yet. It may also be worth one only by its usual losses, while
 * none of its products is missing.
 */
export function dueAgainAt(shop: DueShop, rules: Rules, at: number): number {
  const dueAt = shopDueAt(shop, rules, at);
  return dueAt > at ? dueAt : at + againDays;
}

/**
 * The batch of most value; items beyond the maximum age go first, whatever their value. One that could not be read goes
 * with them where there is room, so that its recovery is noticed without a call of its own.
 */
export function bestOf(
  { shopId, items, unread, isPart, hasFailed }: DueShop,
  rules: Rules,
  at: number,
): Batch {
  const overdue = items.filter(
    (item) => item.dueAt <= at && at - item.checkedAt >= rules.maxAgeDays,
  );
  const rest = items.filter((item) => !overdue.includes(item));
  const chosen = [...overdue, ...bestBatch(rest, at).items].slice(0, batchSize);
  const { value } = bestBatch(chosen, at);
  const others = chosen.length - overdue.length;
  const why: Reason = isPart
    ? { code: "failed_together", shopId, products: chosen.length }
    : overdue.length > 0
      ? { code: "overdue", shopId, overdue: overdue.length, days: rules.maxAgeDays, others }
      : {
          code: "worthwhile",
          shopId,
          products: chosen.length,
          value,
          first: bestOfAll(chosen, at),
        };
  return {
    shopId,
    itemIds: [
      ...chosen.map((item) => item.itemId),
      ...(hasFailed || unread === null ? [] : [unread]),
    ].slice(0, batchSize),
    value: overdue.length > 0 ? Infinity : value,
    why,
    isRetry: hasFailed,
  };
}

/** Items whose value is below their share of the threshold. In a shop too large to be read whole they would hide others. */
export function toPostpone(
  items: readonly DueItem[],
  rules: Rules,
  at: number,
): { itemId: number; dueAt: number }[] {
  if (items.length < shopRead) return [];
  const share = rules.threshold / batchSize;
  return items.flatMap((item) => {
    if (item.dueAt > at || item.suspect || itemValue(item, at) >= 0.9 * share) return [];
    const maxAgeAt = item.checkedAt + rules.maxAgeDays;
    const dueAt = Math.min(maxAgeAt, itemDueAt(item, share, at));
    return dueAt > at ? [{ itemId: item.itemId, dueAt }] : [];
  });
}

function bestOfAll(items: readonly DueItem[], at: number): Expected | null {
  const [first] = items.toSorted((a, b) => itemValue(b, at) - itemValue(a, at));
  if (!first) return null;
  const { shape, span } = rateOf(first);
  return { itemId: first.itemId, changesPerDay: shape / span, traits: [] };
}

export function toIsolatedBatch({ itemId, shopId }: { itemId: number; shopId: string }): Batch {
  const why: Reason = { code: "failed_alone", shopId, itemId };
  return { shopId, itemIds: [itemId], value: Infinity, why, isRetry: true };
}

/** One of a shop none of whose products can be read, to see whether it can be read again; null: it is too soon for one. */
export function toUnreadBatch(
  { shopId, unread, triesAt, hasFailed }: DueShop,
  at: number,
): Batch | null {
  if (unread === null || triesAt > at) return null;
  const why: Reason = { code: "unreadable", shopId, itemId: unread };
  return { shopId, itemIds: [unread], value: Infinity, why, isRetry: hasFailed };
}
