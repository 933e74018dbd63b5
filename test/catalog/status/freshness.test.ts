import { beforeAll, expect, it } from "vitest";
import { readFreshnessBands, readFreshnessDays } from "../../../src/catalog/status/status.ts";
import { storeItems } from "../../support/catalog.ts";
import { openedForAll } from "../../support/opened.ts";
import { createTestDb } from "../../support/postgres.ts";
import { searchItem } from "../../support/products.ts";

/** Half past three in the afternoon, in the marketplace's zone. */
const now = new Date("2026-01-15T06:30:00Z");
const test = openedForAll(createTestDb);

beforeAll(async () => {
  const items = [1, 2, 3, 4].map((id) => searchItem(id));
  await storeItems(test.db, "2026-01-12T03:00:00Z", items);
  await storeItems(test.db, "2026-01-14T03:00:00Z", items.slice(0, 3));
  await storeItems(test.db, "2026-01-15T06:00:00Z", items.slice(0, 1));
});

it("counts products by the time since they were last verified", async () => {
  const bands = await readFreshnessBands(test.db, now);
  expect(bands.map(({ products }) => products)).toEqual([1, 0, 0, 2, 1, 0, 0]);
  expect(bands.at(-1)?.upToSeconds).toBeNull();
});

it("tells how fresh the catalogue was at the end of each day, and is now", async () => {
  const days = await readFreshnessDays(test.db, now, 14);
  expect(days.map(({ day, checkedWithinDay }) => [day, checkedWithinDay])).toEqual([
    ["2026-01-12", 1],
    ["2026-01-13", 0],
    ["2026-01-14", 0.75],
    ["2026-01-15", 0.25],
  ]);
  expect(days[0]?.p50Seconds).toBe(12 * 3600);
  expect(days[3]?.p50Seconds).toBe(27.5 * 3600);
});
