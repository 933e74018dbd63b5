import { settleAbsences, type RefreshAnswer } from "../../catalog/observing/deletions.ts";
import { defaultLossBounds, type LossBounds } from "../../catalog/observing/loss-guard.ts";
import type { Db, Tx } from "../../db/open.ts";
import { unlessHeld } from "../../db/transact.ts";
import type { RefreshPage } from "../../storefront/product.ts";
import { clearBackoffs, triesApartMs } from "../safety/backoff.ts";
import type { Offers, RefreshCall } from "../safety/planned-call.ts";
import { toDays } from "../scoring/days.ts";
import {
  postponeEmptyShops,
  setItemDue,
  setShopDue,
  noteLiving,
  readDueShop,
  readDueShops,
} from "../learning/due-shops.ts";
import {
  countAbsentBefore,
  noteEmptyAnswer,
  readEmptyAnswers,
  postponeItems,
  passOver,
} from "./unanswered.ts";
import {
  bestOf,
  dueAgainAt,
  rulesOf,
  shopDueAt,
  toIsolatedBatch,
  toPostpone,
  toUnreadBatch,
  type Batch,
} from "./batches.ts";
import { shopRead } from "../scoring/scoring.ts";
import { noteBatchFailure, noteBatchSuccess, readIsolatedDue } from "../safety/product-backoffs.ts";
import type { PlannerState } from "../learning/planner-state.ts";
import type { Reason } from "../scoring/reason.ts";

/** Shops read at once, shops read in all, and the offers after which reading ends. */
const shopsRead = 8;
const shopsScored = 48;
const goodShops = 6;

/** A shop none of whose products can be read, while another one is tried, waits so many days. */
const triedLaterDays = 1 / 24;

/** Refresh batches: up to 50 ids of one shop, whose value is the sum of its checks. */
export function createRevalidation(
  db: Db,
  state: PlannerState,
  lossBounds: LossBounds = defaultLossBounds,
) {
  const busy = new Set<number>();
  const rules = () => rulesOf(state);
  const toCall = createToCall(state, lossBounds, busy);
  /** When a shop none of whose products can be read was tried. */
  let triedAtMs = -Infinity;
  const mayTry = (now: Date) =>
    Math.abs(now.getTime() - triedAtMs) >= triesApartMs(state.callsPerDay);
  const toTry = (batch: Batch, now: Date): RefreshCall => {
    const call = toCall(batch);
    return {
      ...call,
      take() {
        triedAtMs = now.getTime();
        call.take();
      },
    };
  };

  return {
    /** The call for a batch that another part of the planner put together. */
    toCall,
    /** The batch of a wholly empty answer that is to be confirmed. */
    async nextDoubtful(now: Date): Promise<RefreshCall | null> {
      const waiting = await readEmptyAnswers(db, now);
      const next = waiting.find(({ itemIds }) => !itemIds.some((id) => busy.has(id)));
      if (!next) return null;
      const { shopId, itemIds } = next;
      const why: Reason = { code: "second_check", shopId, products: itemIds.length };
      return toCall({ shopId, itemIds, value: Infinity, why });
    },

    /** The best batches of the shops that are due, and an isolated product that is due. */
    async offers(now: Date, most = goodShops): Promise<Offers<RefreshCall>> {
      const at = toDays(now);
      const calls: RefreshCall[] = [];
      const seen: string[] = [];
      const later: { shopId: string; dueAt: number }[] = [];
      const postponed: { itemId: number; dueAt: number }[] = [];
      const empty: string[] = [];
      const forgotten: string[] = [];
      let isTried = !mayTry(now);
      const isolated = state.backoffs.leavesFailed() ? null : await readIsolatedDue(db, now);
      if (isolated && !busy.has(isolated.itemId)) calls.push(toCall(toIsolatedBatch(isolated)));
      while (calls.length < most && seen.length < Math.max(shopsScored, most)) {
        const shops = await readDueShops(
          db,
          {
            shops: shopsRead,
            skip: seen,
            items: shopRead,
            busy,
            now,
            leaveFailed: state.backoffs.leavesFailed(),
          },
          state.context(),
        );
        for (const shop of shops) {
          const { shopId, dueAt, items, isPart } = shop;
          seen.push(shopId);
          if (items.length === 0) {
            // None of its products can be requested now: it must not hide shops that have some.
            const unread = isPart ? null : toUnreadBatch(shop, at);
            if (isPart) forgotten.push(shopId);
            else if (unread && isTried) later.push({ shopId, dueAt: at + triedLaterDays });
            else if (unread) calls.push(toTry(unread, now));
            else if (dueAt <= at) empty.push(shopId);
            isTried ||= unread !== null;
            continue;
          }
          const best = bestOf(shop, rules(), at);
          postponed.push(...toPostpone(items, rules(), at));
          const isEarly = !isPart && dueAt <= at && best.value < 0.9 * state.threshold();
          const next = isEarly ? dueAgainAt(shop, rules(), at) : at;
          if (next > at) later.push({ shopId, dueAt: next });
          else calls.push(toCall(best));
        }
        const isLast = shops.length < shopsRead || shops.some((shop) => shop.dueAt > at);
        if (isLast) break;
      }
      return {
        calls,
        async postpone() {
          if (later.length + postponed.length + empty.length + forgotten.length === 0) return;
          await db.transaction(async (tx) => {
            await setItemDue(tx, postponed);
            await setShopDue(tx, later);
            await postponeEmptyShops(tx, empty, at);
            await clearBackoffs(tx, "shop", forgotten);
          });
        },
      };
    },
  };
}

