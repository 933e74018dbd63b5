import type { QueryWord } from "./query-words.ts";

/** How well a text has one word, from 0 (not at all) to 1 (as typed), and where. */
interface WordMatch {
  quality: number;
  /** Place among the text's words; -1 where it has none. */
  at: number;
  /** Only parts of the word are there: it may be mistyped. */
  isNear?: boolean;
}

export interface TextMatch {
  words: WordMatch[];
  /** Share of the neighbouring pairs of the query that stand side by side in the text, in this order. */
  adjacency: number;
  /** How much of the text the found words are, from 0 to 1. */
  wholeness: number;
}

const asForm = 0.95;
const asLooseForm = 0.75;
const asBeginning = 0.6;
const asNear = 0.75;
const inContext = 0.5;

interface Tokens {
  list: { text: string; start: number }[];
  /** Where each whole word stands first. */
  places: Map<string, number>;
  /** The same of neighbours written as one or two words, and of the parts of words of letters and digits. */
  parts?: Map<string, number>;
}

const token = /[a-z0-9]+(?:[./][0-9]+)*/g;
const part = /\d+(?:[./]\d+)*|[a-z]+/g;

/**
 * Compares the words of a query with a title, and with the `context` around it (categories, shop), which
 * counts half. Both as `fold` gives them; pure.
 */
export function matchText(words: readonly QueryWord[], folded: string, context: string): TextMatch {
  const tokens = tokensOf(folded);
  let around: Tokens | null = null;
  const matches = words.map((word): WordMatch => {
    const inTitle = findWord(word, folded, tokens);
    if (context === "" || inTitle.quality > 0) return inTitle;
    around ??= tokensOf(context);
    return { quality: findWord(word, context, around).quality > asNear ? inContext : 0, at: -1 };
  });
  const letters = folded.replaceAll(/[\s\p{P}\p{S}]/gu, "").length;
  const found = words.reduce(
    (sum, word, i) => sum + ((matches[i]?.at ?? -1) >= 0 ? (word.forms[0]?.length ?? 0) : 0),
    0,
  );
  return {
    words: matches,
    adjacency: adjacencyOf(words, matches),
    wholeness: letters === 0 ? 0 : Math.min(1, found / letters),
  };
}

function adjacencyOf(words: readonly QueryWord[], matches: readonly WordMatch[]): number {
  if (matches.length < 2) return 0;
  let pairs = 0;
  for (let i = 1; i < matches.length; i += 1) {
    const before = matches[i - 1]?.at ?? -1;
    const here = matches[i]?.at ?? -1;
    const gap = here - before - (words[i - 1]?.forms[0]?.length ?? 0);
    if (before >= 0 && here >= 0 && gap >= -2 && gap <= 3) pairs += 1;
  }
  return pairs / (matches.length - 1);
}

function tokensOf(folded: string): Tokens {
  const list = [...folded.matchAll(token)].map((match) => ({ text: match[0], start: match.index }));
  return { list, places: new Map(list.toReversed().map(({ text, start }) => [text, start])) };
}

function partsOf(list: Tokens["list"]): Map<string, number> {
  const parts = new Map<string, number>();
  for (const [i, { text, start }] of list.entries()) {
    const next = list[i + 1]?.text;
    if (next !== undefined) parts.set(text + next, start).set(`${text} ${next}`, start);
    if (!/\d[a-z]|[a-z]\d/.test(text)) continue;
    const pieces = text.match(part) ?? [];
    for (const piece of [...pieces, pieces.join(" ")]) parts.set(piece, start);
  }
  return parts;
}

function findWord({ forms, loose }: QueryWord, folded: string, tokens: Tokens): WordMatch {
  for (const [i, form] of forms.entries()) {
    const at = isLatin(form) ? tokens.places.get(form) : positionOfJapanese(form, folded);
    if (at !== undefined && at >= 0) return { quality: i === 0 ? 1 : asForm, at };
  }
  const [word = ""] = forms;
  if (!isLatin(word)) return nearWord(word, loose, folded);
  const ending = loose.find((form) => tokens.places.has(form));
  if (ending !== undefined) return { quality: asLooseForm, at: tokens.places.get(ending) ?? -1 };
  tokens.parts ??= partsOf(tokens.list);
  for (const form of forms) {
    const at = tokens.parts.get(form);
    if (at !== undefined) return { quality: asForm, at };
  }
  const longer = /^[a-z]{4,}$/.test(word) && tokens.list.find(({ text }) => text.startsWith(word));
  return longer ? { quality: asBeginning, at: longer.start } : { quality: 0, at: -1 };
}

/** Japanese with a wrong letter, or half of a compound: as good as its pairs of letters are there. */
function nearWord(word: string, halves: readonly string[], folded: string): WordMatch {
  const at = Math.max(...halves.map((half) => folded.indexOf(half)));
  if (halves.length === 0 || at < 0) return { quality: 0, at: -1 };
  const letters = Array.from(word);
  const pairs = letters.slice(1).map((letter, i) => `${letters[i]}${letter}`);
  const found = pairs.filter((pair) => folded.includes(pair)).length;
  return { quality: (asNear * found) / pairs.length, at, isNear: true };
}

const isLatin = (form: string) => /^[a-z0-9./ ]+$/.test(form);

/** A form that the text has as two words, or as part of one of letters and digits. */
const segmenter = new Intl.Segmenter("ja", { granularity: "word" });

/** A word of kanji counts where a word begins: 京都 does not stand in 東京都. */
function positionOfJapanese(form: string, folded: string): number {
  const at = folded.indexOf(form);
  if (
    at <= 0 ||
    !/^\p{Script=Han}+$/u.test(form) ||
    !/\p{Script=Han}/u.test(folded.charAt(at - 1))
  ) {
    return at;
  }
  for (const { index } of segmenter.segment(folded)) {
    if (index >= at && folded.startsWith(form, index)) return index;
  }
  return -1;
}
