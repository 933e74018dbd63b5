import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { seen } from "../support/catalog.ts";
import { openedForAll } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";

const test = openedForAll(createTestDb);

it.each([
  ["infinity", 800, "2026-01-12T03:00:00Z"],
  ["-infinity", null, "2026-01-10T03:00:00Z"],
])("price_at %s has the price %s and the confirmation of %s", async (at, price, nearest) => {
  const id = await seen(
    test.db,
    ["2026-01-10T03:00:00Z", { price: 1000 }],
    ["2026-01-12T03:00:00Z", { price: 800 }],
  );
  const rows = await test.db.execute(sql`
    select price, nearest_confirmation = ${nearest}::timestamptz as is_nearest, distance::text
    from analytics.price_at(${id}, ${at}::timestamptz)`);
  expect(rows).toEqual([{ price, is_nearest: true, distance: "infinity" }]);
});
