import { afterEach, describe, expect, inject, it } from "vitest";
import { createDataDir } from "../support/data-dir.ts";
import { freePort } from "../support/free-port.ts";
import { itLong } from "../support/it-long.ts";
import { createTestDb } from "../support/postgres.ts";
import { killStarted, spawnKurabe } from "../support/processes.ts";
import { until } from "../support/until.ts";

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await killStarted();
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function surroundings(): Promise<Record<string, string>> {
  const test = await createTestDb();
  cleanups.push(test.close);
  const dir = await createDataDir();
  cleanups.push(dir.remove);
  const meili = inject("meili");
  return {
    DATA_DIR: dir.path,
    DATABASE_URL: test.url,
    MEILI_HOST: meili.host,
    MEILI_API_KEY: meili.apiKey,
  };
}

describe("whose output nobody reads", () => {
  it.each(inject("long") ? ["--help", "plan", "status"] : ["status"])(
    "kurabe %s ends quietly",
    async (command) => {
      const kurabe = spawnKurabe([command], { env: await surroundings() });
      kurabe.closeStdout();
      expect(await kurabe.ended).toBe(0);
      expect(kurabe.stderr()).toBe("");
    },
  );

  itLong("kurabe api goes on serving", async () => {
    const port = await freePort();
    const kurabe = spawnKurabe(["api"], {
      env: { ...(await surroundings()), LOG_FORMAT: "pretty", PORT: String(port) },
    });
    kurabe.closeStdout();
    const isReady = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok;
    await until(isReady, { what: "the API to serve" });
    kurabe.kill("SIGTERM");
    expect(await kurabe.ended).toBe(0);
  });
});
