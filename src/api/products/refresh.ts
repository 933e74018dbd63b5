import { z } from "@hono/zod-openapi";
import { answerOnce } from "../http/answer.ts";
import type { ApiDeps, ApiContext } from "../http/deps.ts";
import { integerParam, orElse } from "../http/parameters.ts";
import {
  publicRoute,
  instantSchema,
  json,
  jsonAnswer,
  gone,
  notFound,
  createRoutes,
  locationOf,
  strict,
} from "../http/route.ts";
import { productParams, requireLiving } from "./product.ts";
import { productSchema } from "./product-schema.ts";
import { toIso } from "../http/to-members.ts";
import { toProduct, ageSeconds } from "./to-product.ts";
import { createHmac, hkdfSync } from "node:crypto";
import { readProduct, type ProductRecord } from "../../catalog/products.ts";
import {
  requestRefresh,
  type RefreshTicket,
  readSettled,
  type RefreshOutcome,
} from "../../crawl/products/refresh-requests.ts";
import { isFromOtherSite } from "../http/middleware/same-origin.ts";
import { refuse } from "../http/problems/problem.ts";
import type { Db } from "../../db/open.ts";
import type { Clock } from "../../lib/clock.ts";

const query = strict({
  min_age_s: orElse(integerParam(1, 86_400), 10, {
    description: "if the product was checked within this many seconds, the answer needs no call",
  }),
});

const queuedSchema = z
  .object({
    item_id: z.int(),
    status: z.literal("queued"),
    eta_s: z.int().describe("estimated seconds until it is checked"),
    checked_at: instantSchema.describe("last check so far"),
  })
  .openapi("QueuedRefresh");

const route = publicRoute("post /v1/products/{item_id}/refresh", {
  operationId: "refreshProduct",
  tags: ["products"],
  summary: "Check a product upstream now",
  description:
    "Uses the day's quota of calls for refresh on demand. Requests for products of one shop share a call, and one API key or, without a key, one address can use a fifth of the quota. Without a key all pages of other sites use one such fifth together. To wait longer, ask again: the same request continues.",
  request: { params: productParams, query },
  responses: {
    200: jsonAnswer("The product as it is now", productSchema),
    202: {
      description: "Queued; `Location` is the product, `Retry-After` says when to read it",
      content: json(queuedSchema),
      headers: {
        ...locationOf("The product"),
        "Retry-After": { $ref: "#/components/headers/Retry-After" },
      },
    },
    ...notFound,
    ...gone,
  },
});

export function refreshRoutes(deps: ApiDeps) {
  const refresh = createRefresh(deps);
  return createRoutes().openapi(route, async (c) => {
    const { item_id: itemId } = c.req.valid("param");
    const refreshed = await refresh(c, itemId, c.req.valid("query").min_age_s);
    if (refreshed.state === "fresh") {
      return answerOnce(c, toProduct(refreshed.record, deps.market, deps.clock.now()));
    }
    const body: z.infer<typeof queuedSchema> = {
      item_id: itemId,
      status: "queued",
      eta_s: refreshed.etaSeconds,
      checked_at: toIso(refreshed.record.checkedAt),
    };
    return c.json(body, 202, {
      Location: `/v1/products/${itemId}`,
      "Retry-After": String(refreshed.etaSeconds),
      "Cache-Control": "no-store",
    });
  });
}

/** How much a refresh counts as demand, in opens. */
const interest = 3;
const waitMs = 2500;

export type Refreshed =
  /** Checked within the requested age, or just now. */
  | { state: "fresh"; record: ProductRecord }
  /** Not checked yet; the record is the present one. */
  | { state: "queued"; record: ProductRecord; etaSeconds: number };

/** Throws a Problem for an unknown or deleted product, and if no call is possible or useful. */
export type Refresh = (c: ApiContext, itemId: number, minAgeSeconds: number) => Promise<Refreshed>;

type RefreshDeps = Pick<
  ApiDeps,
  "writeDb" | "replica" | "clock" | "budget" | "demand" | "clientAddress" | "opsToken"
