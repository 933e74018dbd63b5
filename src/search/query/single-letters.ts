/** The engine forgives a word and its neighbour one error together if they have so many letters. */
const fewestLetters = 9;
const beforeSingle =
  /(?<![\p{L}\p{M}\p{N}])([\p{L}\p{M}]+) +(?=[\p{L}\p{N}](?![\p{L}\p{M}\p{N}]))/gu;
const inQuotes = /("[^"]*"?)/;

/**
 * A query with a comma between a long word and a single letter or digit behind it. The engine also reads two words as one, and
 * forgives that one a missing letter: playstation5 would be found by `playstation 4`, as playstation.
 */
export function withSinglesApart(q: string): string {
  return q
    .split(inQuotes)
    .map((text) =>
      text.startsWith('"')
        ? text
        : text.replaceAll(beforeSingle, (found, word: string) =>
            // Voiced kana are two letters.
            word.normalize("NFD").length + 1 < fewestLetters ? found : `${word}, `,
          ),
    )
    .join("");
}
