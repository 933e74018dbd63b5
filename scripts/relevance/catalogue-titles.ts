import { withForms, withOthers, type Concept, type SetProduct } from "./concepts.ts";
import { japaneseOthers } from "./japanese-spellings.ts";
import {
  measureForms,
  measurePattern,
  modelForms,
  otherGermanEnding,
  otherNumber,
} from "./latin-spellings.ts";

export type Language = "en" | "de" | "ja";

const stopWords = new Set(
  "und mit für oder ohne der die das dem den des ab auf in im am an von zum zur the and with for of a to by on or de en la le".split(
    " ",
  ),
);

/**
 * Splits a catalogue's titles into words, measures and model numbers; the type of a product stays
 * unknown.
 */
export function readTitles(
  titles: readonly { itemId: number; title: string }[],
  language: Language,
): SetProduct[] {
  const words = new Set(
    titles.flatMap(({ title }) => title.toLowerCase().match(wordPattern) ?? []),
  );
  return titles.map(({ itemId, title }) => ({
    itemId,
    title,
    concepts: conceptsOf(title, language, words),
  }));
}

const wordPattern = /[\p{L}\p{N}]+(?:[-.'&/][\p{L}\p{N}]+)*/gu;

function conceptsOf(title: string, language: Language, words: ReadonlySet<string>): Concept[] {
  if (language === "ja") return japaneseWords(title);
  const found: (Concept & { at: number })[] = [];
  const rest = title.replaceAll(measurePattern, (text: string, ...groups: unknown[]) => {
    const [number, unit, at] = groups;
    const forms = measureForms(String(number), String(unit).toLowerCase());
    const [key = text] = forms;
    const concept = withForms({ key, role: "attribute", text }, { unit: forms });
    found.push({ ...concept, at: Number(at) });
    return " ".repeat(text.length);
  });
  for (const { 0: text, index } of rest.matchAll(wordPattern)) {
    const concept = wordConcept(text, language, words);
    if (concept === null) continue;
    // Most titles begin with a brand, which has no plural.
    const { plural, ...others } = concept.others;
    found.push({
      ...concept,
      others: index === 0 || !plural ? others : { ...others, plural },
      at: index,
    });
  }
  const seen = new Set<string>();
  return found
    .toSorted((a, b) => a.at - b.at)
    .flatMap(({ at: _, ...concept }) => {
      if (seen.has(concept.key)) return [];
      seen.add(concept.key);
      return [concept];
    });
}

function wordConcept(text: string, language: Language, words: ReadonlySet<string>): Concept | null {
  const lower = text.toLowerCase();
  if (stopWords.has(lower) || text.length < 2) return null;
  if (/\p{N}/u.test(text)) {
    const isModel = /\p{L}/u.test(text) && text.length >= 4 && !/[./']/.test(text);
    const key = lower.replaceAll("-", "");
    if (!isModel) return { key, role: "attribute", text, others: {} };
    return withForms({ key, role: "model", text }, { model: modelForms(text) });
  }
  const ending = language === "de" ? germanEnding(lower) : englishNumber(lower);
  return {
    key: keyOf(lower, language),
    role: "attribute",
    text,
    others: withOthers(lower, {
      // Only words that the catalogue has: endings alone would make non-words such as "brötche".
      plural: ending !== null && words.has(ending) ? [ending] : [],
      compound: compoundsOf(lower, words),
      letters: foreignLetters(lower),
    }),
  };
}

const germanEnding = (word: string) => (word.length >= 5 ? otherGermanEnding(word) : null);
const englishNumber = (word: string) => (/^[a-z]{4,}$/.test(word) ? otherNumber(word) : null);

/** Words that differ only in their endings mean the same. */
function keyOf(lower: string, language: Language): string {
  const bare = lower.replaceAll("-", "");
  if (language === "de") return bare.length >= 5 ? bare.replace(/(?:en|er|es|e|n)$/, "") : bare;
  const number = englishNumber(bare);
  return number !== null && number.length < bare.length ? number : bare;
}

/** Without hyphens, and split if both halves are words of the catalogue. */
function compoundsOf(lower: string, words: ReadonlySet<string>): string[] {
  if (lower.includes("-")) return [lower.replaceAll("-", ""), lower.replaceAll("-", " ")];
  if (!/^\p{L}{9,}$/u.test(lower)) return [];
  return Array.from({ length: lower.length - 7 }, (_, i) => i + 4).flatMap((at) => {
    const [first, second] = [lower.slice(0, at), lower.slice(at)];
    return words.has(first) && words.has(second) ? [`${first} ${second}`] : [];
  });
}

const german: Record<string, string> = { ä: "ae", ö: "oe", ü: "ue", ß: "ss" };

/** As typed without the letters of its language: ü as ue and u, é as e. */
function foreignLetters(lower: string): string[] {
  const bare = lower.normalize("NFD").replaceAll(/\p{M}/gu, "");
  const spelt = lower.replaceAll(/[äöüß]/g, (one) => german[one] ?? one);
  return [spelt, bare.replaceAll("ß", "ss")].filter((other) => other !== lower);
}

const segmenter = new Intl.Segmenter("ja", { granularity: "word" });

function japaneseWords(title: string): Concept[] {
  const texts = title.normalize("NFKC").match(/[ァ-ヶー]{2,}|[^\sァ-ヶー]+/g) ?? [];
  const words = texts.flatMap((text) =>
    [...segmenter.segment(text)].flatMap(({ segment, isWordLike }) =>
      isWordLike && (segment.length > 1 || /\p{Script=Han}/u.test(segment)) ? [segment] : [],
    ),
  );
  return [...new Set(words)].map((text) =>
    withForms({ key: text.toLowerCase(), role: "attribute", text }, japaneseOthers(text)),
  );
}
