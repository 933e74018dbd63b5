const run = /[\p{L}\p{N}ー]+/gu;
const japanese = /[ぁ-ヺー々一-鿿]/;
const segmenter = new Intl.Segmenter("ja", { granularity: "word" });
const isParticle = (segment = "") => /^[のにをはがでとへも]$/.test(segment);
/** Words that are typed together in one phrase; of longer phrases the engine cuts most as in the text. */
const mostTogether = 3;

/**
 * The words of Japanese that is written without spaces, also two or three of them together: 万年筆 and 万年筆用 of
 * 革万年筆用. The engine cuts a whole text elsewhere than the phrase alone, and does not find the phrase there. For
 * normalised text.
 */
export function compoundParts(text: string, limit: number): string[] {
  const parts = new Set<string>();
  for (const { 0: found, index } of text.matchAll(run)) {
    if (!japanese.test(found)) continue;
    const ends = [index - 1, index + found.length].map((at) => text.charAt(at).trim());
    // Between spaces it is cut as it is alone, but for a number: 40錠.
    const isCutAlike = ends.join("") === "" && !/^\d/.test(found);
    const segments = [...segmenter.segment(found)].map(({ segment }) => segment);
    for (const [from, first] of segments.entries()) {
      if (isParticle(first)) continue;
      for (let to = from + 1; to <= Math.min(segments.length, from + mostTogether); to += 1) {
        const part = segments.slice(from, to).join("");
        const isPhrase = part.length > 1 && japanese.test(part) && !isParticle(segments[to - 1]);
        if (isPhrase && !(isCutAlike && part === found)) parts.add(part);
      }
    }
    if (parts.size >= limit) break;
  }
  return [...parts].slice(0, limit);
}
