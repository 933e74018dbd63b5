import {
  BATCH,
  NEWEST_MAX_AGE_DAYS,
  bestBatch,
  expectCheck,
  keywordMaxAgeDays,
  newestGrowth,
  nextThreshold,
  priorYield,
} from "../crawl/scoring/scoring.ts";
import type { Copy, Sighting } from "./copy.ts";
import { dueOffers } from "./due-offers.ts";
import { createHeadPages } from "./head-pages.ts";
import { knownRate, learnItem, learnLoss, refreshShopRates, type Look } from "./learner.ts";
import {
  createMemory,
  plannerIndex,
  rescheduleItems,
  rescheduleShop,
  type Index,
  type SimItem,
  type SimKeyword,
  type SimShop,
} from "./memory.ts";
import { search, type Answer, type Offer, type Policy, type SimCall } from "./run.ts";
import { createSweepPlan } from "./sweep-plan.ts";
import { settleWalk } from "./walks.ts";
import type { World } from "./world.ts";

export interface PlannerRules {
  kinds: { feed?: boolean; head?: boolean; discovery?: boolean };
  /** Rates as the world was made, instead of learnt ones. */
  trueRates: boolean;
  index?: Index;
  /** No item is to wait longer than this for a look, in days; none by default. */
  maxAgeDays?: number;
}

/** New items a day, as a share of those known; until a keyword has been looked at. */
const NEW_SHARE = 0.005;

