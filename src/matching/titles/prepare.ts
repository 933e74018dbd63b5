import type { ProductAttributes } from "../../catalog/attributes.ts";
import { readColours, readCondition, readEdition, readQuantity, readSize } from "./attributes.ts";
import { foldDetail, foldKatakana, foldText, foldTitle, squeeze } from "./fold.ts";
import { readKinds, readMarks } from "./kinds.ts";
import { readMeasures, toToken, type Measure } from "./measures.ts";
import { readCodes, readModels } from "./models.ts";
import { readPartOf, type PartOf } from "./parts.ts";
import { readQualifiers, type Qualifiers } from "./qualifiers.ts";
import { accessories, anywhere, variants } from "./words.ts";

export interface MatchInput {
  title: string;
  detail?: string;
  /** In any currency: only ratios are used. null: not known. */
  price: number | null;
  brand?: string;
  categories: readonly string[];
}

/** All that comparing needs of a product; independent of all other products. */
export interface Prepared {
  input: MatchInput;
  /** Folded, without the condition. */
  title: string;
  /** Words, bigrams of Japanese, measures and joined compounds; each once, in order of the title. */
  tokens: readonly string[];
  tokenSet: ReadonlySet<string>;
  /** Hashes of runs of three characters, each once, ascending. */
  grams: Int32Array;
  /** Title without all but letters and digits, its katakana in one spelling; and title and detail together as they are. */
  squeezed: string;
  squeezedAll: string;
  /** Places in `squeezedAll` at which a word ends. */
  wordEnds: ReadonlySet<number>;
  /** The words in alphabetical order, as far as they are compared letter by letter. */
  sorted: string;
  models: readonly string[];
  /** Models and all other words with letters and digits. */
  codes: readonly string[];
  /** Those that are written with dashes, as they are. */
  dashed: readonly string[];
  /** Numbers without unit, and years among them. */
  numbers: ReadonlySet<string>;
  years: readonly string[];
  /** Numbers without unit that are written as the length of a foot in cm is, `26.5` or `27.0`; in mm. */
  bareLengths: readonly number[];
  measures: readonly Measure[];
  pack: number;
  series: readonly number[];
  /** The words of the title in order, measures too. */
  words: readonly string[];
  qualifiers: Qualifiers;
  kinds: readonly number[];
  marks: readonly ReadonlySet<string>[];
  variants: ReadonlySet<string>;
  accessories: ReadonlySet<string>;
  /** Words with a plus behind them: `50+`. */
  pluses: ReadonlySet<string>;
  brand: string;
  price: number | null;
  partOf: PartOf;
  attributes: ProductAttributes;
}

const maxTokens = 80;
const maxSorted = 80;
const wordPattern =
  /\d+\.\d+(?![a-z])|[a-z0-9]+|[\p{sc=Katakana}ー]+|[\p{sc=Hiragana}\p{sc=Han}ー々]+|\p{L}+/gu;
const japanese = /^[\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}ー々]/u;
const compound = /[a-z0-9]{1,20}(?:[-./_][a-z0-9]{1,20}){1,6}/g;
const japaneseVariants = anywhere(variants);
const japaneseAccessories = anywhere(accessories);

/** The time is bounded, whatever the texts. */
export function prepare(input: MatchInput): Prepared {
  const { condition, rest: title } = readCondition(foldTitle(input.title));
  const measured = readMeasures(title);
  const words = readWords(measured.rest);
  const compounds = [...measured.rest.matchAll(compound)].map(([text]) => text);
  const joined = compounds.map(squeeze);
  const brand = foldKatakana(squeeze(foldText(input.brand ?? "")));
  const models = readModels(measured.rest);
  const tokens = new Set(
    [
      ...words.flatMap((word) => (japanese.test(word) ? toBigrams(word) : [word])),
      ...joined.filter((word) => word.length <= 20),
      ...measured.measures.map(toToken),
      ...(measured.pack > 1 ? [`${measured.pack}piece`] : []),
      ...measured.series.map(String),
    ].slice(0, maxTokens),
  );
  const numbers = words.filter((word) => /^[\d.]+$/.test(word)).map((word) => String(Number(word)));
  const squeezed = foldKatakana(squeeze(title));
  const pluses = new Set(title.match(/[\p{L}\p{N}]+(?=\+(?![\p{L}\p{N}]))/gu));
  const size = readSize(title);
  const detail = foldDetail(input.detail ?? "");
  return {
    input,
    title,
    tokens: [...tokens],
    tokenSet: tokens,
    grams: toGrams(squeezed),
    squeezed,
    squeezedAll: squeeze(title) + squeeze(detail),
    wordEnds: toWordEnds(`${title} ${detail}`),
    sorted: [...tokens].toSorted().join(" ").slice(0, maxSorted),
    models,
    codes: readCodes([...words, ...joined], models),
    dashed: compounds.filter((text) => /\d/.test(text) && text.includes("-")),
    numbers: new Set(numbers),
    years: numbers.filter((number) => /^(?:19[5-9]|20[0-4])\d$/.test(number)),
    bareLengths: words.filter((word) => /^\d\d\.[05]$/.test(word)).map((word) => Number(word) * 10),
    measures: measured.measures,
    pack: measured.pack,
    series: measured.series,
    words: readWords(title),
    qualifiers: readQualifiers(words, pluses),
    kinds: readKinds(title),
    marks: readMarks(title, measured.rest, size),
    variants: new Set([
      ...words.filter((word) => variants.has(word)),
      ...(title.match(japaneseVariants) ?? []),
    ]),
    accessories: new Set([
      ...words.filter((word) => accessories.has(word)),
      ...(title.match(japaneseAccessories) ?? []),
    ]),
    pluses,
    brand,
    price: input.price !== null && input.price > 0 ? input.price : null,
    partOf: readPartOf(title),
    attributes: {
      ...readQuantity(input.title, measured),
      models,
      colours: readColours(words, title),
      size,
      condition,
      edition: readEdition(title),
    },
  };
}

function readWords(text: string): string[] {
  return [...text.matchAll(wordPattern)].map(([word]) => word);
}

function toWordEnds(text: string): Set<number> {
  let end = 0;
  return new Set((text.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => (end += word.length)));
}

function toBigrams(run: string): string[] {
  const letters = Array.from(foldKatakana(run));
  if (letters.length < 2) return letters;
  return letters.slice(1).map((letter, i) => `${letters[i]}${letter}`);
}

function toGrams(text: string): Int32Array {
  const hashes = new Set<number>();
  for (let i = 0; i + 3 <= text.length; i += 1) {
    const [a, b, c] = [text.charCodeAt(i), text.charCodeAt(i + 1), text.charCodeAt(i + 2)];
    hashes.add((Math.imul(Math.imul(a, 31_337) ^ b, 65_599) ^ c) | 0);
  }
  return Int32Array.from(hashes).sort();
}
