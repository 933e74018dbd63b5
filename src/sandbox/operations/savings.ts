import { z } from "zod";
import { cutWindow, savingBody, window } from "./bodies.ts";
import { bearer } from "./operation.ts";

export const savingsOperations = [
  bearer({
    id: "savings",
    method: "GET",
    path: "/1/savings",
    purpose: "list payout requests",
    scope: "read_savings",
    parameters: window,
    answer: z.object({ savings: z.array(savingBody) }),
    run: (cut, { market, shop }) => ({
      savings: cutWindow(market.payouts.ofShop(shop.shop_id), cut).map((row) =>
        savingBody.parse(row),
      ),
    }),
  }),
];
