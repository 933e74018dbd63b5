import type { Context } from "hono";
import { missingKey } from "../http/api-keys.ts";
import type { ApiEnv } from "../http/env.ts";

/** The API key that owns what the request is about; throws 401 if it has none. */
export function keyOf(c: Context<ApiEnv>): number {
  const keyId = c.get("keyId");
  if (keyId === null) throw missingKey();
  return keyId;
}
