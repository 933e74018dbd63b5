import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { readCandidates } from "../../src/search/query/relaxed/partial-matches.ts";
import { readQueryWords } from "../../src/search/query/words/query-words.ts";
import { fillCatalogue } from "../support/bulk-catalogue.ts";
import { createTestDb, openPool } from "../support/postgres.ts";

/** After so many executions Postgres may plan a prepared statement once for all parameters. */
const executions = 8;
const products = 20_000;

it("the index finds the products of a rare word, however often a connection has looked for such words", async () => {
  const test = await createTestDb();
  try {
    const now = new Date("2026-01-01T00:00:00Z");
    await fillCatalogue(test.db, { shops: 20, each: products / 20, at: now });
    await test.db.execute(sql`
      insert into product_text (item_id, body, words, title_length, in_stock, popularity)
      select item_id, text, to_tsvector('simple', text), length(text), true, 0
      from product, lateral (select 'leather wallet w' || item_id as text) t`);
    await test.db.execute(sql`analyze product_text`);
    const one = openPool(test.url, { maxConnections: 1 });
    const readFrequencies = async () => ({
      products,
      countOf: () => 1,
      compoundsOf: () => [],
      longerThan: () => [],
      endOf: () => undefined,
      alike: () => [],
      begunBy: () => [],
    });
    const options = { searchDb: one.db, readFrequencies };
    for (let i = 1; i <= executions; i += 1) {
      const q = `w${i}`;
      const words = readQueryWords([q]);
      const { found } = await readCandidates(options, { q, page: 1, perPage: 20 }, words, now);
      expect(found.map(({ row }) => row.id)).toEqual([i]);
    }
    // The statistics of a connection are complete when it has ended.
    await one.close();
    const [row] = await test.db.execute<{ found: number; scanned: number }>(sql`
      select idx_tup_fetch as found, seq_tup_read as scanned from pg_stat_user_tables where relname = 'product_text'`);
    expect(row).toEqual({ found: executions, scanned: 0 });
  } finally {
    await test.close();
  }
});
