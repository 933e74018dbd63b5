import { eq, sql } from "drizzle-orm";
import { z } from "zod";
import type { Db } from "../../db/open.ts";
import { setting } from "../../db/schema.ts";
import { scannedDays, type ItemStats } from "../scoring/scoring.ts";
import { countTraits, rateFactor, type TraitCounts } from "../scoring/traits.ts";

/**
 * Days without a change that scans have shown, but no product's row holds yet, estimated from a sample:
 * of all products, and of each shop with enough sampled ones, as days of products with the factor 1; and by
 * trait the changes expected in them. Without them mean rates and factors would come from changing
 * products alone, because unchanged ones are hardly checked while their feed is scanned.
 */
export interface ScannedDays {
  all: number;
  byShop: Readonly<Record<string, number>>;
  unseenByTrait: Readonly<Record<string, number>>;
}

export const noScannedDays: ScannedDays = { all: 0, byShop: {}, unseenByTrait: {} };

const KEY = "scanned_days";
const stored = z.object({
  all: z.number(),
  byShop: z.record(z.string(), z.number()),
  unseenByTrait: z.record(z.string(), z.number()).default({}),
});

/** A shop with so many products in the sample has an estimate of its own. */
const ENOUGH_DRAWN = 20;

/** `scale`: products for each sampled one; `traits`: those of the sampled ones. */
export function toScannedDays(
  sample: readonly ItemStats[],
  scale: number,
  traits: { of: ReadonlyMap<number, readonly string[]>; counts: TraitCounts },
): ScannedDays {
  const unseenByTrait: Record<string, number> = {};
  const sums = new Map<string, { days: number; drawn: number }>();
  for (const item of sample) {
    const { days = 0, drawn = 0 } = sums.get(item.shop.shopId) ?? {};
    const own = traits.of.get(item.itemId) ?? [];
    const here = scale * scannedDays(item);
    const atFactor1 = here * rateFactor(own, traits.counts);
    sums.set(item.shop.shopId, { days: days + atFactor1, drawn: drawn + 1 });
    const count = { changes: 0, atMean: item.shop.meanRate * here };
    for (const { trait, expected } of countTraits(own, count, traits.counts)) {
      unseenByTrait[trait] = (unseenByTrait[trait] ?? 0) + expected;
    }
  }
  const enough = [...sums].filter(([, { drawn }]) => drawn >= ENOUGH_DRAWN);
  return {
    all: [...sums.values()].reduce((all, { days }) => all + days, 0),
    byShop: Object.fromEntries(enough.map(([shopId, { days }]) => [shopId, days])),
    unseenByTrait,
  };
}

export async function saveScannedDays(db: Db, value: ScannedDays, at: Date): Promise<void> {
  await db
    .insert(setting)
    .values({ key: KEY, value, updatedAt: at })
    .onConflictDoUpdate({
      target: setting.key,
      set: { value, updatedAt: sql`excluded.updated_at` },
    });
}

export async function readScannedDays(db: Db): Promise<ScannedDays> {
  const [row] = await db.select().from(setting).where(eq(setting.key, KEY));
  return stored.safeParse(row?.value).data ?? noScannedDays;
}