/** Returns what makes the call for a batch. Products of calls under way are `busy`. */
function createToCall(
  state: PlannerState,
  lossBounds: LossBounds,
  busy: Set<number>,
): (batch: Batch) => RefreshCall {
  async function rescheduleShop(tx: Tx, shopId: string, at: Date): Promise<void> {
    const want = { items: shopRead, busy: [], now: at };
    const shop = await readDueShop(tx, shopId, want, state.context());
    if (shop)
      await setShopDue(tx, [{ shopId, dueAt: shopDueAt(shop, rulesOf(state), toDays(at)) }]);
  }

  return (batch) => {
    const { shopId, itemIds, value, why, isRetry = false } = batch;
    return {
      job: "revalidate",
      purpose: "revalidation",
      operation: "refresh",
      value,
      why,
      isRetry,
      shopId,
      itemIds,
      async settle(tx, sighting, page, result) {
        const absentBefore = await countAbsentBefore(tx, sighting, batch);
        const answer = toAnswer(batch, page, absentBefore);
        const absences = await settleAbsences(tx, sighting, answer, lossBounds);
        const doubtful = absences.verdict === "confirm" ? absences.absent : [];
        const settled = itemIds.filter((id) => !doubtful.includes(id));
        await unlessHeld(tx, (part) =>
          noteEmptyAnswer(part, sighting, { shopId, itemIds: doubtful, settled }),
        );
        const at = sighting.sentAt;
        await state.learn(tx, result.observed, { at, queryId: null, byFeed: false });
        const shown = answer.returned.length;
        if (absences.verdict === "deleted")
          await state.learnLosses(tx, sighting, { shopId, shown });
        await postponeItems(tx, doubtful, at);
        const isNoted = await unlessHeld(tx, async (part) => {
          await noteBatchSuccess(part, batch);
          await passOver(part, { shopId, itemIds: settled }, page, sighting);
        });
        if (!isNoted) await postponeItems(tx, unshown(settled, page), at);
        if (shown * 2 > itemIds.length) await noteLiving(tx, shopId);
        await rescheduleShop(tx, shopId, at);
        return {
          gone: absences.verdict === "deleted" ? absences.deleted : 0,
          doubtful,
        };
      },
      async failed(tx, failure) {
        if (failure.kind === "doubted") await postponeItems(tx, itemIds, failure.at);
        return noteBatchFailure(tx, batch, failure);
      },
      take() {
        for (const id of itemIds) busy.add(id);
      },
      release() {
        for (const id of itemIds) busy.delete(id);
      },
    };
  };
}

function unshown(itemIds: readonly number[], page: RefreshPage): number[] {
  const shown = new Set(page.items.map((item) => item.itemId));
  return itemIds.filter((id) => !shown.has(id));
}

/** `absentBefore`: for how many of its products an earlier call had none. */
function toAnswer(
  { shopId, itemIds }: Batch,
  page: RefreshPage,
  absentBefore: number,
): RefreshAnswer {
  const broken = page.broken.map((item) => item.itemId);
  const shown = page.items.map((item) => item.itemId);
  const isEmpty = shown.length + broken.length === 0;
  return {
    shopId,
    asked: itemIds,
    returned: [...shown, ...broken.filter((id) => id !== null)],
    anonymous: broken.includes(null),
    absentBefore,
    confirmsEmpty: isEmpty && absentBefore === new Set(itemIds).size,
  };
}
