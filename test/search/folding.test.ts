import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import { searchDegraded } from "../../src/search/query/fallback.ts";
import { kanjiVariants } from "../../src/search/index/kanji-variants.ts";
import { fold } from "../../src/search/index/fold.ts";
import { lexemesOf } from "../../src/search/query/word-sql.ts";
import { createSearch } from "../../src/search/search.ts";
import { storeItems } from "../support/catalog.ts";
import { createTestMirror, drain } from "../support/mirror.ts";
import { openedForAll } from "../support/opened.ts";
import { titledItem } from "../support/products.ts";

/** Pairs of spellings that shoppers take for one; each spelling is the title of a product. */
const spellings: [string, string][] = [
  ...kanjiVariants,
  ["髙橋", "高橋"],
  ["ﾊﾞｯｸﾞ", "バッグ"],
  ["ＡＢＣ", "abc"],
  ["Éclair", "éclair"],
  ["ПОЧТА", "почта"],
  ["財\u200B布", "財布"],
  ["㌔", "キロ"],
  ["ポストカ―ド", "ポストカード"],
];
/** Other pairs with one folded form; the engine finds them with the help of Postgres. */
const folded: [string, string][] = [
  ...spellings,
  ["クリアフアイル", "クリアファイル"],
  ["クリヤファイル", "クリアファイル"],
  ["ヴァイオリン", "バイオリン"],
  ["ぽすとかーど", "ポストカード"],
  ["コピ－本", "コピー本"],
  ["㋐‐ト", "アート"],
  ["マドレ一ヌ", "マドレーヌ"],
  ["Größe Æther", "GRÖSSE aether"],
  ["Ünïcode ÅŁØ", "unicode alo"],
];
const titles = [...new Set(spellings.flat())];
const test = openedForAll(createTestMirror);

beforeAll(async () => {
  const items = titles.map((title, i) => titledItem(i + 1, title));
  await storeItems(test.db, "2026-01-01T00:00:00Z", items);
  await drain(test.db, test.start(), test.indexPrefix);
});

const page = { page: 1, perPage: 100 };
const titled = (ids: readonly number[]) => ids.map((id) => titles[id - 1]);

describe("one fold for texts and queries", () => {
  it("B30: Postgres folds every pair to the same as the search engine's texts and queries", async () => {
    for (const [one, other] of folded) {
      const [row] = await test.db.execute<{ one: string; other: string }>(
        sql`select fold_text(${one}) as one, fold_text(${other}) as other`,
      );
      expect(row).toEqual({ one: fold(one), other: fold(one) });
    }
  });

  it("Postgres splits a text into the same words as queries", async () => {
    for (const text of [
      "3/4 in. copper elbow 0.75",
      "rtx3080 500ml t-shirt",
      "くりあ ふあいる革財布 abc",
    ]) {
      const [row] = await test.db.execute<{ words: string[] }>(
        sql`select to_json(tsvector_to_array(text_words(${text}))) as words`,
      );
      expect(row?.words.toSorted()).toEqual(lexemesOf(text).toSorted());
    }
  });

  it("B30: each spelling finds both, in the engine and without it", async () => {
    const { search } = createSearch({ ...test, searchDb: test.db, clock: systemClock });
    // In the short form a fifth of the kanji and all others; the test above folds every pair.
    const asked = spellings.filter(
      (_, i) => inject("long") || i % 5 === 0 || i >= kanjiVariants.size,
    );
    for (const [one, other] of asked) {
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
});
