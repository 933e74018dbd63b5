import { isRecord } from "../../lib/is-record.ts";

/** Normalised texts have no tabs, and the engine parts words at them. */
const edge = "\t";
const japanese = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]`;
const besideNumber = new RegExp(`(?<=[0-9])(?=${japanese})|(?<=${japanese})(?=[0-9])`, "gu");

/**
 * A normalised text for the engine, with each number parted from Japanese beside it: the engine cuts 13巻 into 1, 3 and 巻
 * otherwise, and finds it by 3巻. Queries and documents both need it.
 */
export function withNumbersApart(text: string): string {
  return text.replaceAll(besideNumber, edge);
}

/** A hit of the engine, with its texts as they were before `withNumbersApart`. */
export function withNumbersJoined(hit: Record<string, unknown>): Record<string, unknown> {
  const { _formatted: formatted, _matchesPosition: positions, ...document } = hit;
  return {
    ...joinedTexts(document),
    ...(isRecord(formatted) ? { _formatted: joinedTexts(formatted) } : {}),
    ...(isRecord(positions) ? { _matchesPosition: joinedPositions(document, positions) } : {}),
  };
}

const mapped = (members: Record<string, unknown>, map: (value: unknown, name: string) => unknown) =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, map(value, name)]));

const joinedTexts = (members: Record<string, unknown>) =>
  mapped(members, (value) => (typeof value === "string" ? value.replaceAll(edge, "") : value));

/** Positions are in bytes. */
function joinedPositions(document: Record<string, unknown>, positions: Record<string, unknown>) {
  return mapped(positions, (list, name) => {
    const text = document[name];
    if (typeof text !== "string" || !Array.isArray(list)) return list;
    const bytes = Buffer.from(text);
    const edgesIn = (from: number, to: number) =>
      bytes.subarray(from, to).filter((byte) => byte === edge.charCodeAt(0)).length;
    return list.map((position: unknown) => {
      if (!isRecord(position)) return position;
      const [start, length] = [Number(position.start), Number(position.length)];
      return {
        ...position,
        start: start - edgesIn(0, start),
        length: length - edgesIn(start, start + length),
      };
    });
  });
}
