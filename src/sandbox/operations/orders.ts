import { z } from "zod";
import { deliveryCompanies, orderMoves } from "../assumptions.ts";
import { cutWindow, orderBody, orderDetailBody, window } from "./bodies.ts";
import { bearer } from "./operation.ts";
import { assumed, inPath, refusal, whole, written } from "./parameters.ts";

const seconds = whole(0, 100_000_000_000);
const uniqueKey = written(1, 100);

export const ordersOperations = [
  bearer({
    id: "orders",
    method: "GET",
    path: "/1/orders",
    purpose: "list orders",
    scope: "read_orders",
    parameters: {
      start_ordered: assumed(seconds.optional(), "ordered at this unix second or later"),
      end_ordered: assumed(seconds.optional(), "ordered at this unix second or before"),
      ...window,
    },
    answer: z.object({ orders: z.array(orderBody) }),
    run({ start_ordered = 0, end_ordered = Infinity, ...cut }, { market, shop }) {
      const orders = market.orders
        .ofShop(shop.shop_id)
        .filter(({ ordered }) => ordered >= start_ordered && ordered <= end_ordered);
      return { orders: cutWindow(orders, cut).map((order) => orderBody.parse(order)) };
    },
  }),
  bearer({
    id: "orders-detail",
    method: "GET",
    path: "/1/orders/detail/:unique_key",
    purpose: "one order",
    scope: "read_orders",
    parameters: { unique_key: inPath(uniqueKey, "the order") },
    answer: z.object({ order: orderDetailBody }),
    run: ({ unique_key }, { market, shop }) => ({
      order: orderDetailBody.parse(market.orders.get(shop.shop_id, unique_key)),
    }),
  }),
  bearer({
    id: "orders-edit-status",
    method: "POST",
    path: "/1/orders/edit_status",
    purpose: "update an order's status",
    scope: "write_orders",
    parameters: {
      unique_key: assumed(uniqueKey, "the order"),
      status: assumed(z.enum(orderMoves), "what it becomes; only from `ordered`"),
      delivery_company_id: assumed(whole(1, 1_000).optional(), "when dispatched: by whom"),
      tracking_number: assumed(written(1, 100).optional(), "when dispatched: the parcel's number"),
    },
    answer: z.object({ order: orderDetailBody }),
    run({ unique_key, status, delivery_company_id = null, tracking_number = null }, call) {
      const { orders } = call.market;
      const order = orders.get(call.shop.shop_id, unique_key);
      const isKnown = deliveryCompanies.some((c) => c.delivery_company_id === delivery_company_id);
      if (delivery_company_id !== null && !isKnown) throw refusal("delivery_company_id");
      const changed =
        status === "cancelled"
          ? orders.cancel(order)
          : orders.dispatch(order, { delivery_company_id, tracking_number });
      return { order: orderDetailBody.parse(changed) };
    },
  }),
];
