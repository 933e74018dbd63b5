import { sql } from "drizzle-orm";
import { afterEach, expect, it, onTestFinished } from "vitest";
import { status } from "../../src/cli/maintenance.ts";
import { plan } from "../../src/cli/plan.ts";
import { runCommand } from "../support/command.ts";
import { kurabeEnv } from "../support/kurabe-env.ts";
import { freePort } from "../support/free-port.ts";
import { createTestDb } from "../support/postgres.ts";
import { addKeyword } from "../../src/crawl/learning/keywords.ts";
import { notePageFailure } from "../../src/crawl/safety/keyword-backoffs.ts";
import { failureAt } from "../support/backoffs.ts";
import { killStarted, spawnKurabe } from "../support/processes.ts";

afterEach(killStarted);

it("a worker without keywords says that it finds nothing, and so does plan; status says what waits", async () => {
  const test = await createTestDb();
  onTestFinished(test.close);
  const upstream = { STOREFRONT_BASE_URL: `http://127.0.0.1:${await freePort()}` };
  const env = { ...(await kurabeEnv(test.url)), ...upstream };
  const worker = spawnKurabe(["worker"], { env });
  await worker.says("no keywords, so nothing is found");
  worker.kill("SIGKILL");
  await worker.ended;
  const planned = await runCommand(plan, env);
  expect(planned.code).toBe(0);
  expect(planned.stdout).toContain("no keywords, so nothing is found: set CRAWL_KEYWORDS");
  const now = new Date();
  await test.db.transaction(async (tx) => {
    await addKeyword(tx, { q: "財布", source: "ops" }, now);
    const list = { queryId: 1, order: "id-ascending" } as const;
    await notePageFailure(tx, list, { start: 0, size: 50 }, failureAt(now));
    await tx.execute(sql`update backoff set retry_at = '2100-01-01T00:00:00Z'`);
  });
  const told = await runCommand(status, env);
  expect(told.code).toBe(0);
  expect(told.stdout).toContain("free to run, but not what waits after failed calls");
  const waits =
    "waiting after failed calls: 1 keyword list; the next try is at 2100-01-01T00:00:00.000Z (http_500: ";
  expect(told.stdout).toContain(waits);
});
