import { Hono } from "hono";
import { ApiError } from "../api-errors.ts";
import type { Marketplace } from "../market/marketplace.ts";
import type { Usage } from "../market/usage.ts";
import type { Grants } from "../oauth/grants.ts";
import type { BearerOperation, Call, Operation } from "./operation.ts";
import { operations } from "./all-operations.ts";
import { jsonReply, readForm } from "../http.ts";
import type { Journal } from "../state/journal.ts";

export interface GeneralApiOptions {
  grants: Grants;
  usage: Usage;
  market: Marketplace;
  journal: Journal;
}

const isBearer = (operation: Operation): operation is BearerOperation =>
  operation.access === "bearer";

/** Every operation that takes an access token (sections 5.1, 5.2, 7 and 8). */
export function createGeneralApi(options: GeneralApiOptions): Hono {
  const app = new Hono();
  for (const operation of operations.filter(isBearer)) {
    app.on(operation.method, operation.path, async (c) => {
      const call = authorise(c.req.header("authorization"), operation, options);
      const isPost = operation.method === "POST";
      const sent = isPost ? await readForm(c.req.raw) : new URL(c.req.url).searchParams;
      const body = operation.run({ call: sent, path: c.req.param() }, call);
      // Changes are stored before they are confirmed.
      if (isPost) await options.journal.flush();
      return jsonReply(200, body);
    });
  }
  return app;
}

/** Finds the token's owner, and checks limits and scope; throws an `ApiError`. */
function authorise(
  header: string | undefined,
  operation: BearerOperation,
  { grants, usage, market }: GeneralApiOptions,
): Call {
  const token = /^Bearer ([\w~+/.=-]+)$/i.exec(header ?? "")?.[1];
  const grant = token === undefined ? null : grants.find(token);
  const shop = grant && market.shops.get(grant.shopId);
  if (!shop)
    throw new ApiError("invalid_request", undefined, challenge(header, { error: "invalid_token" }));
  const admission = usage.admit(shop.shop_id);
  if (admission !== "admitted") throw new ApiError(admission);
  const { scope } = operation;
  if (!grant.scopes.includes(scope)) {
    const headers = challenge(header, { error: "insufficient_scope", scope });
    throw new ApiError("insufficient_scope", undefined, headers);
  }
  return { market, shop, scopes: grant.scopes };
}

/** RFC 6750 section 3: without a token the header contains no error. */
function challenge(
  header: string | undefined,
  facts: { error: string; scope?: string },
): Record<string, string> {
  const told = Object.entries(header === undefined ? {} : facts);
  const parts = [["realm", "storefront"], ...told].map(([name, value]) => `${name}="${value}"`);
  return { "www-authenticate": `Bearer ${parts.join(", ")}` };
}
