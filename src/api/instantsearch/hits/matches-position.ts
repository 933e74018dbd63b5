import { isRecord } from "../../../lib/is-record.ts";
import { markedNames } from "../../../search/instantsearch/instant-query.ts";
import { alignText } from "../../../search/instantsearch/marked-text.ts";
import { normalise } from "../../../search/index/normalise.ts";
import type { MeiliHit } from "./hit.ts";

/** In bytes of the attribute's text, or of the text at `indices` of a list. */
export interface MatchPosition {
  start: number;
  length: number;
  indices?: number[];
}

/** Where the engine found the words, in the texts of the catalogue. Texts that differ by now have none. */
export function toMatchesPosition(
  hit: MeiliHit,
  engineHit: Record<string, unknown>,
): Record<string, MatchPosition[]> {
  const { _matchesPosition: found } = engineHit;
  const positions: Record<string, MatchPosition[]> = {};
  if (!isRecord(found)) return positions;
  for (const [name, engineName] of markedNames) {
    const matches = toPositions(found[engineName]);
    const engineText = engineHit[engineName];
    const value = hit[name];
    if (typeof engineText !== "string") continue;
    const placed =
      typeof value === "string"
        ? inText(value, engineText, matches)
        : Array.isArray(value)
          ? inList(value.map(String), engineText, matches)
          : [];
    if (placed.length > 0) positions[name] = placed;
  }
  return positions;
}

function toPositions(value: unknown): MatchPosition[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one) => {
    if (!isRecord(one)) return [];
    const { start, length } = one;
    return typeof start === "number" && typeof length === "number" ? [{ start, length }] : [];
  });
}

/** The index may have only the first part of a long text. */
function inText(text: string, engineText: string, matches: readonly MatchPosition[]) {
  const { normal, source, startOf } = alignText(text);
  if (source !== text || !normal.startsWith(engineText)) return [];
  const bytes = Buffer.from(engineText);
  const toIndex = (byte: number) => bytes.subarray(0, byte).toString().length;
  const toByte = (index: number) => Buffer.byteLength(text.slice(0, startOf(index)));
  return matches.map(({ start, length }): MatchPosition => {
    const from = toByte(toIndex(start));
    return { start: from, length: toByte(toIndex(start + length)) - from };
  });
}

const separator = " / ";

function inList(texts: readonly string[], engineText: string, matches: readonly MatchPosition[]) {
  const parts = texts.map((text) => normalise(text));
  if (parts.join(separator) !== engineText) return [];
  let from = 0;
  return parts.flatMap((part, i) => {
    const begin = from;
    const length = Buffer.byteLength(part);
    from += length + separator.length;
    const inside = matches.filter(({ start }) => start >= begin && start < begin + length);
    const local = inside.map((match) => ({ ...match, start: match.start - begin }));
    return inText(texts[i] ?? "", part, local).map((match) => ({ ...match, indices: [i] }));
  });
}
