import {
  PRIOR_SHAPE,
  bumpShare,
  countBump,
  learnCheck,
  lossRate,
  overallMean,
  shopMean,
  type Evidence,
} from "../crawl/scoring/rate-estimate.ts";
import type { Sighting } from "./copy.ts";
import type { Memory, SimItem, SimShop } from "./memory.ts";

export interface Look {
  at: number;
  by: "refresh" | "feed" | "search";
}

/** Takes in what a look told about an item that was known before. */
export function learnItem(memory: Memory, item: SimItem, sighting: Sighting, look: Look): void {
  const { shop, keyword } = item;
  const { evidence, tau, sinceScan } = learnCheck(
    { evidence: item, checkedAt: item.checkedAt, feedScannedAt: keyword?.feedScannedAt ?? null },
    { changed: sighting.fate === "changed", bumpedAt: sighting.bumped ? sighting.modified : null },
    shop.meanRate,
    look.at,
  );
  for (const sum of [shop.sum, memory.all.sum]) {
    sum.changes += evidence.changes - item.changes;
    sum.days += evidence.days - item.days;
  }
  item.changes = evidence.changes;
  item.days = evidence.days;
  item.checkedAt = look.at;
  item.suspect = false;
  // A search shows only what is alive: as evidence it would make every shop look immortal.
  if (look.by === "refresh") {
    shop.lossDays += tau;
    memory.all.lossDays += tau;
  }
  if (sighting.fate === "changed" && look.by !== "feed" && keyword !== null) {
    shop.bumps = countBump(shop.bumps, sighting.bumped, tau, sinceScan);
    memory.all.bumps = countBump(memory.all.bumps, sighting.bumped, tau, sinceScan);
  }
}

export function learnLoss(memory: Memory, item: SimItem, at: number): void {
  for (const count of [item.shop, memory.all]) {
    count.losses += 1;
    count.lossDays += (at - item.checkedAt) / 2;
  }
  item.shop.sum.changes -= item.changes;
  item.shop.sum.days -= item.days;
  memory.all.sum.changes -= item.changes;
  memory.all.sum.days -= item.days;
}

export function refreshShopRates(memory: Memory, shop: SimShop): void {
  const { all } = memory;
  shop.bumpShare = bumpShare(shop.bumps, all.bumps);
  shop.meanRate = shopMean(shop.sum, overallMean(all.sum));
  shop.lossRate = lossRate(shop, all);
}

/** Evidence so strong that it is the rate itself; for the planner that is told the truth. */
export function knownRate(rate: number): Evidence {
  const changes = 1e6;
  return { changes, days: (changes + PRIOR_SHAPE) / Math.max(1e-9, rate) };
}
