import type { Context } from "hono";
import type { Db } from "../../db/open.ts";
import { readOrigins } from "../../keys/stored-keys.ts";
import { missingKey } from "../http/api-keys.ts";
import type { ApiEnv } from "../http/env.ts";
import { Problem } from "../http/problem.ts";

/** What the routes of alerts have in common, to spread into their definitions. */
export const alertRoute = { tags: ["alerts"], security: [{ apiKey: [] }, { apiKeyAsBearer: [] }] };

/** The API key that owns what the request is about; throws 401 if it has none. */
export function keyOf(c: Context<ApiEnv>): number {
  const keyId = c.get("keyId");
  if (keyId === null) throw missingKey();
  return keyId;
}

/**
 * The key of a request that manages what belongs to a key; throws 401 without one. A key that pages
 * show to every visitor is nobody's own: 403.
 */
export async function requireOwnerKey(c: Context<ApiEnv>, db: Db): Promise<number> {
  const keyId = keyOf(c);
  if ((await readOrigins(db, keyId)).length > 0) {
    const detail = "this API key is for pages, which show it to everybody; use one without origins";
    throw new Problem({ status: 403, code: "key_for_pages", detail });
  }
  return keyId;
}
