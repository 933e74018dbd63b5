import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { expect, inject, it } from "vitest";
import { rememberTimezone } from "../../src/catalog/analytics.ts";
import { runExport } from "../../src/export/run.ts";
import { clockAt } from "../support/api.ts";
import { openTransaction } from "../support/open-transaction.ts";
import { openedForAll } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";
import { until } from "../support/until.ts";

const test = openedForAll(createTestDb);

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
