import { z } from "zod";
import { deliveryCompanies, orderMoves } from "../assumptions.ts";
import { orderRecord } from "../market/orders.ts";
import { savingRecord } from "../market/payouts.ts";
import { cutWindow, window } from "./bodies.ts";
import { operationsOf } from "./operation.ts";
import { assumed, inPath, refusal, whole, written } from "./parameters.ts";

const seconds = whole(0, 100_000_000_000);
const uniqueKey = written(1, 100);
const detail = orderRecord.omit({ shop_id: true, saving_id: true });
const orders = z.array(
  detail.omit({ order_items: true, delivery_company_id: true, tracking_number: true }),
);
const oneOrder = z.object({ order: detail });
const operation = operationsOf("orders");

export const ordersOperations = [
  operation("GET /1/orders", "list orders", {
    parameters: {
      start_ordered: assumed(seconds.optional(), "ordered at this unix second or later"),
      end_ordered: assumed(seconds.optional(), "ordered at this unix second or before"),
      ...window,
    },
    answer: z.object({ orders }),
    run({ start_ordered = 0, end_ordered = Infinity, ...cut }, { market, shop }) {
      const orders = market.orders
        .ofShop(shop.shop_id)
        .filter(({ ordered }) => ordered >= start_ordered && ordered <= end_ordered);
      return { orders: cutWindow(orders, cut) };
    },
  }),
  operation("GET /1/orders/detail/:unique_key", "one order", {
    parameters: { unique_key: inPath(uniqueKey, "the order") },
    answer: oneOrder,
    run: ({ unique_key }, { market, shop }) => ({
      order: market.orders.get(shop.shop_id, unique_key),
    }),
  }),
  operation("POST /1/orders/edit_status", "update an order's status", {
    parameters: {
      unique_key: assumed(uniqueKey, "the order"),
      status: assumed(z.enum(orderMoves), "what it becomes; only from `ordered`"),
      delivery_company_id: assumed(whole(1, 1_000).optional(), "when dispatched: by whom"),
      tracking_number: assumed(written(1, 100).optional(), "when dispatched: the parcel's number"),
    },
    answer: oneOrder,
    run({ unique_key, status, delivery_company_id = null, tracking_number = null }, call) {
      const { orders } = call.market;
      const order = orders.get(call.shop.shop_id, unique_key);
      const isKnown = deliveryCompanies.some((c) => c.delivery_company_id === delivery_company_id);
      if (delivery_company_id !== null && !isKnown) throw refusal("delivery_company_id");
      const parcel = { delivery_company_id, tracking_number };
      return {
        order: status === "cancelled" ? orders.cancel(order) : orders.dispatch(order, parcel),
      };
    },
  }),
  operationsOf("savings")("GET /1/savings", "list payout requests", {
    parameters: window,
    answer: z.object({ savings: z.array(savingRecord.omit({ shop_id: true })) }),
    run: (cut, { market, shop }) => ({
      savings: cutWindow(market.payouts.ofShop(shop.shop_id), cut),
    }),
  }),
  operation("GET /1/delivery_companies", "list delivery companies", {
    parameters: {},
    answer: z.object({
      delivery_companies: z.array(z.object({ delivery_company_id: z.int(), name: z.string() })),
    }),
    run: () => ({ delivery_companies: deliveryCompanies }),
  }),
];
