import { sql } from "drizzle-orm";
import fc from "fast-check";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import { searchDegraded } from "../../src/search/query/sql/fallback.ts";
import { kanjiVariants } from "../../src/search/index/normalise.ts";
import { fold } from "../../src/search/index/fold.ts";
import { titleForms } from "../../src/search/index/japanese-forms.ts";
import { lexemesOf } from "../../src/search/query/words/word-sql.ts";
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
  ["葛\u{E0100}餅", "葛餅"],
  ["❤\uFE0F", "❤"],
  ["Lego™Bus", "lego bus"],
  ["Fjord®", "Fjord"],
  ["½ Zoll", "1/2 zoll"],
  ["M8×50", "m8x50"],
  ["コンタクト一か月", "コンタクト一ヵ月"],
  ["霞ヶ関", "霞ケ関"],
  ["Oma’s Brot", "oma's brot"],
  ["Gr‐7", "gr-7"],
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
  ["Saft 1,5l", "saft 1.5l"],
];
/** What the rules of the fold look at. */
const looked = Array.from(
  " 0123xXmc,.-/'\"’“„‐−⁄½®™aéßヴァヶケカかヵア‐―ー一々月漢簞\u{E0100}\uFE0F\u200B㋐㌔ｱﾞゔや\u3099\u0301",
);
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

  it("B30: Postgres folds any text as the code does", async () => {
    const texts = fc.sample(fc.string({ unit: fc.constantFrom(...looked), maxLength: 12 }), {
      numRuns: inject("long") ? 3000 : 600,
      seed: 1,
    });
    const rows = await test.db.execute<{ text: string; folded: string }>(sql`
      select text, fold_text(text) as folded
      from json_array_elements_text(${JSON.stringify(texts)}::text::json) as t(text)`);
    expect(rows.map(({ text, folded }) => [text, folded.trim()])).toEqual(
      rows.map(({ text }) => [text, fold(text)]),
    );
  });

  it("Postgres has the same further forms of a title's words as the code", async () => {
    const letters = fc.constantFrom(
      ...Array.from(" 引出折畳合詰〇二三十百第12つ段枚番きしりわせたがかえにのーアa-白綿色"),
    );
    const texts = fc.sample(fc.string({ unit: letters, maxLength: 14 }), {
      numRuns: inject("long") ? 5000 : 1000,
      seed: 1,
    });
    const rows = await test.db.execute<{ text: string; forms: string | null }>(sql`
      select text, text_forms(text) as forms
      from json_array_elements_text(${JSON.stringify(texts)}::text::json) as t(text)`);
    expect(rows.map(({ text, forms }) => [text, forms ?? ""])).toEqual(
      rows.map(({ text }) => [text, titleForms(text).join(" ")]),
    );
  });

  it("Postgres splits a text into the same words as queries", async () => {
    for (const text of [
      "3/4 in. copper elbow 0.75",
      "rtx3080 500ml t-shirt",
      "くりあ ふあいる革財布 abc",
      "dr.martens l'oreal h&m u.s.a. 0.75l m.8",
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
