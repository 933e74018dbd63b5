import { normalise } from "./normalise.ts";

const smallKana = "ぁぃぅぇぉっゃゅょゎゕゖ";
const anySmallKana = new RegExp(`[${smallKana}]`, "g");
const largeKana = "あいうえおつやゆよわかけ";
const voiced: Record<string, string> = { ヴァ: "バ", ヴィ: "ビ", ヴェ: "ベ", ヴォ: "ボ", ヴ: "ブ" };
/** 1,5 as it is written in German; not in lists (38,39,40), nor 1,000. */
const decimalComma = /(?<![0-9,.])([0-9]{1,4}),([0-9]{1,2})(?![0-9,.])/g;
const letters: Record<string, string> = { ß: "ss", æ: "ae", ø: "o", œ: "oe", ł: "l" };

/**
 * One form for the spellings of a word, for comparing words outside the search engine: `normalise`,
 * then lower case, no marks on Latin letters, hiragana for katakana, large kana for small, バ for ヴァ,
 * and あ for や after an i-sound (クリヤ, クリア). `fold_text` in Postgres is the same function: a test
 * compares both, pair by pair. Idempotent, but for a 一 behind a hyphen.
 */
export function fold(text: string): string {
  return foldLetters(text)
    .replaceAll(/(?<=[ぁ-ゖァ-ヺー])-(?=[ぁ-ゖァ-ヺー々〆一-鿿㐀-䶿])/g, "ー")
    .replaceAll(/ヴ[ァィェォ]?/g, (sound) => voiced[sound] ?? sound)
    .replaceAll(/[ァ-ヶ]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) - 0x60))
    .replaceAll(anySmallKana, (kana) => largeKana.charAt(smallKana.indexOf(kana)))
    .replaceAll(/(?<=[いきしちにひみりぎじびぴ])や/g, "あ");
}

/** The part of `fold` that does not change kana: 1.5 also for 1,5. */
export function foldLetters(text: string): string {
  return normalise(text)
    .toLowerCase()
    .normalize("NFD")
    .replaceAll(/[\u0300-\u036F]/g, "")
    .normalize("NFC")
    .replaceAll(/[ßæøœł]/g, (letter) => letters[letter] ?? letter)
    .replaceAll(decimalComma, "$1.$2")
    .trim();
}

/** A word of Latin letters and digits in a folded text. */
export const latinToken = /[a-z0-9]+(?:[./][0-9]+)*/g;
/** Words that are also written as one: t-shirt, dr.martens, l'oreal, h&m. */
const compound = /[a-z0-9]+(?:-[a-z0-9]+)+|[a-z]+(?:['.&][a-z]+)+/g;
const piece = /[0-9]+|[a-z]+/g;

/**
 * The words of Latin letters and digits in a folded text: `3/4`, `0.75` and `ab12` whole and in parts;
 * `t-shirt` also as `tshirt`, `women's` as `womens`.
 */
export function latinTokens(folded: string): string[] {
  const tokens = new Set<string>();
  for (const [parts] of folded.matchAll(compound)) tokens.add(parts.replaceAll(/[-'.&]/g, ""));
  for (const [word] of folded.matchAll(latinToken)) {
    tokens.add(word);
    for (const [part] of word.matchAll(piece)) tokens.add(part);
  }
  return [...tokens];
}
