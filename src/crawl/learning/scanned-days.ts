import { eq, sql } from "drizzle-orm";
import { z } from "zod";
import type { Db } from "../../db/open.ts";
import { setting } from "../../db/schema.ts";
import { scannedDays, type ItemStats } from "../scoring/scoring.ts";

/**
 * Days without a change that scans have shown and no product's row holds yet, as a sample tells: of all
 * products, and of the shops of which enough were drawn. Without them a shop's mean rate would come from
 * what changes alone, because what does not change is hardly checked while its feed is scanned.
 */
export interface ScannedDays {
  all: number;
  byShop: Readonly<Record<string, number>>;
}

export const noScannedDays: ScannedDays = { all: 0, byShop: {} };

const KEY = "scanned_days";
const stored = z.object({ all: z.number(), byShop: z.record(z.string(), z.number()) });

/** Products of a shop in the sample from which on it is judged by them. */
const ENOUGH_DRAWN = 20;

/** `scale`: products for each one drawn. */
export function toScannedDays(sample: readonly ItemStats[], scale: number): ScannedDays {
  const sums = new Map<string, { days: number; drawn: number }>();
  for (const item of sample) {
    const { days = 0, drawn = 0 } = sums.get(item.shop.shopId) ?? {};
    sums.set(item.shop.shopId, { days: days + scale * scannedDays(item), drawn: drawn + 1 });
  }
  const enough = [...sums].filter(([, { drawn }]) => drawn >= ENOUGH_DRAWN);
  return {
    all: [...sums.values()].reduce((all, { days }) => all + days, 0),
    byShop: Object.fromEntries(enough.map(([shopId, { days }]) => [shopId, days])),
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
