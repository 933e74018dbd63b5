import { highlightClose, highlightOpen, normalise, withoutMarks } from "../index/normalise.ts";

/** Stands where the engine cropped a text: a closing before an opening mark, which nothing else writes. */
export const cutMark = highlightClose + highlightOpen;

/** A text of the catalogue, as the engine cropped and marked it. */
export interface MarkedText {
  /** In reading order. */
  parts: { text: string; isMatch: boolean }[];
  cutBefore: boolean;
  cutAfter: boolean;
}

/**
 * Finds in the original text what the engine marked in the normal form of it. null if that cannot be
 * told: the engine marked nothing, or has another text because it lags behind the catalogue.
 */
export function toMarkedText(original: string, engineText: string): MarkedText | null {
  if (!engineText.includes(highlightOpen)) return null;
  const cutBefore = engineText.startsWith(cutMark);
  const cutAfter = engineText.length > cutMark.length && engineText.endsWith(cutMark);
  const marked = engineText.slice(
    cutBefore ? cutMark.length : 0,
    cutAfter ? -cutMark.length : undefined,
  );
  const plain = withoutMarks(marked);
  const text = alignText(original);
  const start = cutBefore ? text.normal.indexOf(plain) : 0;
  if (start < 0 || !text.normal.startsWith(plain, start)) return null;
  const parts: MarkedText["parts"] = [];
  let at = start;
  let isMatch = false;
  for (const piece of marked.split(marks)) {
    const end = at + piece.length;
    const part = text.source.slice(text.startOf(at), text.startOf(end));
    if (part !== "") parts.push({ text: part, isMatch });
    at = end;
    isMatch = !isMatch;
  }
  return { parts, cutBefore, cutAfter };
}

const marks = new RegExp(`[${highlightOpen}${highlightClose}]`, "u");

export interface AlignedText {
  normal: string;
  source: string;
  /** Where in the source the character at this place of the normal form begins. */
  startOf(index: number): number;
}

/** A base character with the marks that a normal form may join with it. */
const cluster = /\P{M}[\p{M}\uFF9E\uFF9F]*|\p{M}+/gu;
const control = /^\p{Cc}$/u;
/** The most frequent characters whose normal form is one character; to ask for it takes much longer. */
const simple = /^[\u0020-\u007E\u3000-\u3029\u3041-\u3096\u30A1-\u30FC\u4E00-\u9FFF\uFF01-\uFF9D]$/;

/**
 * The normal form of a text, with the place of each of its characters in the source. The source is the text
 * itself, or its normal form if the places in the text are not known.
 */
export function alignText(original: string): AlignedText {
  const normal = normalise(original);
  const identity: AlignedText = { normal, source: normal, startOf: (index) => index };
  if (normal === original) return identity;
  const starts: number[] = [];
  let built = "";
  let wasControl = false;
  for (const { 0: piece, index } of original.matchAll(cluster)) {
    const isControl = control.test(piece);
    // A run of control characters becomes one space.
    const part = isControl
      ? wasControl
        ? ""
        : " "
      : simple.test(piece)
        ? piece
        : formOf(piece, original.charAt(index - 1), original.charAt(index + piece.length));
    wasControl = isControl;
    for (let i = 0; i < part.length; i += 1) starts.push(index);
    built += part;
  }
  const from = built.length - built.trimStart().length;
  if (built.trim().length !== normal.length) return identity;
  starts.push(original.length);
  const last = from + normal.length;
  const end = last < built.length ? (starts[last] ?? original.length) : original.length;
  return {
    normal,
    source: original,
    startOf: (index) => (index >= normal.length ? end : (starts[from + index] ?? end)),
  };
}

/**
 * Between characters like its neighbours, which decide whether a sign becomes a space (LEGO®City) or nothing, because
 * the normal form of a whole text has no space at its ends.
 */
function formOf(piece: string, before: string, after: string): string {
  const first = /[0-9]/.test(before) ? "1" : "a";
  const last = /[\p{L}\p{N}]/u.test(after) ? "a" : ",";
  return normalise(first + piece + last).slice(1, -1);
}
