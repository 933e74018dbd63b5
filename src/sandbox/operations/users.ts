import { z } from "zod";
import { shopRecord } from "../market/shops.ts";
import { bearer } from "./operation.ts";

const shopBody = shopRecord.extend({
  mail_address: z.string().optional().describe("only with read_users_mail"),
});

export const usersOperations = [
  bearer({
    id: "users-me",
    method: "GET",
    path: "/1/users/me",
    purpose: "shop information",
    scope: "read_users",
    parameters: {},
    answer: z.object({ user: shopBody }),
    run(_, { shop, scopes }) {
      const { mail_address, ...user } = shop;
      return { user: scopes.includes("read_users_mail") ? { ...user, mail_address } : user };
    },
  }),
];
