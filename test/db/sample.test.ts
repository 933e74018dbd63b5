import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { randomRows } from "../../src/db/sample.ts";
import { fillCatalogue } from "../support/bulk-catalogue.ts";
import { openedForAll } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";

const test = openedForAll(createTestDb);
beforeAll(async () => {
  await fillCatalogue(test.db, { shops: 20, each: 500, at: new Date("2026-01-01T00:00:00Z") });
  await test.db.execute(sql`vacuum analyze product`);
});

const draw = async (rows: number) => {
  const drawn = await test.db.execute<{ item_id: number }>(
    sql`select item_id from ${randomRows("product", rows)} p`,
  );
  return drawn.map((row) => row.item_id);
};

describe("random rows of a table", () => {
  it("are all of a table that has no more", async () => {
    expect(new Set(await draw(20_000)).size).toBe(10_000);
  });

  it("are about as many as asked for of a larger one, each once, and others the next time", async () => {
    const [first, second] = [await draw(1000), await draw(1000)];
    expect(new Set(first).size).toBe(first.length);
    expect(first.length).toBeGreaterThan(500);
    expect(first.length).toBeLessThanOrEqual(1100);
    expect(first).not.toEqual(second);
  });

  it("cost the reading of their pages alone", async () => {
    const plan = await test.db.execute<{ "QUERY PLAN": string }>(
      sql`explain select * from ${randomRows("product", 1000)} p`,
    );
    const lines = plan.map((row) => row["QUERY PLAN"]).join("\n");
    expect(lines).toContain("Tid Range Scan on product");
    expect(lines).not.toContain("Seq Scan on product");
  });

  it("are none of an empty table", async () => {
    const none = await test.db.execute(sql`select from ${randomRows("product_text", 10)} t`);
    expect(none).toHaveLength(0);
  });
});
