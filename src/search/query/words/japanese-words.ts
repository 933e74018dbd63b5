import { fold } from "../../index/fold.ts";
import { withoutOkurigana } from "../../index/japanese-forms.ts";
import { counters, kanjiNumerals } from "../../index/numerals.ts";
import { spellingsOf } from "../../index/spellings.ts";

const segmenter = new Intl.Segmenter("ja", { granularity: "word" });
/** Japanese particles and endings: they part words and are none. */
const particles = new Set(
  "の に を は が で と も へ や か な 用 入 など から まで より です ます つき 付き".split(" "),
);
const numeral = `[${kanjiNumerals}]`;
/** 第 is a word by itself, and so is a number of several kanji: 第|三巻, 二〇二五|年. */
const besideNumbers = new RegExp(
  [
    `(?<=第)(?=${numeral})`,
    `(?<!${numeral})(?=${numeral}{2,4}${counters})`,
    `(?<=(?<!${numeral})${numeral}{2,4})(?=${counters})`,
  ].join("|"),
);
const isNumber = new RegExp(`^${numeral}{2,4}$`);
/** The segments of the longest word with other spellings. */
const mostSegments = 6;

/** The words of Japanese that is written without spaces, in the letters of `foldLetters`. */
export function japaneseParts(text: string): string[] {
  if (isKnown(text)) return [text];
  // Between two longer words it is a particle: うなぎのかばやき.
  if (/^[ぁ-ゖー]+$/.test(text)) return text.split(/(?<=^.{2,}[^の])の(?=[^の].{2,})/);
  const cut = text
    .split(besideNumbers)
    .flatMap((part) =>
      isNumber.test(part) ? [part] : [...segmenter.segment(part)].map(({ segment }) => segment),
    );
  const segments = joinedKnown(withStemEnds(cut));
  const words = joinedKana(segments)
    .map((word) =>
      segments.includes(word) ? word : word.replace(/(?<=[ぁ-ゖ]{2})[のにをはがでとも]$/, ""),
    )
    .flatMap(splitAtKnown)
    .filter((word, i, all) => !particles.has(word) && !isHonorific(word, all[i + 1]));
  return words.length === 0 ? [text] : words;
}

/** お of お米. */
const isHonorific = (word: string, next = "") => /^[お御ご]$/.test(word) && /^[一-鿿]/.test(next);

/** Whether it has other spellings. */
export const isKnown = (text: string) => spellingsOf(fold(text)).length > 0;

/** The end of a stem belongs to it: 貼り付け is 貼り and 付け. */
function withStemEnds(segments: readonly string[]): string[] {
  const joined: string[] = [];
  for (const segment of segments) {
    const stem = joined.at(-1) ?? "";
    if (/^[一-鿿]$/.test(stem) && withoutOkurigana(stem + segment) === stem)
      joined.push(joined.pop() + segment);
    else joined.push(segment);
  }
  return joined;
}

/** Parts of one word that has other spellings, put together again: スマートフォン in スマートフォンケース. */
function joinedKnown(segments: readonly string[]): string[] {
  const joined: string[] = [];
  for (let at = 0; at < segments.length;) {
    let to = Math.min(segments.length, at + mostSegments);
    while (to > at + 1 && !isKnown(segments.slice(at, to).join(""))) to -= 1;
    joined.push(segments.slice(at, to).join(""));
    at = to;
  }
  return joined;
}

/** Cut into single kana, a word is one that the dictionary does not know: put together again, without a particle behind it. */
function joinedKana(segments: readonly string[]): string[] {
  const joined: string[] = [];
  let wasSingle = false;
  for (const segment of segments) {
    const isSingle = /^[ぁ-ゖァ-ヺー]$/.test(segment) && !particles.has(segment);
    const last = joined.at(-1) ?? "";
    const isSameScript = /[ァ-ヺー]$/.test(last)
      ? /^[ァ-ヺー]/.test(segment)
      : /[ぁ-ゖ]$/.test(last) && /^[ぁ-ゖー]/.test(segment);
    const isApart = /^[のをに]$/.test(last) || particles.has(segment);
    if ((wasSingle || isSingle) && isSameScript && !isApart) joined.push(joined.pop() + segment);
    else joined.push(segment);
    wasSingle = isSingle;
  }
  return joined;
}

/** A shorter one begins and ends many other words: ブルーベリー is no ブルー. */
const shortestKnown = 4;

/** アイフォンケース begins with a word that has other spellings. */
function splitAtKnown(word: string): string[] {
  if (isKnown(word)) return [word];
  for (let at = word.length - 2; at >= shortestKnown; at -= 1) {
    const [beginning, rest] = [word.slice(0, at), word.slice(at)];
    if (isKnown(beginning) && !/^[ーァィゥェォッャュョ]/.test(rest)) return [beginning, rest];
    if (isKnown(word.slice(-at))) return [word.slice(0, -at), word.slice(-at)];
  }
  return [word];
}
