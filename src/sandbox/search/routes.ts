import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { Hono, type Context } from "hono";
import { ApiError, isSpecifiedError } from "../api-errors.ts";
import type { CallLog, SearchAccount, SearchOperation } from "./calls.ts";
import type { Catalog } from "../catalogue/catalog.ts";
import { playWireFault, spoilItems, type FaultQueue } from "./faults.ts";
import { withOwnPictures } from "../catalogue/pictures.ts";
import { jsonReply } from "../http.ts";
import {
  answerRefresh,
  answerSearch,
  askedIds,
  type Answer,
  type Params,
  type SearchIndex,
} from "./search.ts";

export interface SearchRoutesOptions {
  catalog: Catalog;
  index: SearchIndex;
  accounts: readonly SearchAccount[];
  calls: CallLog;
  faults: FaultQueue;
}

type SandboxContext = Context<{ Bindings: HttpBindings }>;

/** The Search group of the Storefront Commerce API (sections 4.1, 4.2, 5.3, 7 and 8). */
export function createSearchRoutes(options: SearchRoutesOptions): Hono<{ Bindings: HttpBindings }> {
  const { catalog, index, calls, faults } = options;

  function operation(name: SearchOperation, answer: (params: Params) => Answer) {
    return (c: SandboxContext) => {
      const { client_id, client_secret, ...params } = c.req.query();
      const account = options.accounts.find(
        ({ clientId, clientSecret }) => client_id === clientId && client_secret === clientSecret,
      );
      const counted = account !== undefined;
      const asked = askedIds(params).filter((id) => id !== null);
      const record = (outcome: string, returned: number[] = []) =>
        calls.record({ operation: name, params, counted, outcome, asked, returned });
      try {
        if (!account) throw new ApiError("auth_error");
        if (!calls.admit(account.name)) throw new ApiError("day_api_limit");
        const fault = faults.take({ operation: name, params, asked });
        const outcome = fault === null ? "ok" : `fault:${fault.name}`;
        if (fault !== null && playWireFault(fault.name, c.env.outgoing)) {
          record(outcome);
          // Reading `body` makes a real Response of it: one of a replaced global `Response` would be sent.
          void RESPONSE_ALREADY_SENT.body;
          return RESPONSE_ALREADY_SENT;
        }
        if (fault !== null && isSpecifiedError(fault.name)) throw new ApiError(fault.name);
        const found = answer(params);
        const { origin } = new URL(c.req.url);
        const shown = found.items.map((item) => withOwnPictures(item, origin));
        const items = spoilItems(fault, shown);
        record(
          outcome,
          items.map((item) => Number(item["item_id"])),
        );
        return jsonReply(200, { ...found, items });
      } catch (error) {
        if (error instanceof ApiError) record(error.code);
        throw error;
      }
    };
  }

  return new Hono<{ Bindings: HttpBindings }>()
    .get(
      "/1/search",
      operation("search", (params) => answerSearch(index, params)),
    )
    .get(
      "/1/search/refresh",
      operation("refresh", (params) => answerRefresh(catalog, params)),
    );
}
