import type { Context } from "hono";
import { readOrigins } from "../../keys/stored-keys.ts";
import type { Db } from "../../db/open.ts";
import type { ApiEnv } from "../http/env.ts";
import { Problem } from "../http/problem.ts";
import { keyOf } from "./key-of.ts";

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
