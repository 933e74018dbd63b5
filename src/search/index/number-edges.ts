import { isRecord } from "../../lib/is-record.ts";
import { fold } from "./fold.ts";
import { isUnit, unitNames } from "./word-forms.ts";

/** Normalised texts have no tabs, and the engine parts words at them. */
const edge = "\t";
const japanese = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]`;
const besideNumber = new RegExp(`(?<=[0-9])(?=${japanese})|(?<=${japanese})(?=[0-9])`, "gu");

/**
 * A letter for the point and the comma of a decimal number, which words do not end at. The engine reads both cases alike, and
 * takes the letter for a numeral, so that it does not cut there in Japanese either.
 */
const letters = { ".": "\u2184", ",": "\u2183" } as const;
const signs: Record<string, string> = {
  [letters["."]]: ".",
  [letters[","]]: ",",
  [edge]: "",
};
const written = new RegExp(`[${Object.keys(signs).join("")}]`, "g");
/** Up to four characters: longer words are found with typing errors. The part behind the point is not 0: 3.0 is found by 3. */
const digits = (sign: string) => `(?:[0-9]${sign}(?!0(?![0-9]))[0-9]{1,2}|[0-9]{2}${sign}[1-9])`;
const decimal = new RegExp(
  // Before Japanese, 1,2 are two numbers.
  `(?<![0-9]|[0-9][.,])(?:${digits("[.]")}|${digits(",")}(?![ \t]?${japanese}))(?![0-9]|[.,][0-9])`,
  "gu",
);
/** The beginning of a decimal number whose last digits are still to be typed. */
const openDecimal = /(?<![0-9]|[0-9][.,])[0-9]{1,2}[.,]$/;
const inLetters = "[0-9][\u2183\u2184][0-9]";
const besideDecimal = new RegExp(
  `(?<=[A-Za-z])(?=[0-9]?${inLetters})|(?<=${inLetters}[0-9]?)(?=[A-Za-z])`,
  "g",
);

/**
 * A normalised text for the engine, with each number parted from Japanese beside it: the engine cuts 13巻 into 1, 3 and 巻
 * otherwise, and finds it by 3巻. 1.5 and 1,5 are one word, which 1 and 5 do not find. Queries and documents both need it.
 */
export function withNumbersApart(text: string): string {
  return text
    .replaceAll(decimal, inOneWord)
    .replaceAll(besideDecimal, edge)
    .replaceAll(besideNumber, edge);
}

/** A query, which may end inside a decimal number: 1, finds 1,5. */
export const queryWithNumbersApart = (q: string): string =>
  withNumbersApart(q).replace(openDecimal, inOneWord);

function inOneWord(number: string): string {
  return number.replace(/[.,]/, (sign) => (sign === "," ? letters[","] : letters["."]));
}

const joined = (text: string) => text.replaceAll(written, (char) => signs[char] ?? char);

const decimalOfWord = new RegExp(`(${decimal.source})(?! ?%) ?(\\p{L}*)`, "gu");

/** 3 of USB 3.1, 3 and 4 of 3,4: of decimal numbers that no unit follows, and that may be none. */
export function partsOfDecimals(text: string): string[] {
  return [...text.matchAll(decimalOfWord)].flatMap(([, number = "", word = ""]) => {
    if (isUnit(fold(word))) return [];
    const [whole = "", part = ""] = number.split(/[.,]/);
    return number.includes(",") ? [whole, part] : [whole];
  });
}

/** Decimal numbers with a unit in a folded text, which their parts do not find: a regular expression. */
export const measuredDecimals = `(?<![0-9]|[0-9][.])${digits("[.]")}(?![0-9]|[.][0-9]) ?(?:%|(?:${unitNames.join("|")})(?![a-zぁ-ゖー]))`;

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
  mapped(members, (value) => (typeof value === "string" ? joined(value) : value));

/** Positions are in bytes. */
function joinedPositions(document: Record<string, unknown>, positions: Record<string, unknown>) {
  return mapped(positions, (list, name) => {
    const text = document[name];
    if (typeof text !== "string" || !Array.isArray(list)) return list;
    const bytes = Buffer.from(text);
    const addedIn = (from: number, to: number) => {
      const part = bytes.subarray(from, to);
      return part.length - Buffer.byteLength(joined(part.toString()));
    };
    return list.map((position: unknown) => {
      if (!isRecord(position)) return position;
      const [start, length] = [Number(position.start), Number(position.length)];
      return {
        ...position,
        start: start - addedIn(0, start),
        length: length - addedIn(start, start + length),
      };
    });
  });
}
