import { createHmac, hkdfSync } from "node:crypto";
import type { Context } from "hono";
import type { ApiDeps } from "../http/deps.ts";
import type { ApiEnv } from "../http/env.ts";

/**
 * A client's name in Postgres: the same in every process with the same ops token, and no address
 * that who reads the database could tell.
 */
export function createClientMark({
  opsToken,
  clientAddress,
}: Pick<ApiDeps, "opsToken" | "clientAddress">): (c: Context<ApiEnv>) => string {
  const key = Buffer.from(hkdfSync("sha256", opsToken, "", "kurabe client addresses", 32));
  return (c) => createHmac("sha256", key).update(clientAddress(c)).digest("base64url");
}
