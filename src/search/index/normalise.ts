import { kanjiVariants } from "./kanji-variants.ts";

/** Highlight tags inside the engine; no normalised text can contain them. */
export const highlightOpen = "\uE000";
export const highlightClose = "\uE001";

/** A text without the characters that mark highlights. */
export function withoutMarks(text: string): string {
  return text.replaceAll(highlightOpen, "").replaceAll(highlightClose, "");
}

const variant = new RegExp(`[${[...kanjiVariants.keys()].join("")}]`, "gu");
/**
 * Soft hyphens, zero-width and bidirectional controls, and selectors of a character's shape (葛󠄀, ❤️): invisible,
 * but they would split a word or keep it from its other form.
 */
const invisible =
  /[\u00AD\u061C\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF\uE000\uE001]|\p{Variation_Selector}/gu;
const control = /\p{Cc}+/gu;
/** Signs of trade marks and copyrights part two words, and belong to none. */
const signInside = /[™®©℠](?=[0-9A-Za-z\u00C0-\u024F\u3041-\u30FF\u3400-\u9FFF])/g;
const sign = /[™®©℠]/g;
/** Without it, 3½ would become 31/2. */
const beforeFraction = /(?<=[0-9])(?=[\u00BC-\u00BE\u2150-\u215E])/g;
/** The kanji for one, where katakana stand on both sides; ヶ is none of them: 一ヶ月. */
const oneAsLongVowel =
  /(?<=[\u30A1-\u30F4\u30F7-\u30FA\u30FC])一(?=[\u30A1-\u30F4\u30F7-\u30FA\u30FC])/g;
/** What is typed for a long vowel: dashes and lines of all kinds directly after kana. */
const longVowel =
  /(?<=[\u3041-\u3096\u30A1-\u30FA\u30FC\uFF66-\uFF9F])[\u2010-\u2015\u2212\u2500\u2501\uFF0D]/g;
/** Quotes, hyphens and fraction signs that have an ASCII form. Phones type “” and ’ by themselves. */
const typographic = /[‘’ʼ“”„‐‑−⁄]/g;
const ascii: Record<string, string> = {
  "‘": "'",
  "’": "'",
  ʼ: "'",
  "“": '"',
  "”": '"',
  "„": '"',
  "‐": "-",
  "‑": "-",
  "−": "-",
  "⁄": "/",
};
/** One counter or name in all its spellings: 1か月, 1カ月, 1ヵ月 and 1ケ月 are 1ヶ月, 霞ケ関 is 霞ヶ関. */
const smallKe =
  /(?<=[0-9\u4E00-\u9FFF々])[ヵケ](?=[\u4E00-\u9FFF])|(?<=[0-9一二三四五六七八九十百数])[かカ](?=[\u4E00-\u9FFF])/g;
/** 50x75 and 15mmx10m are typed for 50×75 and 15mm×10m. */
const times = /(?<=[0-9](?:[mc]?m)?)[xX](?=[0-9])/g;

/**
 * The normal form of a text for the search engine: compatibility forms (half- and full-width, circled,
 * squared), characters that look like ー, typographic signs, and kanji variants are folded. Texts and queries both
 * pass through here, so ﾊﾞｯｸﾞ finds バッグ and 髙橋 finds 高橋. Total and idempotent; case and kana are left to the
 * engine.
 */
export function normalise(text: string): string {
  return (
    text
      .toWellFormed()
      .replaceAll(invisible, "")
      .replaceAll(control, " ")
      .replaceAll(signInside, " ")
      .replaceAll(sign, "")
      .replaceAll(beforeFraction, " ")
      .replaceAll(longVowel, "ー")
      .normalize("NFKC")
      // Kana that only this form shows: ㋐.
      .replaceAll(longVowel, "ー")
      .replaceAll(variant, (kanji) => kanjiVariants.get(kanji) ?? kanji)
      .replaceAll(typographic, (char) => ascii[char] ?? char)
      .replaceAll(smallKe, "ヶ")
      .replaceAll(oneAsLongVowel, "ー")
      .replaceAll(times, "×")
      .trim()
  );
}

/** Cut to so many UTF-16 units, or one less where the cut would split a surrogate pair. */
export function capped(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const cut = text.slice(0, limit);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}

const run = /[\p{Script=Latin}\p{N}]+(?:[.,]\p{N}+)*/gu;
/** A part of a number that is written in several: W 712/95, 06A 906 265. */
const codePart = /^(?:(?!X$)[A-Z]{1,2}|(?=[A-Za-z]*\d)[A-Za-z\d]{1,8})$/;
const mostParts = 6;
const cjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/u;
/** 1,5 is one number, 38,39,40 are three. */
const piece = /(?<!,)[0-9]+,[0-9]{1,2}(?![0-9,.])|\p{N}+(?:\.\p{N}+)*|\p{Script=Latin}+/gu;

/**
 * Latin words and numbers that the engine's Japanese segmentation does not find inside other text: 100
 * in ウール100%, 15 in iPhone15用, 24cm in サイズ24cm. For normalised text.
 */
export function buriedWords(text: string, limit: number): string[] {
  const words = new Set<string>();
  for (const match of text.matchAll(run)) {
    const [word] = match;
    const touchesJapanese =
      cjk.test(text.charAt(match.index - 1)) || cjk.test(text.charAt(match.index + word.length));
    const pieces = word.match(piece) ?? [];
    if (touchesJapanese) words.add(word);
    if (pieces.length > 1) {
      for (const part of pieces) if (part.length > 1 || /\p{N}/u.test(part)) words.add(part);
    }
    if (words.size >= limit) break;
  }
  return [...words].filter((word) => word.length <= 32).slice(0, limit);
}

/** Part numbers that the text has in several parts, as they are typed in one: W71295 for W 712/95. For normalised text. */
export function joinedCodes(text: string, limit: number): string[] {
  const parts = [...text.matchAll(/[A-Za-z\d]+/g)].map(({ 0: part, index }) => {
    return { part, isCode: codePart.test(part), index, end: index + part.length };
  });
  const codes = new Set<string>();
  for (const from of parts.keys()) {
    let code = "";
    for (const [i, { part, isCode, index }] of parts.slice(from, from + mostParts).entries()) {
      const before = parts[from + i - 1]?.end ?? index;
      if (!isCode || (i > 0 && !/^[ ./-]$/.test(text.slice(before, index)))) break;
      code += part;
      const digits = code.replaceAll(/\D/g, "").length;
      if (i > 0 && digits > 3 && code.length > 4 && code.length < 21) codes.add(code);
    }
    if (codes.size >= limit) break;
  }
  return [...codes].slice(0, limit);
}
