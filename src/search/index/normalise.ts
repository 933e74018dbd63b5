import { kanjiVariants } from "./kanji-variants.ts";

/** Highlight tags inside the engine; no normalised text can contain them. */
export const highlightOpen = "\uE000";
export const highlightClose = "\uE001";

/** A text without the characters that mark highlights. */
export function withoutMarks(text: string): string {
  return text.replaceAll(highlightOpen, "").replaceAll(highlightClose, "");
}

const variant = new RegExp(`[${[...kanjiVariants.keys()].join("")}]`, "gu");
/** Soft hyphens, zero-width and bidirectional controls: invisible, but they would split a word. */
const invisible = /[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2064\uFEFF\uE000\uE001]/g;
const control = /\p{Cc}+/gu;
/** The kanji for one, where katakana stand on both sides. */
const oneAsLongVowel = /(?<=[\u30A1-\u30FA\u30FC])一(?=[\u30A1-\u30FA\u30FC])/g;
/** What is typed for a long vowel: dashes and lines of all kinds directly after kana. */
const longVowel =
  /(?<=[\u3041-\u3096\u30A1-\u30FA\u30FC\uFF66-\uFF9F])[\u2010-\u2015\u2212\u2500\u2501\uFF0D]/g;

/**
 * The normal form of a text for the search engine: compatibility forms (half- and full-width, circled,
 * squared), characters that look like ー, and kanji variants are folded. Texts and queries both pass through
 * here, so ﾊﾞｯｸﾞ finds バッグ and 髙橋 finds 高橋. Total and idempotent; case and kana are left to the engine.
 */
export function normalise(text: string): string {
  return (
    text
      .toWellFormed()
      .replaceAll(invisible, "")
      .replaceAll(control, " ")
      .replaceAll(longVowel, "ー")
      .normalize("NFKC")
      // Kana that only this form shows: ㋐.
      .replaceAll(longVowel, "ー")
      .replaceAll(oneAsLongVowel, "ー")
      .replaceAll(variant, (kanji) => kanjiVariants.get(kanji) ?? kanji)
      .trim()
  );
}

/** Cut to so many UTF-16 units, or one less where the cut would split a surrogate pair. */
export function capped(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const cut = text.slice(0, limit);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}

const run = /[\p{Script=Latin}\p{N}]+(?:\.\p{N}+)*/gu;
const cjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/u;
const piece = /\p{N}+(?:\.\p{N}+)*|\p{Script=Latin}+/gu;

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
