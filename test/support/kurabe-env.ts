import { inject, onTestFinished } from "vitest";
import type { RunningSandbox } from "../../src/sandbox/server.ts";
import { createDataDir } from "./data-dir.ts";

/** Settings of a process for one test: this database, the engine of the run, and a folder of its own. */
export async function kurabeEnv(databaseUrl: string) {
  const dir = await createDataDir();
  onTestFinished(dir.remove);
  const { host, apiKey } = inject("meili");
  return {
    DATABASE_URL: databaseUrl,
    MEILI_HOST: host,
    MEILI_API_KEY: apiKey,
    DATA_DIR: dir.path,
  };
}

/** Settings with which a process crawls `upstream` without pauses. */
export function crawlOf(
  { url, keywords }: Pick<RunningSandbox, "url" | "keywords">,
  callsPerSecond: number,
) {
  return {
    STOREFRONT_BASE_URL: url,
    STOREFRONT_MAX_CALLS_PER_SECOND: String(callsPerSecond),
    CRAWL_KEYWORDS: keywords.join(","),
    CRAWL_PACING: "burst",
  };
}
