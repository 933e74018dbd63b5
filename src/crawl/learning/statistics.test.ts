import { expect, it } from "vitest";
import { noScannedDays } from "./scanned-days.ts";
import { toShopStats, type Totals } from "./statistics.ts";

const totals: Totals = {
  sum: { changes: 10, days: 100 },
  losses: { losses: 1, lossDays: 100 },
  burst: 1,
  bumps: { bumped: 1, silent: 1 },
  goneWeight: 3,
  scanned: { ...noScannedDays, all: 50 },
  factors: new Map(),
  lossFactors: new Map(),
};
const shopCalled = (shop_id: string) =>
  toShopStats(
    {
      shop_id,
      rate_changes: 2,
      rate_days: 20,
      losses: 0,
      emptied_at: null,
      loss_days: 20,
      bumped: 0,
      silent: 0,
    },
    totals,
  );

it.each(["constructor", "__proto__", "toString"])(
  "a shop whose id is %j is valued as any other: one without a rate would stop all calls",
  (shopId) => {
    expect(shopCalled(shopId)).toEqual({ ...shopCalled("usual"), shopId });
  },
);
