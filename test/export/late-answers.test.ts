import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { sql } from "drizzle-orm";
import { expect, inject, it } from "vitest";
import { rememberTimezone } from "../../src/catalog/analytics.ts";
import { runExport } from "../../src/export/run.ts";
import { clockAt } from "../support/api.ts";
import { storeItems } from "../support/catalog.ts";
import { openedForAll } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";
import { searchItem } from "../support/products.ts";

const test = openedForAll(createTestDb);
const day = "2026-01-14";

it("writes a day's prices again after answers of that day were stored late", async () => {
  await rememberTimezone(test.db, "Asia/Tokyo", new Date());
  await storeItems(test.db, "2026-01-14T02:00:00Z", [searchItem(1)]);
  const folder = join(inject("runDir"), "exports-late-answers");
  const run = (at: string) =>
    runExport({
      db: test.db,
      databaseUrl: test.url,
      clock: clockAt(at),
      folder,
      formats: ["parquet"],
      from: day,
      signal: new AbortController().signal,
    });
  await run("2026-01-14T17:00:00Z");
  await storeItems(test.db, "2026-01-14T14:59:59Z", [searchItem(2)]);
  await test.db.execute(sql`
    insert into api_call (day, purpose, operation, job, params, reserved_at, finished_at, outcome, created)
    values (${day}, 'discovery', 'search', 'discover', '{"q":"財布"}', '2026-01-14T14:59:59Z',
      '2026-01-14T19:00:00Z', 'ok', 1)`);
  expect(await run("2026-01-15T03:00:00Z")).toBe(3 + 3);
  const duck = await (await DuckDBInstance.create(":memory:")).connect();
  for (const name of ["prices", "price_changes"]) {
    const newest = `select max(item_id) as id from '${folder}/${name}-${day}.parquet'`;
    expect((await duck.runAndReadAll(newest)).getRowObjectsJson()).toEqual([{ id: "2" }]);
  }
  expect(await run("2026-01-15T03:00:00Z")).toBe(3);
});
