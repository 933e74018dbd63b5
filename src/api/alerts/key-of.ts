import type { Context } from "hono";
import { missingKey } from "../http/api-keys.ts";
import type { ApiEnv } from "../http/env.ts";
import { Problem } from "../http/problem.ts";

/** What the routes of alerts have in common, to spread into their definitions. */
export const alertRoute = { tags: ["alerts"], security: [{ apiKey: [] }, { apiKeyAsBearer: [] }] };

/**
 * The key that owns what a request is about; throws 401 if it has none. A key that pages show to every
 * visitor is nobody's own: 403.
 */
export function requireOwnerKey(c: Context<ApiEnv>): number {
  const keyId = c.get("keyId");
  if (keyId === null) throw missingKey();
  if (c.get("isKeyOfPages")) {
    const detail = "this API key is for pages, which show it to everybody; use one without origins";
    throw new Problem({ status: 403, code: "key_for_pages", detail });
  }
  return keyId;
}
