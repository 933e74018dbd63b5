import { toKatakana } from "wanakana";
import { counters, inDigits, inKanji, kanjiNumerals, pieceCounters } from "./numerals.ts";
import { spellingGroups } from "./spellings.ts";
import { volumeForms } from "./volumes.ts";

const kanji = "[一-鿿々]";
/** The kana that end a verb's stem between two parts of a compound: 引き出し, 詰め合わせ. */
const stemEnd =
  "(?:わ[せりい]|たり|とし|こし|らし|まれ|がり|か[えい]|[いきしちみりぎじびえけせてねめれげぜべ])(?![ぁ-ゖー])";
const compound = new RegExp(`(?:${kanji}+${stemEnd})+${kanji}*`, "g");
const stemEnds = new RegExp(`(?<=${kanji})${stemEnd}`, "g");
const innerEnds = new RegExp(`(?<=${kanji})${stemEnd}(?=${kanji})`, "g");
/** 合せ for 合わせ, 当り for 当たり. */
const contracted = new RegExp(`(?<=${kanji})(?:わ(?=[せりい])|た(?=り)|と(?=し)|こ(?=し))`, "g");

const counted = new RegExp(
  `(?<![${kanjiNumerals}百千万])[${kanjiNumerals}]{1,4}${counters}[一-鿿々ぁ-ゖ]{0,4}`,
  "g",
);
const countedByDigit = new RegExp(`(?<![0-9.,])[1-9][0-9]?${counters}[一-鿿々ぁ-ゖ]{0,4}`, "g");
const beginsCounted = new RegExp(`^[${kanjiNumerals}]{1,4}${counters}`);

/**
 * Colours and fabrics whose kanji are parts of other words as well, with their English names: letters and pairs of letters of a
 * Japanese name would be counted as those of other words.
 */
const signs = Array.from("黒白赤青緑紺紫綿麻絹").flatMap((sign) => {
  const names = spellingGroups.find((group) => group.includes(sign)) ?? [];
  const whole = new RegExp(`(?<![一-鿿々])${sign}色?(?:[のとやも]|(?![一-鿿々ぁ-ゖ]))`);
  return names.filter((name) => /^[a-z]+$/.test(name)).map((name) => ({ whole, name }));
});

/** 引出 for 引き出し, 引出し and 引出: a compound without the kana that each writes or leaves out. */
export function withoutOkurigana(text: string): string {
  return text.replaceAll(stemEnds, "");
}

/** Compounds without okurigana, and numbers with a counter in digits (2つ折り for 二つ折り). */
function ownForms(title: string): string[] {
  const compounds = title.match(compound) ?? [];
  return [
    ...compounds.map(withoutOkurigana).filter((form) => form.length > 1),
    ...(title.match(counted) ?? []).map(inDigits),
  ];
}

/**
 * Other forms of a title's words, as Postgres searches them: its own, and the names of its colours and fabrics (white for 白,
 * not in 面白い). `text_forms` in the database is the same function: a test compares both.
 */
export function titleForms(title: string): string[] {
  const named = signs.filter(({ whole }) => whole.test(title)).map(({ name }) => name);
  return [...ownForms(title), ...named];
}

/** Signs that stand for a long vowel between kana: ちゅ~る. */
export const waves = "~〜";
const wavy = /[ぁ-ゖァ-ヺ]+[~〜][ぁ-ゖァ-ヺー一-鿿々]+/g;
const betweenKana = /(?<=[ぁ-ゖァ-ヺ])[~〜](?=[ぁ-ゖァ-ヺー一-鿿々])/g;
/** A text with ー for waves. It stays as long as it was. */
export const withLongVowels = (text: string) => text.replaceAll(betweenKana, "ー");

/** 55V型, 55型 and 55インチ are one size. */
const screenSize = /(?<![\d.])(\d{2}(?:\.\d)?)(?:V?型|インチ)/gi;

/** The engine has a query's words only as they were typed: for its documents, what may be typed for a title's words. */
export function typedForms(title: string): string[] {
  const shorter = (title.match(compound) ?? []).map((word) => word.replaceAll(innerEnds, ""));
  const forms = [
    ...ownForms(title),
    ...volumeForms(title),
    ...shorter,
    ...shorter.map((word) => word.replaceAll(contracted, "")),
    ...(title.match(countedByDigit) ?? []).map(inKanji),
    ...(title.match(anyCounted) ?? []).flatMap((count) => [
      ...otherCounter(count),
      ...(pieceCounters.includes(count.slice(-1)) ? [`${count.slice(0, -1)}個`] : []),
    ]),
    ...[...title.matchAll(screenSize)].flatMap(([, size]) => [`${size}型`, `${size}インチ`]),
    ...(title.match(/全\d+[巻冊話]/g) ?? []).map((set) => set.replaceAll(/\d/g, "")),
    ...(title.match(wavy) ?? []).map(withLongVowels).flatMap((word) => [word, toKatakana(word)]),
  ];
  return [...new Set(forms)].filter((form) => form.length > 1 && !title.includes(form));
}

const likeCounters = ["畳帖", "歳才", "錠粒", "缶本"];
const anyCounted = new RegExp(`(?<![\\d.])\\d+[${likeCounters.join("")}${pieceCounters}]`, "g");

/** 8帖 for 8畳, 3才 for 3歳, 60粒 for 60錠, and the reverse. */
export function otherCounter(counted: string): string[] {
  const counter = counted.slice(-1);
  return likeCounters
    .filter((alike) => alike.includes(counter))
    .map((alike) => counted.slice(0, -1) + alike.replace(counter, ""));
}

/** Whether a word begins with a number that digits may stand for: 三段. */
export function isCounted(word: string): boolean {
  return beginsCounted.test(word);
}
