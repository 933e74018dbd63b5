import { sql } from "drizzle-orm";
import { readDemand } from "../../catalog/visitors/demand.ts";
import { toModifiedAt } from "../../catalog/observing/modified.ts";
import type { Observed } from "../../catalog/sighting.ts";
import { anyText, assignments, rowsOf } from "../../db/rows.ts";
import type { Tx } from "../../db/open.ts";
import { fromDays, toDays } from "../scoring/days.ts";
import { importance } from "../scoring/importance.ts";
import {
  priorShape,
  countBump,
  learnCheck,
  type Evidence,
  type Learnt,
} from "../scoring/rate-estimate.ts";
import { quietDays, readDays } from "../scoring/reading.ts";
import { itemDueAt } from "../scoring/due-times.ts";
import { batchSize, type ItemStats, type ShopStats } from "../scoring/scoring.ts";
import {
  lossTraitsOf,
  rateFactor,
  traitsOf,
  type Described,
  type TraitEvidence,
} from "../scoring/traits.ts";
import { lockShops, readShopStats, type ReadContext } from "./statistics.ts";
import { fadedLosses, toPresence } from "./losses.ts";
import { firstSchedule, hasChanged, readSchedules, type Schedule } from "./schedules.ts";
import { addTraitEvidence } from "./trait-factors.ts";

/** Replaces learned statistics where the truth is known: `kurabe bench crawl` makes its own worlds. */
export interface GivenStatistics {
  /** Importance of a product. */
  weight?(itemId: number): number;
  /** Evidence for its change rate, instead of what checks have shown. */
  evidence?(itemId: number): Evidence;
}

export interface LearningContext extends ReadContext {
  at: Date;
  given?: GivenStatistics | undefined;
  /** The threshold: the value at which a call is made. */
  threshold: number;
  /** Days after which an item is due whatever its value. */
  maxAgeDays: number;
  /** The keyword that showed the items; null for a refresh. */
  queryId: number | null;
  /** The page came from a feed, and says nothing about the share of silent changes. */
  byFeed: boolean;
}

/** One item of an answer as it was observed, and with its new statistics. */
export interface Learned {
  observed: Observed;
  item: ItemStats;
  /** Since when it is shown; null: unknown. */
  appearedAt: number | null;
  /** The keyword that it is learned by: the first that showed it; null: only refreshes did. */
  queryId: number | null;
  /** The chance that it would have been deleted since its last check. */
  lossExpected: number;
}

/**
 * Learns from an answer: change rates of its items, sums of their shops, and when they are worth
 * another check. Runs in the transaction of the answer, which has locked the products.
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
  const itemIds = observed.map((one) => one.itemId);
  const demand = await readDemand(tx, itemIds, context.at);
  const schedules = await readSchedules(tx, itemIds);
  const at = toDays(context.at);
  const sums = new Map<string, ShopSums>();
  const changes: TraitEvidence[] = [];
  const losses: TraitEvidence[] = [];
  const learned = observed.flatMap((one) => {
    const shop = shops.get(one.shopId);
    if (!shop) return [];
    let sum = sums.get(one.shopId);
    if (!sum)
      sums.set(
        one.shopId,
        (sum = { changes: 0, days: 0, lossDays: 0, bumped: 0, silent: 0, dueDays: Infinity }),
      );
    const before = schedules.get(one.itemId) ?? firstSchedule(one, context.at);
    const weight =
      context.given?.weight?.(one.itemId) ?? importance(one.orderRank, demand.get(one.itemId) ?? 0);
    const factorOf = (described: Described) =>
      rateFactor(traitsOf(described), context.totals.factors);
    const factor = factorOf(one);
    // As it is estimated now: only other traits make it another product.
    const factorBefore = one.before ? factorOf(one.before) : factor;
    const { evidence, seen } = learnItem(one, before, { shop, factor, factorBefore, sum }, context);
    if (seen && one.before) {
      const expected = shop.meanRate * seen.days;
      changes.push({ traits: traitsOf(one.before), seen: seen.changes, expected });
    }
    let lossExpected = 0;
    if (one.before && !before.isFirst) {
      const checkedAt = toDays(one.before.checkedAt);
      const days = Math.max(0, at - checkedAt);
      const presence = toPresence(before.appearedAt, one.deletions, checkedAt);
      const expected = shop.lossRate * days;
      losses.push({ traits: lossTraitsOf(one.before, presence), seen: 0, expected });
      lossExpected = before.lossFactor * expected;
      sum.lossDays += before.lossFactor * days;
    }
    const queryId = toKeyword(before, context);
    const keyword = queryId === null ? null : (context.keywords.get(queryId) ?? null);
    const item = {
      itemId: one.itemId,
      weight,
      factor,
      lossFactor: rateFactor(
        lossTraitsOf(one, toPresence(before.appearedAt, one.deletions, at)),
        context.totals.lossFactors,
      ),
      ...evidence,
      checkedAt: at,
      suspect: false,
      shop,
      keyword,
    };
    return [{ observed: one, queryId, appearedAt: before.appearedAt, item, lossExpected }];
  });
  await writeSchedules(tx, learned, context);
  await addTraitEvidence(tx, "changes", changes);
  await addTraitEvidence(tx, "losses", losses);
  for (const one of learned) {
    const sum = sums.get(one.observed.shopId);
    if (sum) sum.dueDays = Math.min(sum.dueDays, shopDueBy(one, context));
  }
  await writeShops(tx, sums, context.at);
  return learned;
}

interface ShopSums extends Evidence {
  lossDays: number;
  bumped: number;
  silent: number;
  /** When the shop is due at the latest. */
  dueDays: number;
}

