import type { StorefrontClient } from "./client.ts";
import { FixCredentials } from "./errors.ts";

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
