import { hash } from "node:crypto";
import { soundOfKana, soundsOfLatin } from "../titles/sounds.ts";

/** Words of a title that count; a longer title is as good as its beginning. */
const mostWords = 80;
const mostModels = 4;
/** Frequent words of which couples are made. */
const coupledWords = 5;

/** A key that so many products have leads to none of them. */
export const tooMany = 512;
/**
 * How frequent a key is, in steps: fewer than 8, 64, 512 products, or more. Everything that matching
 * takes from the frequency depends on the step alone, so that a product changes the matches of others
 * only when a key of its own reaches another step.
 */
const stepLimits = [8, 64, tooMany];

export type Step = number;

export function stepOf(items: number): Step {
  const step = stepLimits.findIndex((limit) => items < limit);
  return step === -1 ? stepLimits.length : step;
}

/** Weights of words by step: ln(1 + N / frequency), with a frequency in the middle of the step and a fixed N. */
const stepWeights = [3, 24, 192, 2048].map((items) => Math.log1p(8192 / items));

export function weightOf(step: Step): number {
  return stepWeights[step] ?? 0;
}

/** A key's step up to which all products with it are compared. */
const rareUpTo = { word: 1, couple: 1, model: 2 } as const;

export interface ItemKeys {
  words: readonly number[];
  /** With the sounds of `toSoundKeys`. */
  models: readonly number[];
  couples: readonly number[];
}

export function toWordKeys(tokens: readonly string[]): Map<string, number> {
  return new Map(
    [...new Set(tokens)].slice(0, mostWords).map((token) => [token, keyOf(`word ${token}`)]),
  );
}

export function toModelKeys(models: readonly string[]): number[] {
  const all = [...new Set(models)].toSorted();
  return all.slice(0, mostModels).map((model) => keyOf(`model ${model}`));
}

/** Keys of sounds are larger than all others; what they are above a multiple of 4 tells the scripts. */
const firstSoundKey = 2 ** 50;
const scriptCount = 4;
const soundedWords = 3;
const soundedWord = /[ァ-ヴー]{2,}|(?<!\d ?)[a-z]{3,}/g;

/**
 * Of a folded title the first two words that tell by their sound, either also joined with its neighbour: so that
 * `Snow Peak Titanium` and スノーピーク チタニウム have a key in common, and differ in their scripts.
 */
export function toSoundKeys(title: string): number[] {
  const [a, b, c] = [...title.matchAll(soundedWord)]
    .map(([word]) => soundedOf(word))
    .filter((word) => word !== null)
    .slice(0, soundedWords);
  if (!a || !b) return [];
  const join = (one: Sounded, other: Sounded) => ({ ...one, sound: one.sound + other.sound });
  const couples = c
    ? [
        [a, b],
        [join(a, b), c],
        [a, join(b, c)],
      ]
    : [[a, b]];
  return couples.map((couple) => {
    const [one, other] = couple.toSorted((x, y) => (x.sound < y.sound ? -1 : 1));
    const scripts = 2 * Number(one?.isKatakana) + Number(other?.isKatakana);
    return firstSoundKey + scriptCount * keyOf(`sound ${one?.sound} ${other?.sound}`) + scripts;
  });
}

interface Sounded {
  sound: string;
  isKatakana: boolean;
}

/** The consonants, of which some letters have several: the likeliest. */
function soundedOf(word: string): Sounded | null {
  const isKatakana = !/[a-z]/.test(word);
  const heard = isKatakana ? soundOfKana(word) : soundsOfLatin(word)[0];
  const consonants = heard?.split(" ")[1];
  return consonants ? { sound: consonants.replaceAll("d", "t"), isKatakana } : null;
}

/** Under which a key is stored and counted: the same for all scripts. */
export function toStoredKey(key: number): number {
  return key < firstSoundKey ? key : key - (key % scriptCount);
}

/** Whether both name a model, or their first words sound alike in different scripts. */
export function sharesName(left: ItemKeys, right: ItemKeys): boolean {
  return left.models.some((key) =>
    key < firstSoundKey
      ? right.models.includes(key)
      : right.models.some((other) => other !== key && toStoredKey(other) === toStoredKey(key)),
  );
}

export const keysOf = ({ words, models, couples }: ItemKeys): number[] => [
  ...words,
  ...models.map(toStoredKey),
  ...couples,
];

/** Codes are their own numbers, below zero to keep them apart from hashes. */
export function toCodeKey(code: number): number {
  return -code;
}

/** Products whose words are all frequent are found by two of them together. */
export function toCoupleKeys(words: readonly number[], steps: readonly Step[]): number[] {
  const frequent = words
    .map((word, i) => ({ word, step: steps[i] ?? 0 }))
    .filter(({ step }) => step > rareUpTo.word)
    .toSorted((a, b) => a.step - b.step || a.word - b.word)
    .slice(0, coupledWords)
    .map(({ word }) => word)
    .toSorted((a, b) => a - b);
  return frequent.flatMap((a, i) => frequent.slice(i + 1).map((b) => keyOf(`couple ${a} ${b}`)));
}

/** The keys that lead to the products to compare with. Each of them has fewer than 512 products. */
export function findingKeys(
  { words, models, couples }: ItemKeys,
  stepOfKey: (key: number) => Step,
): number[] {
  const rare = (keys: readonly number[], upTo: Step) => keys.filter((k) => stepOfKey(k) <= upTo);
  return [
    ...rare(words, rareUpTo.word),
    ...rare(
      models.filter((key) => key < firstSoundKey),
      rareUpTo.model,
    ),
    ...rare(models.filter((key) => key >= firstSoundKey).map(toStoredKey), rareUpTo.couple),
    ...rare(couples, rareUpTo.couple),
  ];
}

export interface WeightedWords {
  words: readonly number[];
  steps: readonly Step[];
}

/** Cosine of two titles by their words, 0 to 1. */
export function cosineOf(left: WeightedWords, right: WeightedWords): number {
  const weights = new Map(left.words.map((word, i) => [word, weightOf(left.steps[i] ?? 0)]));
  let shared = 0;
  for (const word of right.words) shared += (weights.get(word) ?? 0) ** 2;
  return shared === 0 ? 0 : shared / Math.sqrt(squareOf(left) * squareOf(right));
}

function squareOf({ steps }: WeightedWords): number {
  return steps.reduce((sum, step) => sum + weightOf(step) ** 2, 0);
}

/** 48 bits; two texts with the same key would only be compared without need. */
function keyOf(text: string): number {
  return hash("md5", text, "buffer").readUIntBE(0, 6);
}
