import { afterEach, describe, expect, inject, it, onTestFinished } from "vitest";
import { kurabeEnv } from "../support/kurabe-env.ts";
import { freePort } from "../support/free-port.ts";
import { itLong } from "../support/it-long.ts";
import { createTestDb } from "../support/postgres.ts";
import { killStarted, spawnKurabe } from "../support/processes.ts";
import { until } from "../support/until.ts";

afterEach(killStarted);

async function surroundings(): Promise<Record<string, string>> {
  const test = await createTestDb();
  onTestFinished(test.close);
  return kurabeEnv(test.url);
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
