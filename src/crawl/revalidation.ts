import { sql } from "drizzle-orm";
import { settleAbsences } from "../catalog/deletions.ts";
import type { Db, Tx } from "../db/open.ts";
import type { RefreshCall } from "./call.ts";
import { fromDays, toDays } from "./days.ts";
import {
  clearEmptyAnswers,
  noteEmptyAnswer,
  readEmptyAnswers,
  wasEmptyBefore,
} from "./empty-answers.ts";
import { learn, learnLosses } from "./learning.ts";
import { BATCH, SHOP_READ, batchDueAt, bestBatch, itemDueAt, itemWorth } from "./plan.ts";
import { createRefusedBatches, quarantineRefused } from "./refused-batch.ts";
import type { PlannerState } from "./state.ts";
import { lockShops, readDueShops, readShopItems, type DueItem } from "./statistics.ts";
import { HORIZON_DAYS } from "./value.ts";
import type { Reason } from "./reason.ts";

/** Shops read at once, and in all, until so many offers stand. */
const SHOPS_READ = 8;
const SHOPS_SCORED = 48;
const GOOD_SHOPS = 6;

export interface Batch {
  shopId: string;
  itemIds: number[];
  worth: number;
  why: Reason;
}

export interface Revalidation {
  /** The call for a batch that somebody else put together. */
  toCall(batch: Batch): RefreshCall;
  /** A batch whose wholly empty answer waits to be confirmed, or a part of a refused one. */
  nextDoubtful(now: Date): Promise<RefreshCall | null>;
  /** The best batches of the shops that are due. */
  offers(now: Date, most?: number): Promise<RefreshCall[]>;
  /** The next batch of a pass over everything that was there when the pass began. */
  nextOfPass(runId: number): Promise<RefreshCall | null>;
  endPass(runId: number): void;
}

