import { z } from "zod";
import { calendarDay } from "../../lib/calendar.ts";
import { payout, savingStatuses } from "../assumptions.ts";
import { type Journal, createRecords, type Ids } from "../state/journal.ts";
import type { Order, Orders } from "./orders.ts";

const time = z.int().describe("unix seconds");

export const savingRecord = z.object({
  saving_id: z.int(),
  shop_id: z.string(),
  status: z.enum(savingStatuses),
  /** The sum of the orders, and the fee of the transfer. */
  drawings: z.int(),
  transfer_charge: z.int(),
  order_count: z.int(),
  created: time,
  /** null: not yet. */
  transferred: time.nullable(),
});

type Saving = z.infer<typeof savingRecord>;

export function createPayouts(options: {
  journal: Journal;
  orders: Orders;
  ids: Ids;
  timezone: string;
  nowSeconds: () => number;
}) {
  const { orders, ids, timezone, nowSeconds } = options;
  const records = createRecords(options.journal, "saving", savingRecord);
  const dayOf = (seconds: number) => calendarDay(new Date(seconds * 1000), timezone);

  function request(due: readonly Order[], shopId: string, now: number): void {
    const drawings = due.reduce((sum, order) => sum + order.total, 0);
    // A sum smaller than the fee waits for more orders.
    if (drawings <= payout.transferCharge) return;
    const saving: Saving = {
      saving_id: ids.next("saving"),
      shop_id: shopId,
      status: "requested",
      drawings,
      transfer_charge: payout.transferCharge,
      order_count: due.length,
      created: now,
      transferred: null,
    };
    records.put(String(saving.saving_id), saving);
    for (const order of due) orders.markPaidOut(order, saving.saving_id);
  }

  return {
    /** Newest first. */
    ofShop: (shopId: string) =>
      [...records.values()]
        .filter((saving) => saving.shop_id === shopId)
        .toSorted((a, b) => b.saving_id - a.saving_id),
    /** Requests payouts for the orders dispatched before today, and transfers those that are due. */
    run(): void {
      const now = nowSeconds();
      const today = dayOf(now);
      const due = new Map<string, Order[]>();
      for (const order of orders.unpaid()) {
        if (order.dispatched === null || dayOf(order.dispatched) === today) continue;
        due.set(order.shop_id, [...(due.get(order.shop_id) ?? []), order]);
      }
      for (const [shopId, all] of due) request(all, shopId, now);
      for (const saving of records.values()) {
        const isDue = now - saving.created >= payout.transferredAfterSeconds;
        if (saving.transferred !== null || !isDue) continue;
        records.put(String(saving.saving_id), {
          ...saving,
          status: "transferred",
          transferred: now,
        });
      }
    },
  };
}
