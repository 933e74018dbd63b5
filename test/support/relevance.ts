import { meanOf, ndcgOf, recallOf } from "../../scripts/relevance/measures.ts";
import type { SandboxItem } from "../../src/sandbox/catalogue/item.ts";

/** A search and what a shopper who types it wants, judged by what a product is, not by its words alone. */
export interface JudgedSearch {
  q: string;
  trait: string;
  /** 2: just what is looked for; 1: would do; 0: is not. */
  grade(item: SandboxItem): number;
}

const spelling = (text: string) => text.normalize("NFKC").toLowerCase();

/** 2 for titles that match, 1 where categories, shop or description do. */
function byText(pattern: RegExp): JudgedSearch["grade"] {
  return (item) => {
    if (pattern.test(spelling(item.title))) return 2;
    return pattern.test(spelling([item.detail, item.shop_name, ...item.categories].join("\n")))
      ? 1
      : 0;
  };
}

/** Only titles count. */
const byTitle =
  (pattern: RegExp): JudgedSearch["grade"] =>
  (item) =>
    pattern.test(spelling(item.title)) ? 2 : 0;

const judged: [q: string, trait: string, grade: JudgedSearch["grade"]][] = [
  ["ピアス", "a word", byText(/ピアス/)],
  ["ぴあす", "hiragana for katakana", byText(/ピアス/)],
  ["ﾋﾟｱｽ", "half width", byText(/ピアス/)],
  ["ハンドメイド", "half width in the catalogue", byText(/ハンドメイド/)],
  ["ハンドメード", "a typo", byText(/ハンドメイド/)],
  ["トートバック", "a typo", byTitle(/トートバッグ/)],
  ["リュック", "half width in the catalogue", byText(/リュック/)],
  ["Ｔシャツ", "full width", byText(/tシャツ/)],
  ["T シャツ", "a space", byText(/tシャツ/)],
  ["abc123", "full width in the catalogue", byText(/abc123/)],
  ["ヴィンテージ", "another spelling", byText(/ヴィンテージ|ビンテージ/)],
  ["ビンテージ", "another spelling", byText(/ヴィンテージ|ビンテージ/)],
  ["刺繍", "another spelling", byText(/刺繍|刺しゅう/)],
  ["刺しゅう", "another spelling", byText(/刺繍|刺しゅう/)],
  ["スマートフォン", "another word", byText(/スマホ|スマートフォン/)],
  ["手造り", "another spelling", byText(/手作り/)],
  ["高い品質", "a variant kanji in the catalogue", byText(/品質の[髙高]い/)],
  ["京都", "not 東京都", byText(/(?<!東)京都/)],
  ["東京都", "not 京都", byText(/東京都/)],
  ["15", "a number inside a word", byText(/(?<!\d)15(?!\d)/)],
  ["100%", "a number inside a word", byText(/100%/)],
  ["925", "a number inside a word", byText(/925/)],
  ["iPhone ケース", "two words in one", byText(/iphone.*ケース/)],
  ['"革財布"', "a phrase", byText(/革財布/)],
  ["マフラー -ウール", "an exclusion", excluding(/マフラー/, /ウール/)],
  ["coffee cup", "English", byText(/coffee cup/)],
  ["cofee cup", "an English typo", byText(/coffee cup/)],
  ["vintage denim", "English", byText(/vintage denim/)],
  ["linen shirts", "an English ending", byText(/linen shirt/)],
  ["worldwide shipping", "the description", byText(/worldwide shipping/)],
];

function excluding(wanted: RegExp, unwanted: RegExp): JudgedSearch["grade"] {
  const grade = byText(wanted);
  const isUnwanted = byText(unwanted);
  return (item) => (isUnwanted(item) > 0 ? 0 : grade(item));
}

/** The searches, with a barcode, an identifier and a shop of this catalogue. */
export function judgedSearches(items: readonly SandboxItem[]): JudgedSearch[] {
  const barcodesOf = (item: SandboxItem) => item.variations.map((v) => v.barcode ?? "");
  const [barcode = ""] = items.flatMap(barcodesOf).filter((code) => code !== "");
  const [identifier = ""] = items.flatMap((item) => item.identifier ?? []);
  const shop = items[0]?.shop_name ?? "";
  return [
    ...judged.map(([q, trait, grade]) => ({ q, trait, grade })),
    {
      q: barcode,
      trait: "a barcode",
      grade: (item) => (barcodesOf(item).includes(barcode) ? 2 : 0),
    },
    {
      q: identifier,
      trait: "an identifier",
      grade: (item) => (item.identifier === identifier ? 2 : 0),
    },
    { q: shop, trait: "a shop", grade: (item) => (item.shop_name === shop ? 2 : 0) },
  ];
}

export interface Score {
  /** Normalised discounted cumulative gain of the first ten, 0 to 1. */
  ndcg: number;
  /** The share of all that would do which was found, 0 to 1. */
  recall: number;
}

export function scoreOf(
  search: JudgedSearch,
  items: readonly SandboxItem[],
  found: readonly number[],
): Score {
  const grades = new Map(items.map((item) => [item.item_id, search.grade(item)]));
  const wanted = [...grades.values()].filter((grade) => grade > 0);
  const met = found.map((id) => grades.get(id) ?? 0);
  if (wanted.length === 0) return { ndcg: 1, recall: 1 };
  return { ndcg: ndcgOf(met, wanted), recall: recallOf(met, wanted) };
}

export function meanScore(scores: readonly Score[]): Score {
  return {
    ndcg: meanOf(scores.map((score) => score.ndcg)),
    recall: meanOf(scores.map((score) => score.recall)),
  };
}
