import { sql } from "drizzle-orm";
import { readCounts } from "../../catalog/counts.ts";
import { anyText, type RowOf } from "../../db/rows.ts";
import type { Db, Tx } from "../../db/open.ts";
import { randomRows } from "../../db/sample.ts";
import type { productSchedule, shop } from "../../db/schema.ts";
import type { Factors } from "../scoring/traits.ts";
import { readFactors } from "./trait-factors.ts";
import { readScannedDays, type ScannedDays } from "./scanned-days.ts";
import { inParts } from "../../lib/async.ts";
import { readJobSettings } from "../budget/jobs.ts";
import { toDays } from "../scoring/days.ts";
import {
  bumpShare,
  lossRate,
  overallMean,
  shopMean,
  type Bumps,
  type Evidence,
  type Losses,
} from "../scoring/rate-estimate.ts";
import { type ItemStats, type KeywordStats, type ShopStats } from "../scoring/scoring.ts";

/** Sums over all shops: what is expected of a shop that little is known about. */
export interface Totals {
  sum: Evidence;
  losses: Losses;
  /** How many times as many deletions as usual there were lately. */
  burst: number;
  bumps: Bumps;
  /** Set by ops; see `ShopStats`. */
  goneWeight: number;
  scanned: ScannedDays;
  /** Of change rates, and of loss rates. */
  factors: Factors;
  lossFactors: Factors;
}

export type ShopRow = RowOf<
  Pick<
    typeof shop.$inferSelect,
    | "shopId"
    | "rateChanges"
    | "rateDays"
    | "losses"
    | "lossDays"
    | "emptiedAt"
    | "bumped"
    | "silent"
  >
>;

export const shopColumns = sql`s.shop_id, s.rate_changes, s.rate_days, s.losses, s.loss_days, s.emptied_at, s.bumped, s.silent`;

/** As usual: without a burst of deletions, which the planner's state knows of. */
export async function readTotals(db: Db): Promise<Totals> {
  const { gone_weight: goneWeight } = await readJobSettings(db, "revalidate");
  const kept = new Map(
    (await readCounts(db, ["shop_evidence"])).map(({ key, n }) => [key, n / 1e6]),
  );
  const sum = (key: string) => kept.get(key) ?? 0;
  const scanned = await readScannedDays(db);
  return {
    sum: { changes: sum("rate_changes"), days: sum("rate_days") },
    losses: { losses: sum("losses"), lossDays: sum("loss_days") },
    burst: 1,
    bumps: { bumped: sum("bumped"), silent: sum("silent") },
    goneWeight,
    scanned,
    factors: await readFactors(db, "changes"),
    lossFactors: await readFactors(db, "losses"),
  };
}

/** For a shop with few sampled products, scans add at most this multiple of the days in its rows. */
const mostScanned = 20;

function shopDays(row: ShopRow, { sum, scanned }: Totals): number {
  const share = Math.min(mostScanned, scanned.all / Math.max(1e-9, sum.days));
  // Every object has a `constructor`, which may be a shop's id.
  const own = Object.hasOwn(scanned.byShop, row.shop_id) ? scanned.byShop[row.shop_id] : undefined;
  return row.rate_days + (own ?? share * row.rate_days);
}

export function toShopStats(row: ShopRow, totals: Totals): ShopStats {
  return {
    shopId: row.shop_id,
    meanRate: shopMean(
      { changes: row.rate_changes, days: shopDays(row, totals) },
      overallMean({ ...totals.sum, days: totals.sum.days + totals.scanned.all }),
    ),
    lossRate:
      totals.burst * lossRate({ losses: row.losses, lossDays: row.loss_days }, totals.losses),
    bumpShare: bumpShare({ bumped: row.bumped, silent: row.silent }, totals.bumps),
    goneWeight: totals.goneWeight,
  };
}

export async function readShopStats(
  db: Db | Tx,
  shopIds: readonly string[],
  totals: Totals,
): Promise<Map<string, ShopStats>> {
  const rows = await db.execute<ShopRow>(sql`
    select ${shopColumns} from shop s where shop_id = ${anyText(shopIds)}`);
  return new Map(rows.map((row) => [row.shop_id, toShopStats(row, totals)]));
}

export type ItemRow = ShopRow &
  RowOf<
    Omit<typeof productSchedule.$inferSelect, "shopId" | "rateChanges" | "rateDays" | "appearedAt">
  > & {
    item_changes: number;
    item_days: number;
  };

export const itemColumns = sql`c.item_id, c.weight, c.rate_factor, c.loss_factor, c.rate_changes as item_changes, c.rate_days as item_days,
  c.checked_at, c.suspected, c.due_at, c.query_id`;

export type Keywords = ReadonlyMap<number, KeywordStats>;

export function toItemStats(row: ItemRow, shop: ShopStats, keywords: Keywords): ItemStats {
  const checkedAt = toDays(new Date(row.checked_at));
  const emptiedAt = row.emptied_at === null ? -Infinity : toDays(new Date(row.emptied_at));
  return {
    itemId: row.item_id,
    weight: row.weight,
    factor: row.rate_factor,
    lossFactor: row.loss_factor,
    changes: row.item_changes,
    days: row.item_days,
    checkedAt,
    suspect: row.suspected || checkedAt < emptiedAt,
    shop,
    keyword: row.query_id === null ? null : (keywords.get(row.query_id) ?? null),
  };
}

export interface ReadContext {
  totals: Totals;
  keywords: Keywords;
}

/** Products of one statement. */
const part = 200;

/** The items that exist, in the order of the ids. */
export async function readItemStats(
  db: Db | Tx,
  itemIds: readonly number[],
  context: ReadContext,
): Promise<ItemStats[]> {
  const readPart = (ids: readonly number[]) =>
    db.execute<ItemRow>(sql`
    select ${shopColumns}, ${itemColumns}
    from json_array_elements_text(${JSON.stringify(ids)}::text::json) with ordinality as wanted(id, place)
    cross join lateral (select * from product_schedule where item_id = wanted.id::bigint offset 0) c
    cross join lateral (select * from shop where shop_id = c.shop_id offset 0) s
    order by place`);
  const rows = await inParts(itemIds, part, readPart);
  return rows.map((row) => toItemStats(row, toShopStats(row, context.totals), context.keywords));
}

/** Random products. */
export async function readSample(
  db: Db,
  items: number,
  context: ReadContext,
): Promise<ItemStats[]> {
  const rows = await db.execute<{ item_id: number }>(sql`
    select item_id from ${randomRows("product_schedule", 2 * items)} c order by random() limit ${items}`);
  return readItemStats(
    db,
    rows.map((row) => row.item_id),
    context,
  );
}

/** The mean fill of recent refresh calls; 0.8 before there are any. */
export async function readFill(db: Db): Promise<number> {
  const [row] = await db.execute<{ fill: number | null }>(sql`
    select (avg(asked) / 50.0)::float8 as fill from (
      select asked from api_call where operation = 'refresh' and outcome = 'ok' order by id desc limit 500) recent`);
  return row?.fill ?? 0.8;
}

/** Locks several shops before they are updated: in one order for all transactions. */
export async function lockShops(tx: Db | Tx, shopIds: readonly string[]): Promise<void> {
  await tx.execute(sql`
    select 1 from shop where shop_id = ${anyText(shopIds)}
    order by shop_id collate "C" for no key update`);
}
