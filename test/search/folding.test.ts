import { readFile } from "node:fs/promises";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import { searchDegraded } from "../../src/search/query/fallback.ts";
import { kanjiVariants } from "../../src/search/index/kanji-variants.ts";
import { normalise } from "../../src/search/index/normalise.ts";
import { createSearch } from "../../src/search/search.ts";
import { storeItems } from "../support/catalog.ts";
import { createTestMirror, drain, type TestMirror } from "../support/mirror.ts";
import { searchItem } from "../support/products.ts";

/** Spelt in two ways that are one to a shopper; each is the whole title of a product. */
const spellings: [string, string][] = [
  ...kanjiVariants,
  ["髙橋", "高橋"],
  ["ﾊﾞｯｸﾞ", "バッグ"],
  ["ＡＢＣ", "abc"],
  ["Éclair", "éclair"],
  ["ПОЧТА", "почта"],
  ["財\u200B布", "財布"],
  ["㌔", "キロ"],
];
const titles = [...new Set(spellings.flat())];
let test: TestMirror;

beforeAll(async () => {
  test = await createTestMirror();
  const items = titles.map((title, i) =>
    searchItem(i + 1, {
      title,
      detail: "",
      identifier: null,
      categories: [],
      shopName: "-",
      variations: [],
    }),
  );
  await storeItems(test.db, "2026-01-01T00:00:00Z", items);
  await drain(test.db, test.start(), test.indexPrefix);
});
afterAll(() => test.close());

const page = { page: 1, perPage: 100 };
const titled = (ids: readonly number[]) => ids.map((id) => titles[id - 1]);

describe("one fold for texts and queries", () => {
  it("B30: Postgres folds every pair to the same as the search engine's texts and queries", async () => {
    for (const [one, other] of spellings) {
      const [row] = await test.db.execute<{ one: string; other: string }>(
        sql`select fold_text(${one}) as one, fold_text(${other}) as other`,
      );
      expect(row).toEqual({
        one: normalise(one).toLowerCase(),
        other: normalise(one).toLowerCase(),
      });
    }
  });

  it("B30: each spelling finds both, in the engine and without it", async () => {
    const { search } = createSearch({ ...test, searchDb: test.db, clock: systemClock });
    for (const [one, other] of spellings) {
      for (const q of [one, other]) {
        const byEngine = titled((await search({ ...page, q })).ids);
        const bySql = titled((await searchDegraded(test.db, new Date(), { ...page, q })).ids);
        expect([q, byEngine, bySql]).toEqual([
          q,
          expect.arrayContaining([one, other]),
          expect.arrayContaining([one, other]),
        ]);
      }
    }
  });

  it("B30: texts that were stored under the old fold are folded anew by the migration", async () => {
    const title = "髙橋工房";
    await storeItems(test.db, "2026-01-01T00:00:00Z", [searchItem(9001, { title })]);
    const stored = async () => {
      const [row] = await test.db.execute<{ body: string }>(
        sql`select body from product_text where item_id = 9001`,
      );
      return row?.body;
    };
    const folded = await stored();
    await test.db.execute(sql`
      update product_text set body = replace(body, '高', '髙') where item_id = 9001`);
    expect(await stored()).not.toBe(folded);
    const migration = await readFile("drizzle/0019_fold_variants.sql", "utf8");
    for (const statement of migration.split("--> statement-breakpoint")) {
      await test.db.execute(sql.raw(statement));
    }
    expect(await stored()).toBe(folded);
  });
});
