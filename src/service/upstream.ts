import { readFile } from "node:fs/promises";
import { readAccountsFile } from "../storefront/accounts-file.ts";
import type { Config } from "../config.ts";
import { must } from "../lib/must.ts";
import { demoKeyword, sandboxCredentials } from "../sandbox/credentials.ts";
import { generatedKeywords } from "../sandbox/catalogue/generate.ts";
import { startSandbox } from "../sandbox/server.ts";
import { SandboxInUse } from "../sandbox/state/postgres-journal.ts";
import { createStorefrontClient, type StorefrontClient } from "../storefront/client.ts";
import type { UpstreamClock } from "../storefront/upstream-clock.ts";
import { createRotatingClient } from "../storefront/rotating-client.ts";
import { whenReachable, type Runtime } from "./resources.ts";

/**
 * Longest time of a call, in milliseconds. A slow answer is as good as a fast one, but what never answers keeps one of
 * the crawler's few lanes for so long.
 */
export const CALL_TIMEOUT_MS = 30_000;

/** A client for each account. Secrets of files are read again after a refusal. */
export function openClients(
  access: Upstream["access"],
  storefront: Pick<
    Config["storefront"],
    "accounts" | "accountsFile" | "clientSecretFile" | "maxCallsPerSecond"
  >,
  upstreamClock: UpstreamClock,
): (account: string) => StorefrontClient {
  const { accounts, accountsFile, clientSecretFile, maxCallsPerSecond } = storefront;
  const open = (clientId: string) => (clientSecret: string) =>
    createStorefrontClient({
      baseUrl: access.baseUrl,
      clientId,
      clientSecret,
      timeoutMs: CALL_TIMEOUT_MS,
      upstreamClock,
    });
  if (accounts === null || accountsFile === null) {
    const client =
      clientSecretFile === null
        ? open(access.clientId)(access.clientSecret)
        : createRotatingClient(() => readFile(clientSecretFile, "utf8"), open(access.clientId));
    return () => client;
  }
  const clients = new Map(
    accounts.map(({ name, clientId }) => {
      const readSecret = () => {
        const listed = readAccountsFile(accountsFile, maxCallsPerSecond).accounts;
        const secret = listed.find((account) => account.clientId === clientId)?.clientSecret;
        return Promise.resolve(secret ?? "");
      };
      return [name, createRotatingClient(readSecret, open(clientId))];
    }),
  );
  return (account) => must(clients.get(account), "a client for each account");
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
  const { baseUrl, clientId, clientSecret, dailyLimit, timezone, accounts } = config.storefront;
  const credentials = {
    clientId: clientId ?? sandboxCredentials.clientId,
    clientSecret: clientSecret ?? sandboxCredentials.clientSecret,
  };
  if (baseUrl !== null) return { access: { baseUrl, ...credentials }, keywords: [] };
  const options = {
    ...runtime,
    ...credentials,
    databaseUrl,
    dailyLimit,
    timezone,
    live: true,
    ...(accounts && { accounts }),
  };
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