/** A shop without products is not due for years: its new products make it due earlier. */
function shopDueBy({ observed, item }: Learned, context: LearningContext): number {
  return observed.fate === "created"
    ? ownDueAt(item, context)
    : item.checkedAt + context.maxAgeDays;
}

function ownDueAt(item: ItemStats, { threshold, maxAgeDays }: LearningContext): number {
  return Math.min(itemDueAt(item, threshold / batchSize), item.checkedAt + maxAgeDays);
}

/**
 * What the check tells of the product itself. A shop's days are counted as those of products with the factor 1,
 * and a product that is now another (sold out, for example) keeps what sets it apart from its like.
 */
function learnItem(
  one: Observed,
  before: Schedule,
  {
    shop,
    factor,
    factorBefore,
    sum,
  }: { shop: ShopStats; factor: number; factorBefore: number; sum: ShopSums },
  context: LearningContext,
): { evidence: Evidence; seen: Evidence | null } {
  const given = context.given?.evidence?.(one.itemId);
  const learnt = given ? null : learnFromCheck(one, before, { shop, sum }, context);
  const { changes, days } = learnt?.evidence ?? before.evidence;
  const evidence = given ?? { changes, days: (days * factorBefore) / factor };
  sum.changes += evidence.changes - before.evidence.changes;
  sum.days += evidence.days * factor - before.evidence.days * before.factor;
  return { evidence, seen: learnt?.seen ?? null };
}

function learnFromCheck(
  one: Observed,
  before: Schedule,
  { shop, sum }: { shop: ShopStats; sum: ShopSums },
  context: LearningContext,
): Learnt | null {
  if (!one.before || before.isFirst) return null;
  const keyword = before.queryId === null ? undefined : context.keywords.get(before.queryId);
  const modifiedAt = toModifiedAt(one.modified, context.at);
  const bumped = one.modified !== one.before.modified;
  const changed = hasChanged(one, keyword?.changedShare ?? 1);
  const checkedAt = toDays(one.before.checkedAt);
  const meanRate = shop.meanRate * before.factor;
  const at = toDays(context.at);
  const changedAt = bumped && modifiedAt !== null ? toDays(modifiedAt) : null;
  const learnt = learnCheck(
    {
      evidence: before.evidence,
      checkedAt,
      readDays: keyword ? readDays(keyword.reading, keyword.pattern, checkedAt) : 0,
    },
    {
      changed,
      quietDays:
        changedAt === null
          ? null
          : quietDays(keyword, { checkedAt, changedAt, at, byList: context.byFeed }),
    },
    meanRate,
    at,
  );
  if (changed && !context.byFeed && keyword) {
    const { changes, days } = before.evidence;
    const { tau, unreadDays } = learnt;
    const found = {
      bumped,
      tau,
      unreadDays,
      shape: priorShape + changes,
      // Days in which the list was read were without a change that bumps.
      span: priorShape / meanRate + days + shop.bumpShare * (tau - unreadDays),
      share: shop.bumpShare,
    };
    Object.assign(sum, countBump({ bumped: sum.bumped, silent: sum.silent }, found));
  }
  return learnt;
}

/**
 * The keyword of an item: the first that showed it, until that keyword backs off or is removed and
 * another one shows the item.
 */
function toKeyword({ queryId }: Schedule, context: LearningContext): number | null {
  const stays = queryId !== null && context.keywords.has(queryId);
  return stays ? queryId : (context.queryId ?? queryId);
}

async function writeSchedules(
  tx: Tx,
  learned: readonly Learned[],
  context: LearningContext,
): Promise<void> {
  const rows = learned.map(({ observed, queryId, appearedAt, item }) => ({
    item_id: item.itemId,
    shop_id: observed.shopId,
    checked_at: context.at.toISOString(),
    suspected: false,
    due_at: fromDays(ownDueAt(item, context)).toISOString(),
    rate_changes: item.changes,
    rate_days: item.days,
    rate_factor: item.factor,
    loss_factor: item.lossFactor,
    appeared_at: appearedAt === null ? null : fromDays(appearedAt).toISOString(),
    weight: item.weight,
    query_id: queryId,
  }));
  const columns = sql.raw(checkColumns.join(", "));
  await tx.execute(sql`
    insert into product_schedule (item_id, appeared_at, ${columns})
    select item_id, appeared_at, ${columns} from ${rowsOf("product_schedule", rows)} order by item_id
    on conflict (item_id) do update set ${assignments(checkColumns)}`);
}

/** What every check writes; `appeared_at` is written with the first one alone. */
const checkColumns =
  "shop_id checked_at due_at suspected rate_changes rate_days rate_factor loss_factor weight query_id".split(
    " ",
  );

async function writeShops(tx: Tx, sums: ReadonlyMap<string, ShopSums>, at: Date): Promise<void> {
  const rows = [...sums].map(([shop_id, { changes, days, lossDays, dueDays, ...bumps }]) => ({
    shop_id,
    due_at: fromDays(dueDays).toISOString(),
    rate_changes: changes,
    rate_days: days,
    loss_days: lossDays,
    ...bumps,
  }));
  await lockShops(tx, [...sums.keys()]);
  await tx.execute(sql`
    update shop s set rate_changes = greatest(0, s.rate_changes + x.rate_changes),
      rate_days = greatest(0, s.rate_days + x.rate_days), due_at = least(s.due_at, x.due_at),
      bumped = s.bumped + x.bumped, silent = s.silent + x.silent,
      losses = s.losses * ${fadedLosses(at)}, loss_days = s.loss_days * ${fadedLosses(at)} + x.loss_days,
      losses_at = greatest(s.losses_at, ${at.toISOString()})
    from ${rowsOf("shop", rows)} x
    where s.shop_id = x.shop_id and s.shop_id = ${anyText([...sums.keys()])}`);
}
