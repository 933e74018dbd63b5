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
import { whenReachable, type Runtime } from "./resources.ts";
import { FixCredentials } from "../storefront/errors.ts";

/**
 * Longest time of a call, in milliseconds. A slow answer is as good as a fast one, but what never answers keeps one of
 * the crawler's few lanes for so long.
 */
export const callTimeoutMs = 30_000;

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
      timeoutMs: callTimeoutMs,
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

/**
 * A client whose secret can change while it runs. After the upstream has refused the secret, it is
 * read again for the next call. The refused call still fails.
 */
export function createRotatingClient(
  readSecret: () => Promise<string>,
  open: (secret: string) => StorefrontClient,
): StorefrontClient {
  let current: { secret: string; client: StorefrontClient } | null = null;
  let isRefused = false;

  async function client(): Promise<StorefrontClient> {
    if (current && !isRefused) return current.client;
    const secret = await readOrRefuse(readSecret);
    if (secret !== current?.secret) current = { secret, client: open(secret) };
    isRefused = false;
    return current.client;
  }

  async function ask<T>(call: (asked: StorefrontClient) => Promise<T>): Promise<T> {
    const asked = await client();
    try {
      return await call(asked);
    } catch (error) {
      // A refusal of a call with an older secret does not count.
      if (error instanceof FixCredentials && asked === current?.client) isRefused = true;
      throw error;
    }
  }

  return {
    search: (params, signal) => ask((asked) => asked.search(params, signal)),
    refresh: (params, signal) => ask((asked) => asked.refresh(params, signal)),
  };
}

async function readOrRefuse(readSecret: () => Promise<string>): Promise<string> {
  try {
    const secret = (await readSecret()).trim();
    if (secret !== "") return secret;
  } catch {
    // A file error contains no secret, but the path should not be shown either.
  }
  throw new FixCredentials(
    "no_credentials",
    "the file with the client secret cannot be read",
    false,
  );
}