/** The planner at work on a memory instead of Postgres. */
export function createPlanner(
  world: World,
  copy: Copy,
  rules: PlannerRules,
  budget: { callsPerDay: number },
): Policy {
  const memory = createMemory(world);
  const { items, shops, keywords, shopsByDue } = memory;
  const index = rules.index ?? plannerIndex;
  const maxAgeDays = rules.maxAgeDays ?? Infinity;
  let price = 0;
  let calls = 0;
  const sampleDays = keywordMaxAgeDays(keywords.length, budget.callsPerDay);
  const sweepPlan = createSweepPlan(memory, budget.callsPerDay);
  let fill = 0.5;

  for (const [item, isStored] of copy.stored.entries()) {
    if (isStored) create(item, world.startsAt, keywords[world.keywordOf[item] ?? -1] ?? null);
  }
  for (const keyword of keywords) {
    const known = items.flatMap((item) => (item?.keyword === keyword ? [item] : []));
    const weight = known.reduce((sum, item) => sum + item.weight, 0);
    keyword.watermark = Math.max(
      -Infinity,
      ...known.map((item) => world.modifiedAtStart[item.itemId] ?? 0),
    );
    keyword.newest = priorYield(weight * NEW_SHARE, known.length * NEW_SHARE);
  }
  const heads = createHeadPages(memory, world, index);
  for (const shop of shops) shopsByDue.set(shop.index, world.startsAt);

  function create(itemId: number, at: number, keyword: SimKeyword | null): SimItem {
    const item = memory.add(itemId, at, keyword);
    if (rules.trueRates) {
      Object.assign(item, knownRate(world.trueRate[itemId] ?? 0));
      item.shop.bumpShare = world.trueBumpShare;
      item.shop.lossRate = world.trueLossRate[item.shop.index] ?? 0;
    }
    return item;
  }

  const going = (now: number) => ({ now, price, index, maxAgeDays });

  function refreshOffers(now: number): Offer[] {
    return dueOffers(
      shopsByDue,
      { now, price },
      {
        score(key) {
          const known = shops[key] ? memory.readShop(shops[key]) : [];
          const { items: best, value } = bestBatch(known, now, index.worthOf);
          // Not worth their share of the price yet: what waits behind them is to be seen.
          rescheduleItems(
            known.filter((item) => index.worthOf(item, now) < (0.9 * price) / BATCH),
            going(now),
          );
          const overdue = known.filter((item) => now - item.checkedAt >= maxAgeDays);
          const batch = overdue.length > 0 ? [...new Set([...overdue, ...best])] : best;
          const ids = batch.slice(0, BATCH).map((item) => item.itemId);
          const call: SimCall = { kind: "refresh", shop: key, items: ids };
          return { value, bid: overdue.length > 0 ? Infinity : value, call };
        },
        reschedule(key) {
          if (shops[key]) rescheduleShop(memory, shops[key], going(now));
        },
      },
    );
  }

  function keywordOffers(now: number): Offer[] {
    if (rules.kinds.feed) sweepPlan.renew(now, rules.kinds.head ? 1 : fill);
    return keywords.flatMap((keyword) => {
      const { keywordId, walk } = keyword;
      const offers: Offer[] = [];
      if (walk)
        offers.push({ value: 0, bid: Infinity, call: search(keywordId, walk.order, walk.start) });
      else if (rules.kinds.feed) {
        const days = now - keyword.feedScannedAt;
        const tried = now - Math.max(keyword.triedAt.modified, keyword.feedScannedAt);
        if (days >= keyword.scanIntervalDays || tried > sampleDays) {
          offers.push({ value: 0, bid: Infinity, call: search(keywordId, "modified", 0) });
        }
      }
      if (rules.kinds.discovery && !walk) {
        const days = now - keyword.newestAt;
        const { perCall } = expectCheck(keyword.newest, newestGrowth(days));
        offers.push({
          value: perCall,
          bid: days > NEWEST_MAX_AGE_DAYS ? Infinity : perCall,
          call: search(keywordId, "newest", 0),
        });
      }
      return offers;
    });
  }

  function choose(now: number): SimCall | null {
    sweepPlan.countCall();
    const offers = [
      ...refreshOffers(now),
      ...(rules.kinds.head ? heads.offers(now, price) : []),
      ...keywordOffers(now),
    ];
    const best = offers.reduce<Offer | null>((a, b) => (a && a.bid >= b.bid ? a : b), null);
    if (best && Number.isFinite(best.bid)) {
      price = nextThreshold(price, best.value, calls);
      calls += 1;
    }
    return best?.call ?? null;
  }

  function learn(call: SimCall, answer: Answer, now: number): void {
    const keyword = call.kind === "search" ? (keywords[call.keyword] ?? null) : null;
    const by = call.kind === "refresh" ? "refresh" : call.order === "modified" ? "feed" : "search";
    const touched = new Set<SimShop>();
    const lookedBefore: number[] = [];
    const shown = answer.seen.map((sighting) => {
      const known = items[sighting.item];
      lookedBefore.push(known?.checkedAt ?? -Infinity);
      if (known) see(known, sighting, { at: now, by });
      const item = known ?? create(sighting.item, now, keyword);
      if (!known) touched.add(item.shop);
      return item;
    });
    for (const itemId of answer.gone) {
      const item = items[itemId];
      if (item && !rules.trueRates) learnLoss(memory, item, now);
      memory.remove(itemId);
    }
    rescheduleItems(shown, going(now));
    if (call.kind === "refresh") {
      fill += 0.02 * (call.items.length / BATCH - fill);
      const shop = shops[call.shop];
      if (shop) touched.add(shop);
    } else if (call.order === "popular") {
      for (const item of heads.settle(call, shown, now, price)) touched.add(item.shop);
    } else if (keyword && (rules.kinds.feed || rules.kinds.discovery))
      settleWalk(keyword, call, { shown, lookedBefore, seen: answer.seen }, { now, price });
    for (const shop of touched) {
      if (!rules.trueRates) refreshShopRates(memory, shop);
      rescheduleShop(memory, shop, going(now));
    }
  }

  function see(item: SimItem, sighting: Sighting, look: Look): void {
    if (rules.trueRates) {
      item.checkedAt = look.at;
      item.suspect = false;
      return;
    }
    learnItem(memory, item, sighting, look);
    refreshShopRates(memory, item.shop);
  }

  return { choose, learn };
}
