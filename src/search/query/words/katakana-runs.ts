/** Words of a name that is written apart in katakana: ラ ロッシュ ポゼ. */
const mostTogether = 3;
const fewestLetters = 3;
/** Longer runs are no compound of two words. */
const maxLetters = 24;
const word = /[^ ・=]+/g;

/**
 * Of runs of katakana with single signs between their words: the words, and what may be a name, which is a word, a few that
 * stand together, or a part of one (see `partsOf`).
 */
export function katakanaNames(runs: readonly string[]): { words: Set<string>; names: string[] } {
  const words = new Set(runs.flatMap((run) => run.match(word) ?? []));
  const together = runs.flatMap((run) => {
    const parts = [...run.matchAll(word)];
    return parts.flatMap(({ index: from }, i) =>
      parts
        .slice(i, i + mostTogether)
        .map(({ 0: text, index }) => run.slice(from, index + text.length)),
    );
  });
  const names = new Set([...together, ...[...words].flatMap((one) => partsOf(one, words))]);
  return { words, names: [...names].filter((name) => name.length >= fewestLetters) };
}

/** キャンパス of キャンパスノート, where ノート is a word elsewhere. */
function partsOf(compound: string, words: ReadonlySet<string>): string[] {
  if (compound.length > maxLetters) return [];
  return Array.from(compound, (_, at) => at).flatMap((at) => {
    const [head, tail] = [compound.slice(0, at), compound.slice(at)];
    if (/^[ーァィゥェォッャュョン]/.test(tail)) return [];
    return [
      ...(tail.length > 1 && words.has(tail) ? [head] : []),
      ...(head.length > 1 && words.has(head) ? [tail] : []),
    ];
  });
}

const segmenter = new Intl.Segmenter("ja", { granularity: "word" });
/** More names than these have nothing to do with a typed word. */
const mostShortened = 3;

/** Names that are shortened so, to the beginnings of two of their words: ドラゴンクエスト for ドラクエ, ブレス オブ ザ ワイルド for ブレワイ. */
export function namesShortenedTo(typed: string, runs: readonly string[]): string[] {
  if (!/^[ァ-ヺ]{4,6}$/.test(typed)) return [];
  const letters = Array.from(typed);
  const names = new Set<string>();
  for (let at = 2; at <= letters.length - 2; at += 1) {
    const [head, tail] = [letters.slice(0, at), letters.slice(at)].map((part) => part.join("ー?"));
    const name = new RegExp(`(?<=^|[ ・=])${head}(?![ッー]*$).*?(?=${tail})`);
    const rest = new RegExp(`^${tail}`);
    for (const run of runs) {
      const found = name.exec(run);
      if (!found) continue;
      const word = [...segmenter.segment(run)].find(
        ({ segment, index }) =>
          index > found.index + at && segment.length > 1 && rest.test(run.slice(index)),
      );
      if (word) names.add(run.slice(found.index, word.index + word.segment.length));
    }
  }
  return names.size > mostShortened ? [] : [...names];
}
