import type { Context } from "hono";
import { missingKey } from "../http/api-keys.ts";
import type { ApiEnv } from "../http/env.ts";

/** What the routes of alerts have in common, to spread into their definitions. */
export const alertRoute = { tags: ["alerts"], security: [{ apiKey: [] }, { apiKeyAsBearer: [] }] };

/** The API key that owns what the request is about; throws 401 if it has none. */
export function keyOf(c: Context<ApiEnv>): number {
  const keyId = c.get("keyId");
  if (keyId === null) throw missingKey();
  return keyId;
}
