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

it("begins a day at its first midnight where clocks go back over it, as the views do", async () => {
  // In Havana it was midnight on 1 November 2026 at 4:00 and at 5:00 UTC.
  await rememberTimezone(test.db, "America/Havana", new Date());
  const looks = { "10-30T12:00": 600, "10-31T12:00": 700, "11-01T04:30": 800, "11-02T12:00": 900 };
  for (const [at, price] of Object.entries(looks))
    await storeItems(test.db, `2026-${at}:00Z`, [searchItem(1, { price })]);
  const folder = join(inject("runDir"), "exports-days");
  const run = (at: string) =>
    runExport({
      db: test.db,
      databaseUrl: test.url,
      clock: clockAt(at),
      folder,
      formats: ["parquet"],
      signal: new AbortController().signal,
    });
  await run("2026-11-03T12:00:00Z");
  const duck = await (await DuckDBInstance.create(":memory:")).connect();
  const read = async (dataset: string, at: string) => {
    const days = `select regexp_extract(filename, '\\d\\d-\\d\\d.parquet').left(5) as day, price::int as price
      from read_parquet('${folder}/${dataset}-*.parquet', filename = true)`;
    return (await duck.runAndReadAll(`${days} order by ${at}`)).getRowsJson();
  };
  const expected = [
    ["10-30", 600],
    ["10-31", 700],
    ["11-01", 800],
    ["11-02", 900],
  ];
  expect(await read("prices", "confirmed_at")).toEqual(expected);
  expect(await read("price_changes", "first_seen")).toEqual(expected);

  // An answer of that first hour that is stored late has the file of its day written again.
  await test.db.execute(sql`
    insert into api_call (day, purpose, operation, job, params, reserved_at, finished_at, outcome, created)
    values ('2026-11-01', 'discovery', 'search', 'discover', '{"q":"財布"}', '2026-11-01T04:40:00Z',
      '2026-11-03T13:00:00Z', 'ok', 1)`);
  await storeItems(test.db, "2026-11-01T04:40:00Z", [searchItem(2, { price: 100 })]);
  await run("2026-11-03T14:00:00Z");
  expect(await read("prices", "confirmed_at")).toContainEqual(["11-01", 100]);
});
