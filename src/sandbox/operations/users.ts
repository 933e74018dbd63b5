import { z } from "zod";
import { shopRecord } from "../market/shops.ts";
import { operationsOf } from "./operation.ts";

const user = shopRecord.extend({
  mail_address: z.string().optional().describe("only with read_users_mail"),
});

export const usersOperations = [
  operationsOf("users")("GET /1/users/me", "shop information", {
    parameters: {},
    answer: z.object({ user }),
    run(_, { shop, scopes }) {
      const { mail_address, ...user } = shop;
      return { user: scopes.includes("read_users_mail") ? shop : user };
    },
  }),
];
