/** A stretch of a title. */
export interface TitlePart {
  text: string;
  /** The other title does not contain these words. */
  differs: boolean;
}

/** Words of Latin letters and digits with their decimals; of other scripts, runs of one script. */
const word =
  /[\p{Script=Latin}\p{M}\p{Nd}]+(?:[.,]\p{Nd}+)*|[\p{Script=Han}々]+|[\p{Script=Hiragana}ー]+|[\p{Script=Katakana}ー]+|\p{L}+/gu;

/**
 * Splits a title where it begins or ceases to have words that the other lacks; the parts joined are the
 * title. Spelling by width and case makes no difference.
 */
export function splitByCommonWords(title: string, other: string): TitlePart[] {
  const known = new Set((other.match(word) ?? []).map(fold));
  const parts: TitlePart[] = [];
  const add = (text: string, differs: boolean) => {
    const last = parts.at(-1);
    if (text === "") return;
    if (last?.differs === differs) last.text += text;
    else parts.push({ text, differs });
  };
  let end = 0;
  for (const found of title.matchAll(word)) {
    add(title.slice(end, found.index), false);
    end = found.index + found[0].length;
    add(found[0], !known.has(fold(found[0])));
  }
  add(title.slice(end), false);
  return parts;
}

function fold(text: string): string {
  return text.normalize("NFKC").toLowerCase().replaceAll(",", ".");
}
