import { afterEach, expect, it, onTestFinished } from "vitest";
import { kurabeEnv } from "../support/kurabe-env.ts";
import { freePort } from "../support/free-port.ts";
import { createTestDb } from "../support/postgres.ts";
import { killStarted, spawnKurabe } from "../support/processes.ts";

afterEach(killStarted);

it("a worker without keywords says that it finds nothing, and so do status and plan", async () => {
  const test = await createTestDb();
  onTestFinished(test.close);
  const upstream = { STOREFRONT_BASE_URL: `http://127.0.0.1:${await freePort()}` };
  const env = { ...(await kurabeEnv(test.url)), ...upstream };
  await spawnKurabe(["worker"], { env }).says("no keywords, so nothing is found");
  for (const command of ["status", "plan"]) {
    const kurabe = spawnKurabe([command], { env });
    expect(await kurabe.ended).toBe(0);
    expect(kurabe.stdout()).toContain("no keywords, so nothing is found: set CRAWL_KEYWORDS");
  }
});
