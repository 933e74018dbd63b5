import { z } from "zod";
import type { Db } from "../../db/open.ts";
import { putSetting, readSetting } from "../../db/settings.ts";
import { scannedDays, type ItemStats } from "../scoring/scoring.ts";
import { rateFactor, type Factors, type TraitEvidence } from "../scoring/traits.ts";

/**
 * Days without a change that scans have shown, but no product's row holds yet, estimated from a sample:
 * of all products, and of each shop with enough sampled ones, as days of products with the factor 1. Without them mean
 * rates would come from changing products alone, because unchanged ones are hardly checked while their feed is scanned.
 */
const scannedDaysSchema = z.object({
  all: z.number(),
  byShop: z.record(z.string(), z.number()),
});
export type ScannedDays = z.infer<typeof scannedDaysSchema>;

export const noScannedDays: ScannedDays = { all: 0, byShop: {} };

const settingKey = "scanned_days";

/** A shop with so many products in the sample has an estimate of its own. */
const enoughDrawn = 20;

/** `scale`: products for each sampled one; `traits`: those of the sampled ones. */
export function toScannedDays(
  sample: readonly ItemStats[],
  scale: number,
  traits: { of: ReadonlyMap<number, readonly string[]>; factors: Factors },
): ScannedDays {
  const sums = new Map<string, { days: number; drawn: number }>();
  for (const item of sample) {
    const { days = 0, drawn = 0 } = sums.get(item.shop.shopId) ?? {};
    const factor = rateFactor(traits.of.get(item.itemId) ?? [], traits.factors);
    const atFactor1 = scale * scannedDays(item) * factor;
    sums.set(item.shop.shopId, { days: days + atFactor1, drawn: drawn + 1 });
  }
  const enough = [...sums].filter(([, { drawn }]) => drawn >= enoughDrawn);
  return {
    all: [...sums.values()].reduce((all, { days }) => all + days, 0),
    byShop: Object.fromEntries(enough.map(([shopId, { days }]) => [shopId, days])),
  };
}

/** The changes that these days led to expect, by the traits of the products: none was seen. */
export function toUnseen(
  sample: readonly ItemStats[],
  scale: number,
  traits: ReadonlyMap<number, readonly string[]>,
): TraitEvidence[] {
  const unseen = new Map<string, TraitEvidence>();
  for (const item of sample) {
    const own = traits.get(item.itemId) ?? [];
    const key = JSON.stringify(own);
    const expected =
      (unseen.get(key)?.expected ?? 0) + item.shop.meanRate * scale * scannedDays(item);
    unseen.set(key, { traits: own, seen: 0, expected });
  }
  return [...unseen.values()];
}

export async function saveScannedDays(db: Db, value: ScannedDays, at: Date): Promise<void> {
  await putSetting(db, settingKey, value, at);
}

export async function readScannedDays(db: Db): Promise<ScannedDays> {
  return (await readSetting(db, settingKey, scannedDaysSchema)) ?? noScannedDays;
}