>;

/** Requests a check of a product upstream, and waits a moment for the result. */
export function createRefresh(deps: RefreshDeps): Refresh {
  const { writeDb, clock, budget, demand } = deps;
  const clientOf = createClientId(deps);
  const watch = createRefreshWatch(writeDb, clock);
  const read = async (itemId: number) => requireLiving(await readProduct(writeDb, itemId));
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
    if (outcome !== null && outcome !== "lapsed") {
      // A held deletion, or an unreadable item.
      const detail = "the upstream's answer was not usable for this product";
      refuse(503, "refresh_unanswered", detail, { headers: { "Retry-After": "60" } });
    }
    return { state: "queued", record: after, etaSeconds: ticket.etaSeconds };
  };
}

function queued(ticket: RefreshTicket, now: Date): Extract<RefreshTicket, { verdict: "queued" }> {
  if (ticket.verdict === "queued") return ticket;
  const { resumeAt } = ticket;
  const seconds = resumeAt && Math.max(1, Math.ceil((resumeAt.getTime() - now.getTime()) / 1000));
  const more = { headers: { "Retry-After": String(seconds ?? 300) } };
  switch (ticket.verdict) {
    case "spent": {
      const detail = `today's calls for refresh on demand are used up; new calls are available at ${toIso(ticket.resumeAt)}`;
      return refuse(429, "on_demand_quota_spent", detail, more);
    }
    case "share_spent": {
      const detail = `this address has used its share of today's calls for refresh on demand; new calls are available at ${toIso(ticket.resumeAt)}`;
      return refuse(429, "refresh_share_spent", detail, more);
    }
    case "held": {
      const detail = "the crawler makes no calls now; the product is shown as of its last check";
      return refuse(503, "crawl_held", detail, more);
    }
  }
}

/**
 * The id in Postgres of the client whose share of the quota a request uses: an API key, else the address.
 * Pages of other sites use one share together without a key, because such a page could make all its
 * visitors spend theirs. Equal in all processes with the same ops token; readers of the database cannot
 * derive the address from it.
 */
function createClientId({ opsToken, clientAddress }: RefreshDeps) {
  const key = Buffer.from(hkdfSync("sha256", opsToken, "", "kurabe client addresses", 32));
  const nameOf = (c: ApiContext) => {
    const keyId = c.get("keyId") ?? null;
    if (keyId !== null) return `key ${keyId}`;
    return isFromOtherSite(c) ? "pages of other sites" : clientAddress(c);
  };
  return (c: ApiContext) => createHmac("sha256", key).update(nameOf(c)).digest("base64url");
}

const askEveryMs = 100;
/** Further callers do not wait; they are told to ask again. */
const maxWaiting = 500;

/**
 * Finds the outcome of a request, or null if it is still open after `timeoutMs`. One statement at a time reads
 * the outcomes for all waiting callers.
 */
function createRefreshWatch(db: Db, clock: Clock) {
  const waiting = new Map<number, number>();
  let asking: Promise<ReadonlyMap<number, RefreshOutcome>> | null = null;

  async function ask(): Promise<ReadonlyMap<number, RefreshOutcome>> {
    await clock.sleep(askEveryMs);
    asking = null;
    return readSettled(db, [...waiting.keys()]);
  }

  return async (requestId: number, timeoutMs: number): Promise<RefreshOutcome | null> => {
    if (waiting.size >= maxWaiting && !waiting.has(requestId)) return null;
    const deadlineMs = clock.monotonicMs() + timeoutMs;
    waiting.set(requestId, (waiting.get(requestId) ?? 0) + 1);
    try {
      while (clock.monotonicMs() < deadlineMs) {
        asking ??= ask();
        const outcome = (await asking).get(requestId);
        if (outcome) return outcome;
      }
      return null;
    } finally {
      const others = (waiting.get(requestId) ?? 1) - 1;
      if (others > 0) waiting.set(requestId, others);
      else waiting.delete(requestId);
    }
  };
}
