import { fold } from "../index/fold.ts";
import { highlightClose, highlightOpen } from "../index/normalise.ts";

const maxChars = 40;
/** Matches further apart than this are offered side by side, without the text between them. */
const maxGap = 4;
const words = new Intl.Segmenter("ja", { granularity: "word" });

interface Span {
  start: number;
  end: number;
}

interface Segment extends Span {
  isWord: boolean;
}

/** A single hiragana behind others that is no particle ends their word: し of からし, which the dictionary does not know. */
const isLastKana = /^[ぁ-ゖ](?![のにをはがでともへやかな])[ぁ-ゖ]$/;

/** Nor does it know every name: ビルケン, シ and ュトック are one. */
const isRestOfKatakana = /^(?:[ァ-ヺ]$|[ーァィゥェォャュョッン])/;

/**
 * The completions of a title in which the engine marked the typed text: the matched words, completed,
 * and the same with the next word. Every completion consists of the title's own words.
 */
export function completionsOf(markedTitle: string): string[] {
  const { text, spans } = readMarks(markedTitle);
  const segments: Segment[] = [];
  for (const { index: start, segment, isWordLike } of words.segment(text)) {
    const end = start + segment.length;
    const before = segments.at(-1);
    const isLast = segment.length === 1 && isLastKana.test(text.slice(end - 2, end));
    const isRest = isRestOfKatakana.test(segment) && /[ァ-ヺー]$/.test(text.slice(0, start));
    if (before && (isLast || isRest)) before.end = end;
    else segments.push({ start, end, isWord: isWordLike === true });
  }
  const widened = spans.map(({ start, end }) => ({
    start: segments.findLast((segment) => segment.start <= start)?.start ?? start,
    end: segments.find((segment) => segment.end >= end)?.end ?? end,
  }));
  // Another number was typed: つ折り of 3つ折り.
  const isCounter = ({ start }: Span) =>
    /[\d一二三四五六七八九十][ぁ-ゖ]$/.test(text.slice(0, start + 1));
  const pieces = joined(widened).filter((span) => !isCounter(span));
  const last = pieces.at(-1);
  if (!last) return [];
  const at = segments.findIndex((segment) => segment.isWord && segment.start >= last.end);
  const [follower, behind] = segments.slice(at < 0 ? segments.length : at);
  const isNear = follower && /^[\s・]*$/.test(text.slice(last.end, follower.start));
  // One kanji is seldom a word beside its neighbour, nor is a particle: 詰 in 詰替, 拭 in 拭き, の in 鬼滅の刃.
  const isPart = follower && /^[一-鿿のはがを]$/.test(text.slice(follower.start, follower.end));
  const end = isPart && behind?.isWord ? behind.end : follower?.end;
  const offers = [pieces, isNear && end ? [...pieces.slice(0, -1), { ...last, end }] : []];
  return offers
    .map((offer) => offer.map(({ start, end }) => text.slice(start, end).trim()).join(" "))
    .filter((offer) => offer !== "" && offer.length <= maxChars);
}

function readMarks(marked: string): { text: string; spans: Span[] } {
  const spans: Span[] = [];
  let text = "";
  for (const [i, piece] of marked.split(highlightOpen).entries()) {
    const [inside = "", ...rest] = i === 0 ? ["", piece] : piece.split(highlightClose);
    if (inside !== "") spans.push({ start: text.length, end: text.length + inside.length });
    text += inside + rest.join("");
  }
  return { text, spans };
}

function joined(spans: readonly Span[]): Span[] {
  const pieces: Span[] = [];
  for (const span of spans) {
    const last = pieces.at(-1);
    if (last && span.start - last.end <= maxGap) last.end = Math.max(last.end, span.end);
    else pieces.push({ ...span });
  }
  return pieces;
}

/**
 * Marks words where they occur in some spelling, first at the beginning of a word: the engine leaves matches of
 * short beginnings unmarked.
 */
export function markWords(text: string, wanted: readonly string[]): string {
  const { folded, startOf } = foldInPlace(text);
  const spans = wanted
    .map((word) => fold(word))
    .flatMap((word) => {
      const at = positionOf(word, folded);
      return at < 0 ? [] : [{ start: startOf(at), end: startOf(at + word.length) }];
    })
    .toSorted((a, b) => b.start - a.start);
  let marked = text;
  let next = text.length;
  for (const { start, end } of spans) {
    if (end > next) continue;
    next = start;
    marked = `${marked.slice(0, start)}${highlightOpen}${marked.slice(start, end)}${highlightClose}${marked.slice(end)}`;
  }
  return marked;
}

/** The folded text, and where in the text a place in it is; letter by letter where both have different lengths: ß is ss. */
function foldInPlace(text: string): { folded: string; startOf: (at: number) => number } {
  const folded = fold(text);
  if (folded.length === text.length) return { folded, startOf: (at) => at };
  const starts: number[] = [];
  let letters = "";
  let start = 0;
  for (const letter of text) {
    const own = fold(letter) || letter.replace(/\S/, "");
    letters += own;
    starts.push(...Array.from(own, () => start));
    start += letter.length;
  }
  return { folded: letters, startOf: (at) => starts[at] ?? text.length };
}

function positionOf(word: string, text: string): number {
  const beginning = ` ${text.replaceAll(/[^\p{L}\p{N}]/gu, (char) => " ".repeat(char.length))}`;
  const at = beginning.indexOf(` ${word}`);
  return at >= 0 || /^[a-z0-9]{1,2}$/.test(word) ? at : text.indexOf(word);
}
