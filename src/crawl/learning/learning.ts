import { sql } from "drizzle-orm";
import { readDemand } from "../../catalog/demand.ts";
import { toModifiedAt } from "../../catalog/modified.ts";
import type { Observed, Sighting } from "../../catalog/sighting.ts";
import type { Tx } from "../../db/open.ts";
import { fromDays, toDays } from "../scoring/days.ts";
import { importance } from "../scoring/importance.ts";
import { countBump, learnCheck, type Evidence } from "../scoring/rate-estimate.ts";
import { BATCH, itemDueAt, type ItemStats, type ShopStats } from "../scoring/scoring.ts";
import { lockShops, readShopStats, type Keywords, type Totals } from "./statistics.ts";

/** What stands in for learning where the truth is known: `kurabe bench crawl` makes its own worlds. */
export interface GivenStatistics {
  /** Importance of a product. */
  weight?(itemId: number): number;
  /** Evidence for its change rate, in place of what checks have taught. */
  evidence?(itemId: number): Evidence;
}

export interface LearningContext {
  at: Date;
  given?: GivenStatistics | undefined;
  /** The going price of a call. */
  price: number;
  /** Days after which an item is due whatever it is worth. */
  maxAgeDays: number;
  totals: Totals;
  keywords: Keywords;
  /** The keyword that showed the items; null for a refresh. */
  queryId: number | null;
  /** The page was a feed's: what it shows says nothing about the share of silent changes. */
  byFeed: boolean;
  /** Places in the order of order counts, when the page was in that order. */
  ranks: ReadonlyMap<number, number>;
}

/** One shown item with what was learned from it, and with what it was before. */
export interface Learned {
  observed: Observed;
  item: ItemStats;
}

/**
 * What every answer teaches: change rates of the items it shows, sums of their shops, and the
 * moments at which they are worth another look. Written in the transaction of the answer.
 */
export async function learn(
  tx: Tx,
  observed: readonly Observed[],
  context: LearningContext,
): Promise<Learned[]> {
  if (observed.length === 0) return [];
  const shops = await readShopStats(
    tx,
    [...new Set(observed.map((o) => o.shopId))],
    context.totals,
  );
  const demand = await readDemand(
    tx,
    observed.map((one) => one.itemId),
    context.at,
  );
  const sums = new Map<string, ShopSums>();
  const learned = observed.flatMap((one) => {
    const shop = shops.get(one.shopId);
    if (!shop) return [];
    let sum = sums.get(one.shopId);
    if (!sum)
      sums.set(
        one.shopId,
        (sum = { changes: 0, days: 0, lossDays: 0, bumped: 0, silent: 0, dueDays: Infinity }),
      );
    const rank = context.ranks.get(one.itemId) ?? one.orderRank;
    return [
      {
        observed: one,
        rank,
        item: toItem(
          one,
          context.given?.weight?.(one.itemId) ?? importance(rank, demand.get(one.itemId) ?? 0),
          shop,
          learnItem(one, shop, sum, context),
          context,
        ),
      },
    ];
  });
  await writeItems(tx, learned, context);
  for (const one of learned) {
    const sum = sums.get(one.observed.shopId);
    if (sum) sum.dueDays = Math.min(sum.dueDays, shopDueBy(one, context));
  }
  await writeShops(tx, sums);
  return learned;
}

interface ShopSums extends Evidence {
  lossDays: number;
  bumped: number;
  silent: number;
  /** When the shop is to be looked at, at the latest. */
  dueDays: number;
}

/** A shop of which nothing was left may have been put off for ever: what is new brings it forward. */
function shopDueBy({ observed, item }: Learned, context: LearningContext): number {
  return observed.fate === "created"
    ? ownDueAt(item, context)
    : item.checkedAt + context.maxAgeDays;
}

function ownDueAt(item: ItemStats, { price, maxAgeDays }: LearningContext): number {
  return Math.min(itemDueAt(item, price / BATCH), item.checkedAt + maxAgeDays);
}

function learnItem(
  one: Observed,
  shop: ShopStats,
  sum: ShopSums,
  context: LearningContext,
): Evidence {
  const evidence = context.given?.evidence?.(one.itemId) ?? learnFromCheck(one, shop, sum, context);
  sum.changes += evidence.changes - one.evidence.changes;
  sum.days += evidence.days - one.evidence.days;
  return evidence;
}

