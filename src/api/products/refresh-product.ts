import type { Context } from "hono";
import { readProduct, type ProductRecord } from "../../catalog/products.ts";
import { requestRefresh, type RefreshTicket } from "../../crawl/products/refresh-requests.ts";
import { createClientMark } from "./client-mark.ts";
import type { ApiDeps } from "../http/deps.ts";
import type { ApiEnv } from "../http/env.ts";
import { unavailableProblem } from "../http/failures.ts";
import { Problem } from "../http/problem.ts";
import { requireProduct, productDeleted } from "./product.ts";
import { createRefreshWatch } from "./refresh-watch.ts";
import { refuseOtherSites } from "../http/same-origin.ts";
import { ageSeconds, toIso } from "./to-product.ts";

/** What a refresh tells of somebody's interest, in opens. */
const interest = 3;
const waitMs = 2500;

export type Refreshed =
  /** Checked within the age asked for, or just now. */
  | { state: "fresh"; record: ProductRecord }
  /** Not yet; the record is what is known so far. */
  | { state: "queued"; record: ProductRecord; etaSeconds: number };

/** Throws a Problem for an unknown or gone product, and where no call can be made or brought nothing. */
export type Refresh = (
  c: Context<ApiEnv>,
  itemId: number,
  minAgeSeconds: number,
) => Promise<Refreshed>;

type RefreshDeps = Pick<
  ApiDeps,
  "writeDb" | "clock" | "budget" | "demand" | "clientAddress" | "opsToken"
>;

/** Has a product looked at upstream, and waits a moment for what comes back. */
export function createRefresh(deps: RefreshDeps): Refresh {
  const { writeDb, clock, budget, demand } = deps;
  const clientOf = createClientMark(deps);
  const watch = createRefreshWatch(writeDb, clock);
  const read = async (itemId: number): Promise<ProductRecord> => {
    const record = requireProduct(await readProduct(writeDb, itemId));
    if (record.deletedAt) throw productDeleted(record.deletedAt);
    return record;
  };
  return async (c, itemId, minAgeSeconds) => {
    refuseOtherSites(c);
    const before = await read(itemId);
    const askedAt = clock.now();
    demand.opened(itemId, interest);
    if (ageSeconds(before, askedAt) < minAgeSeconds) return { state: "fresh", record: before };
    const ticket = queued(
      await requestRefresh(writeDb, budget, { itemId, client: clientOf(c) }, askedAt),
      askedAt,
    );
    const outcome = await watch(ticket.requestId, waitMs);
    const after = await read(itemId);
    if (after.checkedAt > before.checkedAt) return { state: "fresh", record: after };
    if (outcome !== null && outcome !== "lapsed") throw unanswered();
    return { state: "queued", record: after, etaSeconds: ticket.etaSeconds };
  };
}

function queued(ticket: RefreshTicket, now: Date): Extract<RefreshTicket, { verdict: "queued" }> {
  const secondsUntil = (at: Date) =>
    String(Math.max(1, Math.ceil((at.getTime() - now.getTime()) / 1000)));
  switch (ticket.verdict) {
    case "queued":
      return ticket;
    case "spent":
      throw new Problem({
        status: 429,
        code: "on_demand_quota_spent",
        detail: `the day's calls for refresh on demand are spent; new ones come at ${toIso(ticket.resumeAt)}`,
        headers: { "Retry-After": secondsUntil(ticket.resumeAt) },
      });
    case "share_spent":
      throw new Problem({
        status: 429,
        code: "refresh_share_spent",
        detail: `this address has spent its share of the day's calls for refresh on demand; new ones come at ${toIso(ticket.resumeAt)}`,
        headers: { "Retry-After": secondsUntil(ticket.resumeAt) },
      });
    case "held":
      throw new Problem({
        status: 503,
        code: "crawl_held",
        detail: "no calls are made upstream for now; the product is shown as it was last checked",
        headers: { "Retry-After": ticket.resumeAt ? secondsUntil(ticket.resumeAt) : "300" },
      });
  }
}

/** Asked, and what came back could not be used for this product: held losses, unreadable items. */
function unanswered(): Problem {
  return new Problem({
    ...unavailableProblem(
      "refresh_unanswered",
      "the upstream's answer said nothing usable of this product",
    ),
    headers: { "Retry-After": "60" },
  });
}
