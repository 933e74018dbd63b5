import { readFile } from "node:fs/promises";
import type { Config } from "../config.ts";
import { demoKeyword, sandboxCredentials } from "../sandbox/credentials.ts";
import { generatedKeywords } from "../sandbox/generate.ts";
import { startSandbox } from "../sandbox/server.ts";
import { SandboxInUse } from "../sandbox/state/postgres-journal.ts";
import { createStorefrontClient, type StorefrontClient } from "../storefront/client.ts";
import { createRotatingClient } from "../storefront/rotating-client.ts";
import { whenReachable, type Runtime } from "./resources.ts";

/** Longest time of a call, in milliseconds. */
export const CALL_TIMEOUT_MS = 15_000;

export function openClient(
  access: Upstream["access"],
  secretFile: string | null,
): StorefrontClient {
  const open = (clientSecret: string) =>
    createStorefrontClient({ ...access, clientSecret, timeoutMs: CALL_TIMEOUT_MS });
  if (secretFile === null) return open(access.clientSecret);
  return createRotatingClient(() => readFile(secretFile, "utf8"), open);
}

interface Upstream {
  access: { baseUrl: string; clientId: string; clientSecret: string };
  keywords: readonly string[];
}

/** The configured upstream, or else the sandbox, started on a loopback port once the database allows it. */
export async function openUpstream(
  config: Config,
  databaseUrl: string,
  runtime: Runtime,
  closers: (() => Promise<void>)[],
): Promise<Upstream> {
  const { baseUrl, clientId, clientSecret, dailyLimit, timezone } = config.storefront;
  const credentials = {
    clientId: clientId ?? sandboxCredentials.clientId,
    clientSecret: clientSecret ?? sandboxCredentials.clientSecret,
  };
  if (baseUrl !== null) return { access: { baseUrl, ...credentials }, keywords: [] };
  const options = { ...runtime, ...credentials, databaseUrl, dailyLimit, timezone, live: true };
  return whenReachable(runtime, async () => {
    try {
      const sandbox = await startSandbox(options);
      closers.push(sandbox.close);
      return { access: { baseUrl: sandbox.url, ...credentials }, keywords: sandbox.keywords };
    } catch (error) {
      // Several workers on one database share the sandbox that the first one started.
      if (!(error instanceof SandboxInUse) || error.url === null) throw error;
      const keywords = [...generatedKeywords, demoKeyword];
      return { access: { baseUrl: error.url, ...credentials }, keywords };
    }
  });
}
