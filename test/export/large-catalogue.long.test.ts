import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { expect, inject, it } from "vitest";
import { rememberTimezone } from "../../src/catalog/analytics.ts";
import { readManifest } from "../../src/export/manifest.ts";
import { runExport } from "../../src/export/run.ts";
import { clockAt } from "../support/api.ts";
import { fillProducts } from "../support/mirror.ts";
import { openedForAll } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";

const clock = clockAt("2026-01-15T03:00:00Z");
const test = openedForAll(createTestDb);

it("an export has every product of a catalogue that is larger than the buffers of a connection", async () => {
  await rememberTimezone(test.db, "Asia/Tokyo", clock.now());
  await fillProducts(test.db, 1, 3000);
  const folder = join(inject("runDir"), "large-export");
  await runExport({
    db: test.db,
    databaseUrl: test.url,
    clock,
    folder,
    formats: ["parquet", "csv"],
    from: "2026-01-14",
    signal: new AbortController().signal,
  });
  const { files } = await readManifest(folder);
  const rows = files.filter(({ dataset }) => dataset === "products").map((file) => file.rows);
  expect(rows).toEqual([3000, 3000]);
  const duck = await (await DuckDBInstance.create(":memory:")).connect();
  const products = await duck.runAndReadAll(
    `select count(*), sum(item_id) from read_csv('${join(folder, "products.csv")}')`,
  );
  expect(products.getRowsJson()[0]?.map(String)).toEqual(["3000", String((3000 * 3001) / 2)]);
});
