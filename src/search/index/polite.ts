const segmenter = new Intl.Segmenter("ja", { granularity: "word" });
const polite = /[おご](?=[一-鿿])/;

/**
 * A query without the お and ご that are only polite, so that お弁当箱 finds 弁当箱 as well: the engine cuts them off as words by
 * themselves. They stay in what is one word with them (お菓子, ご飯), and beside phrases in quotes.
 */
export function withoutPolitePrefixes(q: string): string {
  return q.includes('"') ? q : q.split(/(\s+)/).map(withoutOwn).join("");
}

function withoutOwn(chunk: string): string {
  if (chunk.startsWith("-") || !polite.test(chunk)) return chunk;
  const segments = [...segmenter.segment(chunk)].map(({ segment }) => segment);
  return segments
    .filter((segment, i) => !(/^[おご]$/.test(segment) && /^[一-鿿]/.test(segments[i + 1] ?? "")))
    .join("");
}

/** なべ of おなべ; none if it is no word with a polite prefix. */
export function withoutKanaPrefix(word: string): string[] {
  const [, name] = /^お((?!お)[ぁ-ゖー]{2,})$/.exec(word) ?? [];
  return name === undefined ? [] : [name];
}
