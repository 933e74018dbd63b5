import { toHiragana, toRomaji } from "wanakana";
import { fold } from "../../index/fold.ts";
import { withoutKanaPrefix } from "../../index/polite.ts";
import type { QueryWord } from "./query-words.ts";

/** What an input method makes of Latin letters: くつ of kutsu; null: they are no Japanese. As names are written, also なんぶ of nambu, きょうせら of kyocera. */
export function hiraganaOf(typed: string): string | null {
  const spelled = typed
    .replace(/tch(?=[aiou])/, "cch")
    .replaceAll(/m(?=[bp])/g, "n")
    .replaceAll(/c(?=[eiy])/g, "s")
    .replaceAll("l", "r");
  const kana = toHiragana(spelled);
  return /^[ぁ-ゖー]+$/.test(kana) ? kana : null;
}

/** The same, folded. */
export function kanaOfRomaji(typed: string): string | null {
  const kana = hiraganaOf(typed);
  return kana === null ? null : fold(kana);
}

/** iroshizuku for いろしずく. */
export const romajiOf = (kana: string): string => toRomaji(kana);

/** Words of a name or a compound that is written as one word in other letters: ザ・ノース・フェイス, 斜めがけ for 斜め and 掛け. */
const mostTogether = 3;

/** The words with those that sound like them, alone or with neighbours: スノーピーク for snow peak, kindle for キン and ドル. */
export function withAlike(
  words: readonly QueryWord[],
  alike: (text: string, isOneWord?: boolean) => readonly string[],
): QueryWord[] {
  const forms = words.map(
    (word, i) =>
      new Set([
        ...word.forms,
        ...numbered(word.text, alike),
        ...plain(word.text, alike),
        ...elided(word, i === 0).flatMap((name) => alike(name)),
      ]),
  );
  for (const from of words.keys()) {
    for (let to = from + 1; to <= Math.min(words.length, from + mostTogether); to += 1) {
      const texts = words.slice(from, to).map(({ text }) => text);
      const isLatin = texts.every((text) => /^[a-z]+$/.test(text));
      const isName = isLatin || texts.every((text) => /^[ぁ-ゖァ-ヺー一-鿿々]+$/.test(text));
      if (to > from + 1 && !isName) break;
      const isSpoken = to === from + 2 && texts.some((text) => /^[ぁ-ゖー]+$/.test(text));
      const others = [
        ...alike(texts.join(isLatin ? " " : ""), to === from + 1),
        // The particle between them is no word: 鬼滅の刃 for きめつのやいば.
        ...(isSpoken ? alike(texts.join("の")) : []),
      ];
      for (const known of forms.slice(from, to)) for (const other of others) known.add(other);
    }
  }
  return words.map((word, i) => ({ ...word, forms: [...(forms[i] ?? [])] }));
}

/** オメガ3 for omega3. */
function numbered(text: string, alike: (text: string) => readonly string[]): string[] {
  const [, name = "", number = ""] = /^([a-z]{4,})(\d{1,3})$/.exec(text) ?? [];
  return name === "" ? [] : alike(name).flatMap((other) => [other + number, `${other} ${number}`]);
}

/** せんべい and 煎餅 for おせんべい. */
function plain(text: string, alike: (text: string) => readonly string[]): string[] {
  return withoutKanaPrefix(text)
    .filter((name) => name.length > 2)
    .flatMap((name) => [fold(name), ...alike(name)]);
}

/** The whole of a name that may begin with what is else left out, or end so if it is the first word: daddario for d'addario, of which `text` is addario, and kiehls. */
function elided({ text, forms }: QueryWord, isFirst: boolean): string[] {
  const whole = new RegExp(`^(?:(?:[cdjlmnst]|qu)${text}${isFirst ? `|${text}s` : ""})$`);
  return /^[a-z]+$/.test(text) ? forms.filter((form) => whole.test(form)) : [];
}