/** Refresh batches: up to 50 ids of one shop, valued by what the looks at them are worth together. */
export function createRevalidation(db: Db, state: PlannerState): Revalidation {
  const busy = new Set<number>();
  /** Calls whose empty answers this process has asked about again: once is enough, whatever came of it. */
  const askedAgain = new Set<number>();
  const refused = createRefusedBatches();
  const passes = new Map<number, { shopId: string; itemId: number }>();
  const context = () => ({ totals: state.totals(), keywords: state.keywords(), busy });

  function toCall(batch: Batch, taken?: () => void): RefreshCall {
    const { shopId, itemIds, worth, why } = batch;
    return {
      job: "revalidate",
      purpose: "revalidation",
      operation: "refresh",
      worth,
      why,
      shopId,
      itemIds,
      async settle(tx, sighting, page, result) {
        const broken = page.broken.map((item) => item.itemId);
        const isEmpty = page.items.length + page.broken.length === 0;
        const absences = await settleAbsences(tx, sighting, {
          shopId,
          asked: itemIds,
          returned: [
            ...page.items.map((item) => item.itemId),
            ...broken.filter((id) => id !== null),
          ],
          anonymous: broken.includes(null),
          confirmsEmpty: isEmpty && (await wasEmptyBefore(tx, sighting, { shopId, itemIds })),
        });
        if (absences.verdict === "confirm")
          await noteEmptyAnswer(tx, sighting, { shopId, itemIds });
        else await clearEmptyAnswers(tx, itemIds);
        const at = sighting.sentAt;
        await learn(tx, result.observed, {
          at,
          price: state.price(),
          floorDays: state.floorDays(),
          totals: state.totals(),
          keywords: state.keywords(),
          queryId: null,
          byFeed: false,
          ranks: new Map(),
        });
        if (absences.verdict === "gone") await learnLosses(tx, sighting, shopId);
        await passOver(
          tx,
          itemIds,
          result.observed.map((one) => one.itemId),
          at,
        );
        await rescheduleShop(tx, shopId, at);
        return {
          gone: absences.verdict === "gone" ? absences.gone : 0,
          committed() {},
        };
      },
      async refused(tx, message, at, callId) {
        const left = refused.divide(batch);
        await passOver(tx, left, [], at);
        const [itemId] = itemIds;
        if (itemIds.length > 1 || itemId === undefined) return;
        await quarantineRefused(tx, { callId, itemId, message, at });
      },
      doubted: (tx, _message, at) => passOver(tx, itemIds, [], at),
      take() {
        refused.taken(batch);
        for (const id of itemIds) busy.add(id);
        taken?.();
      },
      release() {
        for (const id of itemIds) busy.delete(id);
      },
    };
  }

  async function rescheduleShop(tx: Tx, shopId: string, at: Date): Promise<void> {
    const items = await readShopItems(tx, shopId, SHOP_READ, { ...context(), busy: [] });
    await setShopDue(tx, [{ shopId, dueAt: shopDueAt(items, toDays(at)) }]);
  }

  /** When a batch is worth the going price, or the floor asks for one of the items. */
  function shopDueAt(items: readonly DueItem[], at: number): number {
    if (items.length === 0) return at + HORIZON_DAYS;
    const floorAt = Math.min(
      ...items.map((item) => Math.max(item.dueAt, item.checkedAt + state.floorDays())),
    );
    return Math.min(floorAt, batchDueAt(items, at, state.price()));
  }

  /** The batch of most worth; what the floor asks for goes first, whatever it is worth. */
  function bestOf(shopId: string, items: readonly DueItem[], at: number): Batch {
    const overdue = items.filter(
      (item) => item.dueAt <= at && at - item.checkedAt >= state.floorDays(),
    );
    const rest = items.filter((item) => !overdue.includes(item));
    const chosen = [...overdue, ...bestBatch(rest, at).items].slice(0, BATCH);
    const { worth } = bestBatch(chosen, at);
    const others = chosen.length - overdue.length;
    const why: Reason =
      overdue.length > 0
        ? { code: "overdue", shopId, overdue: overdue.length, days: state.floorDays(), others }
        : { code: "worthwhile", shopId, products: chosen.length, worth };
    return {
      shopId,
      itemIds: chosen.map((item) => item.itemId),
      worth: overdue.length > 0 ? Infinity : worth,
      why,
    };
  }

  /** What is not worth its share of the price yet, in a shop too large to be read whole: what waits behind it is to be seen. */
  function toPostpone(items: readonly DueItem[], at: number): { itemId: number; dueAt: number }[] {
    if (items.length < SHOP_READ) return [];
    const share = state.price() / BATCH;
    return items.flatMap((item) => {
      if (item.dueAt > at || item.suspect || itemWorth(item, at) >= 0.9 * share) return [];
      const floorAt = item.checkedAt + state.floorDays();
      const dueAt = Math.min(floorAt, itemDueAt(item, share, at));
      return dueAt > at ? [{ itemId: item.itemId, dueAt }] : [];
    });
  }

  return {
    toCall,
    async nextDoubtful(now) {
      const waiting = await readEmptyAnswers(db, now);
      const known = new Set(waiting.map((one) => one.callId));
      for (const callId of askedAgain) if (!known.has(callId)) askedAgain.delete(callId);
      const next = waiting.find(
        ({ callId, itemIds }) => !askedAgain.has(callId) && !itemIds.some((id) => busy.has(id)),
      );
      if (next) {
        const { callId, shopId, itemIds } = next;
        const why: Reason = { code: "second_look", shopId, products: itemIds.length };
        return toCall({ shopId, itemIds, worth: Infinity, why }, () => askedAgain.add(callId));
      }
      const part = refused.next();
      return part && toCall(part);
    },

    async offers(now, most = GOOD_SHOPS) {
      const at = toDays(now);
      const offers: RefreshCall[] = [];
      const seen: string[] = [];
      const early: { shopId: string; dueAt: number }[] = [];
      const postponed: { itemId: number; dueAt: number }[] = [];
      while (offers.length < most && seen.length < Math.max(SHOPS_SCORED, most)) {
        const shops = await readDueShops(
          db,
          { shops: SHOPS_READ, skip: seen, items: SHOP_READ },
          context(),
        );
        for (const { shopId, dueAt, items } of shops) {
          seen.push(shopId);
          if (items.length === 0) continue;
          const best = bestOf(shopId, items, at);
          postponed.push(...toPostpone(items, at));
          const isEarly = dueAt <= at && best.worth < 0.9 * state.price();
          const later = isEarly ? shopDueAt(items, at) : at;
          if (later > at) early.push({ shopId, dueAt: later });
          else offers.push(toCall(best));
        }
        const isLast = shops.length < SHOPS_READ || shops.some((shop) => shop.dueAt > at);
        if (isLast) break;
      }
      if (early.length > 0 || postponed.length > 0) {
        await db.transaction(async (tx) => {
          await setItemDue(tx, postponed);
          await setShopDue(tx, early);
        });
      }
      return offers;
    },

    endPass: (runId) => passes.delete(runId),

    async nextOfPass(runId) {
      const from = passes.get(runId) ?? { shopId: "", itemId: 0 };
      const rows = await db.execute<{ item_id: number; shop_id: string }>(sql`
        select item_id, shop_id from product
        where state <> 'gone' and (shop_id, item_id) > (${from.shopId}, ${from.itemId})
          and first_seen_at <= (select started_at from job_run where id = ${runId})
        order by shop_id, item_id limit ${BATCH}`);
      const first = rows[0];
      if (!first) return null;
      const itemIds = rows.filter((row) => row.shop_id === first.shop_id).map((row) => row.item_id);
      const { shop_id: shopId } = first;
      const why: Reason = { code: "pass", shopId, products: itemIds.length };
      const last = Math.max(...itemIds);
      return toCall({ shopId, itemIds, worth: Infinity, why }, () =>
        passes.set(runId, { shopId, itemId: last }),
      );
    },
  };
}

