import { setTimeout as pause } from "node:timers/promises";
import type { Site } from "./service-case.ts";
import { askMeilisearch } from "../../support/json-request.ts";

/** Does it again a second after it is done, whether or not it could be done, until the answer is called. */
export async function everySecond(work: () => Promise<unknown>): Promise<() => Promise<void>> {
  const over = new AbortController();
  const working = (async () => {
    while (!over.signal.aborted) {
      await Promise.allSettled([work()]);
      await pause(1000);
    }
  })();
  return async () => {
    over.abort();
    await working;
  };
}

export function sqlOn({ world }: Site, text: string): Promise<Record<string, unknown>[]> {
  return world.servers.sql(async (sql) => [...(await sql.unsafe(text))]);
}

/** Past every proxy. */
export function askEngine(
  { world }: Site,
  method: string,
  path: string,
  body?: unknown,
): Promise<Response> {
  return askMeilisearch(world.servers.engine, method, path, body);
}

/** The engine's indexes, whoever made them. */
export async function indexesOf(site: Site): Promise<string[]> {
  const answer = await askEngine(site, "GET", "/indexes");
  const { results } = (await answer.json()) as { results: { uid: string }[] };
  return results.map(({ uid }) => uid);
}
