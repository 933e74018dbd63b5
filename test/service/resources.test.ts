import { sql } from "drizzle-orm";
import { expect, it, onTestFinished } from "vitest";
import { loadConfig } from "../../src/config.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { createLogger } from "../../src/lib/logger.ts";
import { must } from "../../src/lib/must.ts";
import { openResources, type Resources } from "../../src/service/resources.ts";
import { createDataDir } from "../support/data-dir.ts";
import { createTestDb } from "../support/postgres.ts";

async function open(env: Record<string, string>): Promise<Resources> {
  const dir = await createDataDir();
  onTestFinished(dir.remove);
  const config = loadConfig({
    DATA_DIR: dir.path,
    MEILI_HOST: "http://127.0.0.1:9",
    LOG_LEVEL: "fatal",
    ...env,
  });
  const resources = await openResources(config, {
    clock: systemClock,
    logger: createLogger(config.log),
    signal: new AbortController().signal,
  });
  onTestFinished(resources.close);
  return resources;
}

const limits = { maxConnections: 1, statementTimeoutMs: 1000 };

async function databaseOf(db: ReturnType<Resources["pool"]>): Promise<string | undefined> {
  const rows = await db.execute<{ name: string }>(sql`select current_database() as name`);
  return rows[0]?.name;
}

it("opens pools at the primary, and those of a replica at its own address", async () => {
  const primary = await createTestDb();
  const replica = await createTestDb();
  for (const { close } of [primary, replica]) onTestFinished(close);
  const resources = await open({ DATABASE_URL: primary.url, DATABASE_REPLICA_URL: replica.url });
  const replicaPool = must(resources.replicaPool, "pools of the replica");
  expect(await databaseOf(replicaPool("reads", limits))).toBe(replica.url.split("/").at(-1));
  expect(await databaseOf(resources.pool("writes", limits))).toBe(primary.url.split("/").at(-1));
});

it("has no pools of a replica where there is none", async () => {
  const primary = await createTestDb();
  onTestFinished(primary.close);
  const resources = await open({ DATABASE_URL: primary.url });
  expect(resources.replicaPool).toBeNull();
});
