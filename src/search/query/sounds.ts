import { toHiragana } from "wanakana";
import { fold } from "../index/fold.ts";
import type { QueryWord } from "./query-words.ts";

/** What an input method makes of Latin letters, folded: くつ of kutsu; null: they are no Japanese. */
export function kanaOfRomaji(typed: string): string | null {
  const kana = toHiragana(typed.replace(/tch(?=[aiou])/, "cch"));
  return /^[ぁ-ゖー]+$/.test(kana) ? fold(kana) : null;
}

/** The words with those that sound like them, alone or with a neighbour: スノーピーク for snow peak. */
export function withAlike(
  words: readonly QueryWord[],
  alike: (text: string) => readonly string[],
): QueryWord[] {
  return words.map((word, i) => {
    const [before = "", after = ""] = [words[i - 1]?.text, words[i + 1]?.text];
    const spoken = /^[a-z]+$/.test(word.text)
      ? [word.text, before + word.text, word.text + after]
      : [word.text];
    return { ...word, forms: [...new Set([...word.forms, ...spoken.flatMap(alike)])] };
  });
}
