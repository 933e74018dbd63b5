import { afterEach } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import { must } from "../../src/lib/must.ts";
import {
  startSandbox,
  type RunningSandbox,
  type SandboxOptions,
} from "../../src/sandbox/server.ts";
import { createStorefrontClient } from "../../src/storefront/client.ts";

/** Run after each test, in order. */
export const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A sandbox of the test's own, still unless told, closed after the test. */
export async function start(options: Partial<SandboxOptions> = {}): Promise<RunningSandbox> {
  const sandbox = await startSandbox({
    clock: systemClock,
    live: false,
    products: 300,
    ...options,
  });
  closers.push(sandbox.close);
  return sandbox;
}

export async function call(sandbox: RunningSandbox, path: string, params: Record<string, string>) {
  const { clientId, clientSecret } = sandbox.credentials;
  const query = new URLSearchParams({
    client_id: clientId,
    client_secret: clientSecret,
    ...params,
  });
  const response = await fetch(`${sandbox.url}${path}?${query.toString()}`);
  const body: unknown = await response.json();
  return { status: response.status, type: response.headers.get("content-type"), body };
}

export function clientOf(sandbox: RunningSandbox, timeoutMs = 10_000) {
  return createStorefrontClient({ baseUrl: sandbox.url, ...sandbox.credentials, timeoutMs });
}

export function anyItem(sandbox: RunningSandbox) {
  return must(
    [...sandbox.catalog.items()].find((item) => item.visible === 1),
    "a visible item",
  );
}
