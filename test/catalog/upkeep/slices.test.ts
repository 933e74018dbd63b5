import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { productTexts, rewriteInSlices } from "../../../src/catalog/upkeep/slices.ts";
import { storeItems } from "../../support/catalog.ts";
import { createTestDb } from "../../support/postgres.ts";
import { openedForAll } from "../../support/opened.ts";
import { titledItem } from "../../support/products.ts";

const test = openedForAll(createTestDb);
const running = new AbortController().signal;

/** How many products Postgres finds by this word. */
async function foundBy(word: string): Promise<number> {
  const rows = await test.db.execute(
    sql`select from product_text where words @@ ${`'${word}'`}::tsquery`,
  );
  return rows.length;
}

it("texts of an earlier version are written anew, in slices that go on where they ended, once", async () => {
  const items = Array.from({ length: 25 }, (_, i) => titledItem(i + 1, "Women's 葛\u{E0100}餅"));
  await storeItems(test.db, "2026-01-01T00:00:00Z", items);
  const spoil = sql`update product_text set body = 'old', words = to_tsvector('simple', 'old')`;
  await test.db.execute(spoil);
  const stop = new AbortController();
  stop.abort();
  await rewriteInSlices(test.db, stop.signal, productTexts, 10);
  expect(await foundBy("old")).toBe(25);
  await rewriteInSlices(test.db, running, productTexts, 10);
  expect([await foundBy("old"), await foundBy("womens"), await foundBy("葛餅")]).toEqual([
    0, 25, 25,
  ]);
  await test.db.execute(spoil);
  await rewriteInSlices(test.db, running, productTexts, 10);
  expect(await foundBy("old")).toBe(25);
});

it("a text is written anew also where only its words are of an earlier version", async () => {
  await test.db.execute(sql`delete from setting where key = 'product_texts'`);
  await rewriteInSlices(test.db, running, productTexts);
  await test.db.execute(sql`
    update product_text set words = to_tsvector('simple', 'old'); delete from setting where key = 'product_texts'`);
  await rewriteInSlices(test.db, running, productTexts);
  expect([await foundBy("old"), await foundBy("womens")]).toEqual([0, 25]);
});

it("a position of another shape is none: all texts are written anew", async () => {
  for (const value of [
    "null",
    '"x"',
    '{"version": "y"}',
    `{"version": ${productTexts.version}, "after_id": 1e300}`,
  ]) {
    await test.db.execute(sql`
      update product_text set body = 'old', words = to_tsvector('simple', 'old')`);
    await test.db.execute(sql`
      update setting set value = ${value}::text::jsonb where key = 'product_texts'`);
    await rewriteInSlices(test.db, running, productTexts);
    expect(await foundBy("old")).toBe(0);
  }
});

it("a text has the first categories alone, as the engine's document, however many a shop gives", async () => {
  const categories = Array.from({ length: 5000 }, (_, i) => `tag${i + 1}`);
  await storeItems(test.db, "2026-01-01T00:00:00Z", [titledItem(900, "財布", { categories })]);
  expect([await foundBy("tag1"), await foundBy("tag20"), await foundBy("tag21")]).toEqual([
    1, 1, 0,
  ]);
});