function learnFromCheck(
  one: Observed,
  shop: ShopStats,
  sum: ShopSums,
  context: LearningContext,
): Evidence {
  if (!one.before) return one.evidence;
  const keyword = one.queryId === null ? undefined : context.keywords.get(one.queryId);
  const modifiedAt = toModifiedAt(one.modified, context.at);
  const bumped = one.modified !== one.before.modified;
  const { evidence, tau, sinceScan } = learnCheck(
    {
      evidence: one.evidence,
      checkedAt: toDays(one.before.checkedAt),
      feedScannedAt: keyword?.feedScannedAt ?? null,
    },
    {
      changed: one.fate === "changed",
      bumpedAt: bumped && modifiedAt !== null ? toDays(modifiedAt) : null,
    },
    shop.meanRate,
    toDays(context.at),
  );
  sum.lossDays += tau;
  if (one.fate === "changed" && !context.byFeed && keyword) {
    const counted = countBump({ bumped: sum.bumped, silent: sum.silent }, bumped, tau, sinceScan);
    Object.assign(sum, counted);
  }
  return evidence;
}

function toItem(
  one: Observed,
  weight: number,
  shop: ShopStats,
  evidence: Evidence,
  context: LearningContext,
): ItemStats {
  const queryId = toKeyword(one, context);
  return {
    itemId: one.itemId,
    weight,
    ...evidence,
    checkedAt: toDays(context.at),
    suspect: false,
    shop,
    keyword: queryId === null ? null : (context.keywords.get(queryId) ?? null),
  };
}

/** The keyword that looks after an item: its first one, until that rests or is removed and another shows it. */
function toKeyword({ queryId }: Observed, context: LearningContext): number | null {
  const stays = queryId !== null && context.keywords.has(queryId);
  return stays ? queryId : (context.queryId ?? queryId);
}

async function writeItems(
  tx: Tx,
  learned: readonly (Learned & { rank: number | null })[],
  context: LearningContext,
): Promise<void> {
  const rows = learned.map(({ observed, rank, item }) => ({
    item_id: item.itemId,
    rate_changes: item.changes,
    rate_days: item.days,
    weight: item.weight,
    order_rank: rank,
    query_id: toKeyword(observed, context),
    due_at: fromDays(ownDueAt(item, context)).toISOString(),
  }));
  await tx.execute(sql`
    update product p set rate_changes = x.rate_changes, rate_days = x.rate_days, weight = x.weight,
      order_rank = x.order_rank, query_id = x.query_id, due_at = x.due_at
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as x(item_id bigint, rate_changes float8,
      rate_days float8, weight float8, order_rank int, query_id bigint, due_at timestamptz)
    where p.item_id = x.item_id`);
}

async function writeShops(tx: Tx, sums: ReadonlyMap<string, ShopSums>): Promise<void> {
  const rows = [...sums].map(([shop_id, { dueDays, ...sum }]) => ({
    shop_id,
    due_at: fromDays(dueDays).toISOString(),
    ...sum,
  }));
  await lockShops(tx, [...sums.keys()]);
  await tx.execute(sql`
    update shop s set rate_changes = greatest(0, s.rate_changes + x.changes), rate_days = greatest(0, s.rate_days + x.days),
      due_at = least(s.due_at, x.due_at), loss_days = s.loss_days + x."lossDays", bumped = s.bumped + x.bumped, silent = s.silent + x.silent
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as x(shop_id text, due_at timestamptz, changes float8, days float8,
      "lossDays" float8, bumped float8, silent float8)
    where s.shop_id = x.shop_id`);
}

/** What the products that this call proved gone teach about their shop. */
export async function learnLosses(tx: Tx, sighting: Sighting, shopId: string): Promise<void> {
  await tx.execute(sql`
    update shop s set losses = s.losses + g.losses, loss_days = s.loss_days + g.days,
      rate_changes = greatest(0, s.rate_changes - g.changes), rate_days = greatest(0, s.rate_days - g.rate_days)
    from (
      select count(*) as losses, coalesce(sum(extract(epoch from gone_at - checked_at)), 0) / 172800 as days,
        coalesce(sum(rate_changes), 0) as changes, coalesce(sum(rate_days), 0) as rate_days
      from product
      where state = 'gone' and gone_at = ${sighting.sentAt.toISOString()} and gone_call_id = ${sighting.callId}) g
    where s.shop_id = ${shopId} and g.losses > 0`);
}
