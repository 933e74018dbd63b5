import { createHmac, hkdfSync } from "node:crypto";
import type { Context } from "hono";
import type { ApiDeps } from "../http/deps.ts";
import type { ApiEnv } from "../http/env.ts";

/**
 * A client's id in Postgres: equal in all processes with the same ops token. Readers of the database
 * cannot derive the address from it.
 */
export function createClientMark({
  opsToken,
  clientAddress,
}: Pick<ApiDeps, "opsToken" | "clientAddress">): (c: Context<ApiEnv>) => string {
  const key = Buffer.from(hkdfSync("sha256", opsToken, "", "kurabe client addresses", 32));
  return (c) => createHmac("sha256", key).update(clientAddress(c)).digest("base64url");
}