/** In a transaction when there are several: shops are locked in one order before they are written. */
async function setShopDue(
  tx: Tx,
  shops: readonly { shopId: string; dueAt: number }[],
): Promise<void> {
  if (shops.length === 0) return;
  await lockShops(
    tx,
    shops.map((shop) => shop.shopId),
  );
  const rows = shops.map(({ shopId, dueAt }) => ({
    shop_id: shopId,
    due_at: fromDays(dueAt).toISOString(),
  }));
  await tx.execute(sql`
    update shop s set due_at = x.due_at
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as x(shop_id text, due_at timestamptz)
    where s.shop_id = x.shop_id`);
}

async function setItemDue(
  tx: Tx,
  items: readonly { itemId: number; dueAt: number }[],
): Promise<void> {
  if (items.length === 0) return;
  const rows = items.map(({ itemId, dueAt }) => ({
    item_id: itemId,
    due_at: fromDays(dueAt).toISOString(),
  }));
  await tx.execute(sql`
    with due as (
      select x.item_id, x.due_at
      from json_to_recordset(${JSON.stringify(rows)}::text::json) as x(item_id bigint, due_at timestamptz)
      join product p using (item_id) order by item_id for no key update of p
    )
    update product p set due_at = d.due_at from due d where p.item_id = d.item_id`);
}

/** Asked for, but neither shown nor proven gone: they wait a while instead of holding up the others. */
const PASSED_OVER_DAYS = 0.25;

async function passOver(
  tx: Tx,
  asked: readonly number[],
  shown: readonly number[],
  at: Date,
): Promise<void> {
  const known = new Set(shown);
  const dueAt = toDays(at) + PASSED_OVER_DAYS;
  const others = asked.filter((id) => !known.has(id));
  await setItemDue(
    tx,
    others.map((itemId) => ({ itemId, dueAt })),
  );
}
