import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterEach, expect, inject, it } from "vitest";
import { rememberTimezone } from "../../src/catalog/analytics.ts";
import { runExport } from "../../src/export/run.ts";
import { clockAt } from "../support/api.ts";
import { openTransaction } from "../support/open-transaction.ts";
import { openedForAll } from "../support/opened.ts";
import { kurabeEnv } from "../support/kurabe-env.ts";
import { killStarted, spawnKurabe } from "../support/processes.ts";
import { createTestDb } from "../support/postgres.ts";
import { until } from "../support/until.ts";

const test = openedForAll(createTestDb);
afterEach(killStarted);

it("an export is ended by a signal while a query takes long, and leaves no half file", async () => {
  await rememberTimezone(test.db, "Asia/Tokyo", new Date());
  const folder = join(inject("runDir"), "exports-stopped");
  const leave = await openTransaction(test.db, (tx) =>
    tx.execute(sql`lock table product in access exclusive mode`),
  );
  const stop = new AbortController();
  const ended = runExport({
    db: test.db,
    databaseUrl: test.url,
    clock: clockAt("2026-01-15T03:00:00Z"),
    folder,
    formats: ["parquet", "csv"],
    signal: stop.signal,
  }).catch((error: unknown) => error);
  const waits = () =>
    test.db.execute(sql`
      select from pg_stat_activity where datname = current_database()
        and application_name = 'kurabe:export' and wait_event_type = 'Lock'`);
  await until(async () => (await waits()).length > 0, { what: "the export to wait" });
  stop.abort("stopped");
  expect(await ended).toBe("stopped");
  await until(async () => (await waits()).length === 0, { what: "its query to end" });
  await leave();
  expect(await readdir(folder)).toEqual([]);
});

it("an export after a killed one waits for the end of its lease, and writes the files", async () => {
  await test.db.execute(sql`
    insert into lease (name, holder, epoch, expires_at)
    values ('export', gen_random_uuid(), 1, now() + interval '4 s')
    on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at`);
  const out = join(inject("runDir"), "exports-after-a-kill");
  const args = ["export", "--out", out, "--format", "csv"];
  const kurabe = spawnKurabe(args, { env: await kurabeEnv(test.url) });
  expect(await kurabe.ended).toBe(0);
  expect(await readdir(out)).toContain("manifest.json");
});
