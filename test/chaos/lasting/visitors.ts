import { setTimeout as pause } from "node:timers/promises";
import type { Site } from "./service-case.ts";

export interface Asked {
  method?: "GET" | "POST";
  path: string;
  body?: string;
  headers?: Record<string, string>;
}

/** A form as the console's own pages send it. */
export function consoleForm(url: string, path: string, body: string): Asked {
  const type = "application/x-www-form-urlencoded";
  return { method: "POST", path, body, headers: { "content-type": type, origin: url } };
}

/** What became of a request; null when nothing came back in time. */
export type Seen = { status: number; headers: Headers; body: Buffer } | null;

export async function ask(url: string, asked: Asked, timeoutMs = 10_000): Promise<Seen> {
  const { method = "GET", path, body, headers = {} } = asked;
  try {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: body === undefined ? headers : { "content-type": "application/json", ...headers },
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
      ...(body === undefined ? {} : { body }),
    });
    const { status, headers: received } = answer;
    return { status, headers: received, body: Buffer.from(await answer.arrayBuffer()) };
  } catch {
    return null;
  }
}

/** So many clients, each with its next request once the last is answered, until the answer is called. */
export function insist(
  site: Site,
  clients: number,
  nextRequest: (n: number) => Asked,
  options: { everyMs?: number; told?: (seen: Seen, asked: Asked) => void } = {},
): () => Promise<void> {
  const over = new AbortController();
  let n = 0;
  const client = async () => {
    while (!over.signal.aborted) {
      n += 1;
      const asked = nextRequest(n);
      const seen = await ask(site.url(), asked);
      options.told?.(seen, asked);
      await pause(options.everyMs ?? 0);
    }
  };
  const clientsDone = Promise.all(Array.from({ length: clients }, client));
  return async () => {
    over.abort();
    await clientsDone;
  };
}
