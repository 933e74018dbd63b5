import { inject } from "vitest";
import { must } from "../../src/lib/must.ts";
import type { RunningSandbox } from "../../src/sandbox/server.ts";
import { createDataDir } from "./data-dir.ts";
import { createTestDb, type TestDb } from "./postgres.ts";
import { spawnKurabe, type TestProcess } from "./processes.ts";

export interface WholeKurabe {
  test: TestDb;
  dir: string;
  kurabe: TestProcess;
  url: string;
}

/** `kurabe start` on servers of the run, with a database and a folder of its own, crawling `upstream` fast. */
export async function startWholeKurabe(
  upstream: RunningSandbox,
  cleanups: (() => Promise<unknown>)[],
  env: Record<string, string> = {},
): Promise<WholeKurabe> {
  const test = await createTestDb();
  cleanups.push(test.close);
  const dir = await createDataDir();
  cleanups.push(dir.remove);
  const meili = inject("meili");
  const kurabe = spawnKurabe(["start"], {
    env: {
      DATABASE_URL: test.url,
      MEILI_HOST: meili.host,
      MEILI_API_KEY: meili.apiKey,
      DATA_DIR: dir.path,
      PORT: "0",
      STOREFRONT_BASE_URL: upstream.url,
      STOREFRONT_MAX_CALLS_PER_SECOND: "10",
      CRAWL_KEYWORDS: upstream.keywords.join(","),
      CRAWL_PACING: "burst",
      ...env,
    },
  });
  const output = await kurabe.says("kurabe is running");
  const url = must(/"url":"(http:[^"]+)"/.exec(output)?.[1], "the address");
  return { test, dir: dir.path, kurabe, url };
}
