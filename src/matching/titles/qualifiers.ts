import { byWord } from "./words.ts";

/** What names another model of a series behind its number, with its spellings. */
const spellings: Record<string, string> = {
  pro: "pro プロ",
  max: "max マックス",
  mini: "mini ミニ",
  plus: "plus プラス",
  ultra: "ultra ウルトラ",
  lite: "lite",
  neo: "neo",
  fe: "fe",
  ax: "ax",
  redux: "redux",
  xl: "xl",
  2: "ii mkii mk2 m2",
  3: "iii mkiii mk3 m3",
  4: "iv mkiv mk4 m4",
};
const qualifierOf = byWord(spellings);
/** `Gr. 6 XL` is a size. */
const sizeLabels = new Set(["gr", "grosse", "size", "サイズ"]);
const numbered = /(\d+)([a-z]*)(?:(?<=\dm)([2-4]))?$/;

export interface Qualifiers {
  /** By number what follows it, as often as a title has it: `14 Pro Max`, `R6 Mark II`, `RX100M2`, `BCI-381XL`, `S23+`. */
  behind: ReadonlyMap<string, ReadonlySet<string>>;
  /** All of the title. */
  all: ReadonlySet<string>;
  /** Names with a plus behind them, and the words of the title: `PLA+`. */
  pluses: ReadonlySet<string>;
  words: ReadonlySet<string>;
}

/** `words`: of a title without its measures; `pluses`: those with a plus behind them. */
export function readQualifiers(words: readonly string[], pluses: ReadonlySet<string>): Qualifiers {
  const behind = new Map<string, Set<string>>();
  const all = new Set(words.flatMap((word) => qualifierOf.get(word) ?? []));
  if (pluses.size > 0) all.add("plus");
  for (const [i, word] of words.entries()) {
    const [, number, letters = "", generation] = numbered.exec(word) ?? [];
    if (number === undefined || sizeLabels.has(words[i - 1] ?? "")) continue;
    const own = generation ?? qualifierOf.get(letters) ?? qualifierOf.get(letters.slice(1));
    const found = own === undefined ? [] : [own];
    if (pluses.has(word) && /[a-z]/.test(word)) found.push("plus");
    if (letters.length <= 1 || own !== undefined)
      found.push(...following(words.slice(i + 1), number));
    for (const one of found) all.add(one);
    behind.set(number, (behind.get(number) ?? new Set()).add(found.join(" ")));
  }
  return { behind, all, pluses, words: new Set(words) };
}

function following(words: readonly string[], number: string): string[] {
  const [next, ...others] = words;
  if (next === "mark" || next === "mk") {
    const [generation = ""] = others;
    return /^[2-4]$/.test(generation) ? [generation] : following(others, number);
  }
  const found = qualifierOf.get(next ?? "");
  // `94Y XL` is a tyre, `1128615 XL` a size, `Mini ITX` one of boards, `SN770 M2` a plug.
  const isOther =
    (found === "xl" && number.length !== 3) ||
    (found === "mini" && others[0] === "itx") ||
    /^m\d/.test(next ?? "");
  return found === undefined || isOther ? [] : [found, ...following(others, number)];
}

/**
 * Whether a number of both is never followed by the same, and by something that the other title lacks, or a name by a plus
 * of which the other says nothing.
 */
export function areOtherwiseQualified(left: Qualifiers, right: Qualifiers): boolean {
  if (hasPlus(left, right) || hasPlus(right, left)) return true;
  return [...left.behind].some(([number, own]) => {
    const others = right.behind.get(number);
    if (!others || [...own].some((one) => others.has(one))) return false;
    return lacks(right, own) || lacks(left, others);
  });
}

function hasPlus({ pluses }: Qualifiers, { all, words }: Qualifiers): boolean {
  return (
    !all.has("plus") && [...pluses].some((word) => /^\p{L}{3,}$/u.test(word) && words.has(word))
  );
}

function lacks({ all }: Qualifiers, behind: ReadonlySet<string>): boolean {
  return [...behind].some((one) => one !== "" && one.split(" ").some((word) => !all.has(word)));
}
