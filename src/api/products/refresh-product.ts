import { createHmac, hkdfSync } from "node:crypto";
import type { Context } from "hono";
import { readProduct, type ProductRecord } from "../../catalog/products.ts";
import { requestRefresh, type RefreshTicket } from "../../crawl/products/refresh-requests.ts";
import type { ApiDeps } from "../http/deps.ts";
import type { ApiEnv } from "../http/env.ts";
import { unavailableProblem } from "../http/failures.ts";
import { Problem } from "../http/problem.ts";
import { requireProduct, productDeleted } from "./product.ts";
import { createRefreshWatch } from "./refresh-watch.ts";
import { isFromOtherSite } from "../http/same-origin.ts";
import { toIso } from "../http/to-members.ts";
import { ageSeconds } from "./to-product.ts";

/** How much a refresh counts as demand, in opens. */
const interest = 3;
const waitMs = 2500;

export type Refreshed =
  /** Checked within the requested age, or just now. */
  | { state: "fresh"; record: ProductRecord }
  /** Not checked yet; the record is the present one. */
  | { state: "queued"; record: ProductRecord; etaSeconds: number };

/** Throws a Problem for an unknown or deleted product, and if no call is possible or useful. */
export type Refresh = (
  c: Context<ApiEnv>,
  itemId: number,
  minAgeSeconds: number,
) => Promise<Refreshed>;

type RefreshDeps = Pick<
  ApiDeps,
  "writeDb" | "replica" | "clock" | "budget" | "demand" | "clientAddress" | "opsToken"
>;

/** Requests a check of a product upstream, and waits a moment for the result. */
export function createRefresh(deps: RefreshDeps): Refresh {
  const { writeDb, clock, budget, demand } = deps;
  const clientOf = createClientId(deps);
  const watch = createRefreshWatch(writeDb, clock);
  const read = async (itemId: number): Promise<ProductRecord> => {
    const record = requireProduct(await readProduct(writeDb, itemId));
    if (record.deletedAt) throw productDeleted(record.deletedAt);
    return record;
  };
  /** The next reader of the product sees what is answered here. */
  const fresh = async (record: ProductRecord): Promise<Refreshed> => {
    await deps.replica?.catchUp();
    return { state: "fresh", record };
  };
  return async (c, itemId, minAgeSeconds) => {
    const before = await read(itemId);
    const askedAt = clock.now();
    demand.opened(itemId, interest);
    if (ageSeconds(before, askedAt) < minAgeSeconds) return fresh(before);
    const ticket = queued(
      await requestRefresh(writeDb, budget, { itemId, client: clientOf(c) }, askedAt),
      askedAt,
    );
    const outcome = await watch(ticket.requestId, waitMs);
    const after = await read(itemId);
    if (after.checkedAt > before.checkedAt) return fresh(after);
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
        detail: `today's calls for refresh on demand are used up; new calls are available at ${toIso(ticket.resumeAt)}`,
        headers: { "Retry-After": secondsUntil(ticket.resumeAt) },
      });
    case "share_spent":
      throw new Problem({
        status: 429,
        code: "refresh_share_spent",
        detail: `this address has used its share of today's calls for refresh on demand; new calls are available at ${toIso(ticket.resumeAt)}`,
        headers: { "Retry-After": secondsUntil(ticket.resumeAt) },
      });
    case "held":
      throw new Problem({
        status: 503,
        code: "crawl_held",
        detail: "the crawler makes no calls now; the product is shown as of its last check",
        headers: { "Retry-After": ticket.resumeAt ? secondsUntil(ticket.resumeAt) : "300" },
      });
  }
}

/** The answer was not usable for this product: a held deletion or an unreadable item. */
function unanswered(): Problem {
  return new Problem({
    ...unavailableProblem(
      "refresh_unanswered",
      "the upstream's answer was not usable for this product",
    ),
    headers: { "Retry-After": "60" },
  });
}

/**
 * The id in Postgres of the client whose share of the quota a request uses: an API key, else the address.
 * Pages of other sites use one share together without a key, because such a page could make all its
 * visitors spend theirs. Equal in all processes with the same ops token; readers of the database cannot
 * derive the address from it.
 */
function createClientId({
  opsToken,
  clientAddress,
}: Pick<ApiDeps, "opsToken" | "clientAddress">): (c: Context<ApiEnv>) => string {
  const key = Buffer.from(hkdfSync("sha256", opsToken, "", "kurabe client addresses", 32));
  const nameOf = (c: Context<ApiEnv>) => {
    const keyId = c.get("keyId") ?? null;
    if (keyId !== null) return `key ${keyId}`;
    return isFromOtherSite(c) ? "pages of other sites" : clientAddress(c);
  };
  return (c) => createHmac("sha256", key).update(nameOf(c)).digest("base64url");
}
