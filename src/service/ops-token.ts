import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { keepSecret } from "../lib/kept-secret.ts";

export interface OpsToken {
  token: string;
  /** The file with the token; null if the environment provides it. */
  path: string | null;
}

/** The token of OPS_TOKEN, or else the one stored in `dataDir` (mode 0600), created at the first start. */
export async function readOpsToken(given: string | null, dataDir: string): Promise<OpsToken> {
  if (given) return { token: given, path: null };
  const path = join(dataDir, "ops-token");
  const token = await keepSecret(path, () => randomBytes(32).toString("base64url"));
  return { token, path };
}
