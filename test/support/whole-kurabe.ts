import { onTestFinished } from "vitest";
import type { RunningSandbox } from "../../src/sandbox/server.ts";
import { crawlOf, kurabeEnv } from "./kurabe-env.ts";
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
  env: Record<string, string> = {},
): Promise<WholeKurabe> {
  const test = await createTestDb();
  onTestFinished(test.close);
  const own = await kurabeEnv(test.url);
  const kurabe = spawnKurabe(["start"], {
    env: {
      ...own,
      PORT: "0",
      ...crawlOf(upstream, 10),
      ...env,
    },
  });
  return { test, dir: own.DATA_DIR, kurabe, url: await kurabe.serves() };
}
