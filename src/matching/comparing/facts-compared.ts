import {
  differsInMark,
  hasOtherEnd,
  hasOtherMark,
  hasOtherNumber,
  haveSiblings,
  isOtherKind,
} from "../titles/kinds.ts";
import { toOneSize } from "../titles/attributes.ts";
import type { Measure } from "../titles/measures.ts";
import { isOwnModel } from "../titles/parts.ts";
import type { Prepared } from "../titles/prepare.ts";
import { isInside } from "./code-inside.ts";
import { areOtherwiseQualified } from "../titles/qualifiers.ts";

/** What the two titles say of the same thing, and whether it agrees. Shares and flags, 0 to 1. */
export interface FactsCompared {
  /** Up to 2. */
  modelsEqual: number;
  /** Both name a model of the other: 1; one does: .5; neither: -.5; no models: 0. */
  modelInside: number;
  modelConflict: number;
  modelPrefix: number;
  modelNearMiss: number;
  /** Each names a code that the other lacks, and these begin alike but for their numbers: `T6` and `T7i`. */
  codeSiblings: number;
  numberJaccard: number;
  /** Bare numbers that only one has; of the two sides the smaller count, up to 3. */
  bareUnmatched: number;
  /** The same with measures of a kind that both have. */
  numbersUnmatched: number;
  unitEqual: number;
  unitConflict: number;
  packConflict: number;
  seriesConflict: number;
  yearConflict: number;
  colourEqual: number;
  colourConflict: number;
  colourOneSided: number;
  variantOneSided: number;
  accessoryOneSided: number;
  sizeConflict: number;
  editionConflict: number;
  /** Told by a word for which there is no attribute: `left` and `right`. */
  isOtherVariant: boolean;
}

/** Measures this near are the same: shops round. */
const tolerance = 0.02;

export function compareFacts(left: Prepared, right: Prepared): FactsCompared {
  const bare = unmatchedOnBoth(left, right);
  const measures = compareMeasures(left, right);
  const [colours, otherColours] = [left.attributes.colours, right.attributes.colours];
  const commonColours = colours.filter((colour) => otherColours.includes(colour)).length;
  const hasOtherColours = commonColours < Math.min(colours.length, otherColours.length);
  const hasColour = Number(colours.length > 0) + Number(otherColours.length > 0);
  return {
    ...compareModels(left, right),
    codeSiblings: Number(haveSiblings(left.codes, right.codes)),
    numberJaccard: jaccard(numbersOf(left, right), numbersOf(right, left)),
    bareUnmatched: Math.min(3, bare),
    numbersUnmatched: Number(bare > 0 || measures.unmatchedBoth),
    unitEqual: Number(measures.equal),
    unitConflict: Number(measures.conflict),
    packConflict: Number(
      left.pack !== right.pack && !isBoxOf(left, right) && !isBoxOf(right, left),
    ),
    seriesConflict: conflict(left.series, right.series),
    yearConflict: conflict(left.years, right.years),
    colourEqual: Number(commonColours > 0),
    colourConflict: Number(hasOtherColours),
    colourOneSided: Number(hasColour === 1),
    variantOneSided: oneSided(left.variants, right.variants),
    accessoryOneSided: oneSided(left.accessories, right.accessories),
    sizeConflict: Number(
      isDifferent(sizeOf(left), sizeOf(right)) ||
        isOtherFoot(left, right) ||
        isOtherFoot(right, left) ||
        conflict(footLengthsOf(left), footLengthsOf(right)) > 0,
    ),
    editionConflict: Number(isDifferent(left.attributes.edition, right.attributes.edition)),
    isOtherVariant:
      isOtherKind(left.kinds, right.kinds) ||
      hasOtherMark(left.marks, right.marks) ||
      hasOtherNumber(left.codes, right.codes) ||
      hasOtherEnd(left.dashed, right.dashed) ||
      areOtherwiseQualified(left.qualifiers, right.qualifiers) ||
      gradeOf(left) !== gradeOf(right) ||
      differsInMark(left.words, right.words),
  };
}

/** Of trading cards, not every title of a box tells how many packs are in it. */
function isBoxOf(boxed: Prepared, { title }: Prepared): boolean {
  return boxed.pack === 1 && [boxed.title, title].every(isBox) && /\d ?パック/.test(title);
}

const isBox = (title: string) => /(?<![a-z])box(?![a-z])|ボックス/.test(title);

/** A graded card is another product than the card. */
function gradeOf({ attributes: { condition } }: Prepared): string | null {
  return condition?.startsWith("graded ") ? condition : null;
}

function modelsIn(text: Prepared, from: Prepared): string[] {
  return from.models.filter(
    (model) => text.models.includes(model) || (model.length >= 5 && isInside(model, text)),
  );
}

function compareModels(left: Prepared, right: Prepared) {
  const isNone = left.models.length === 0 && right.models.length === 0;
  const isOwn = (model: string) => isOwnModel(model, left.partOf, right.partOf);
  const isInRight = modelsIn(right, left).some(isOwn);
  const isInLeft = modelsIn(left, right).some(isOwn);
  const hasBoth = left.models.length > 0 && right.models.length > 0;
  const compared = { modelsEqual: 0, modelPrefix: 0, modelNearMiss: 0 };
  for (const a of left.models) {
    for (const b of right.models) {
      if (a === b && isOwn(a)) compared.modelsEqual = Math.min(2, compared.modelsEqual + 1);
      if (isPrefix(a, b) || isPrefix(b, a)) compared.modelPrefix = 1;
      if (differsInOne(a, b)) compared.modelNearMiss = 1;
    }
  }
  const isEqual = compared.modelsEqual > 0;
  return {
    modelsEqual: compared.modelsEqual,
    modelInside: isNone ? 0 : isInRight && isInLeft ? 1 : isInRight || isInLeft ? 0.5 : -0.5,
    modelConflict: Number(hasBoth && !isInRight && !isInLeft),
    modelPrefix: isEqual ? 0 : compared.modelPrefix,
    modelNearMiss: isEqual ? 0 : compared.modelNearMiss,
  };
}

/** Of `XPS8930` and `XPS89301` neither is a short form of the other. */
function isPrefix(short: string, long: string): boolean {
  const more = long.length - short.length;
  const isLonger = more > 0 && more <= 3 && long.startsWith(short);
  return isLonger && !/^\d\d/.test(long.slice(short.length - 1));
}

function differsInOne(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let differences = 0;
  for (let i = 0; i < a.length && differences < 2; i += 1) if (a[i] !== b[i]) differences += 1;
  return differences === 1;
}

function compareMeasures(
  { measures: left, pack }: Prepared,
  { measures: right, pack: otherPack }: Prepared,
) {
  if (left.length === 0 || right.length === 0)
    return { equal: false, conflict: false, unmatchedBoth: false };
  const isIn = (list: readonly Measure[]) => (measure: Measure) =>
    list.some(
      ({ dimension, value }) =>
        dimension === measure.dimension &&
        ((isNear(value, measure.value) && !isOtherStep(value, measure)) ||
          (pack > 1 && pack === otherPack && isTotal(value, measure.value, pack))),
    );
  const dimensions = new Set(left.map(({ dimension }) => dimension));
  const lonelyLeft = left.filter((measure) => !isIn(right)(measure));
  const lonelyRight = right.filter((measure) => !isIn(left)(measure));
  const common = new Set(left.filter(isIn(right)).map(({ dimension }) => dimension));
  const unmatched = lonelyLeft.filter((a) => lonelyRight.some((b) => a.dimension === b.dimension));
  return {
    equal: common.size > 0,
    conflict: right.some(({ dimension }) => dimensions.has(dimension) && !common.has(dimension)),
    unmatchedBoth: unmatched.length > 0,
  };
}

/** Of packs of as many pieces, one title tells the content of a piece and the other that of all: `3 x 20 g`, `60g 3er Pack`. */
function isTotal(a: number, b: number, pack: number): boolean {
  return isNear(a * pack, b) || isNear(a, b * pack);
}

/** Lengths in whole steps, which nobody rounds: cranks of 170 and 172.5 mm, skis of 154 and 156 cm. */
function isOtherStep(a: number, { value: b, dimension }: Measure): boolean {
  const isWhole = (length: number) => length % lengthStep === 0 && !isFootLength(length);
  return dimension === "mm" && a !== b && isWhole(a) && isWhole(b);
}

const lengthStep = 2.5;

function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) <= tolerance * Math.max(a, b);
}

/** Numbers of articles are told apart from others: the `682682` of one says nothing against the `3-4` players of the other. */
function unmatchedOnBoth(left: Prepared, right: Prepared): number {
  const [lonelyLeft, lonelyRight] = [unmatchedNumbers(left, right), unmatchedNumbers(right, left)];
  const fewer = (isArticle: boolean) => {
    const [a, b] = [lonelyLeft, lonelyRight].map(
      (numbers) => numbers.filter((number) => number.length >= articleDigits === isArticle).length,
    );
    return Math.min(a ?? 0, b ?? 0);
  };
  return fewer(true) + fewer(false);
}

const articleDigits = 5;

function unmatchedNumbers(own: Prepared, other: Prepared): string[] {
  const others = numbersOf(other, own);
  const { size } = own.attributes;
  const isSameSize = size !== null && size === other.attributes.size;
  return [...numbersOf(own, other)].filter(
    (number) =>
      !others.has(number) &&
      !isInWord(number, other.squeezed) &&
      // `UK 7` beside `UK7`.
      !(isSameSize && number === size),
  );
}

/** The volume as a number like others if the other title names none: `呪術廻戦 第25巻` and `呪術廻戦 25`. */
function numbersOf({ numbers, series }: Prepared, other: Prepared): ReadonlySet<string> {
  return other.series.length > 0 ? numbers : new Set([...numbers, ...series.map(String)]);
}

/** A number of 3 digits and more that the other writes together with letters: `5300` in `pc25300`. */
function isInWord(number: string, squeezed: string): boolean {
  return number.length >= 3 && squeezed.includes(number.replace(".", ""));
}

function conflict(left: readonly unknown[], right: readonly unknown[]): number {
  return Number(
    left.length > 0 && right.length > 0 && !left.some((value) => right.includes(value)),
  );
}

/** Lengths of shoes in mm: `26.5cm` is another size than `26cm`, `サイズ26` or `US 8`. */
const footLengths = { least: 200, most: 320, step: 5 };

function isFootLength(length: number): boolean {
  const { least, most, step } = footLengths;
  return length >= least && length <= most && length % step === 0;
}

function footLengthsOf({ measures, bareLengths }: Prepared): number[] {
  const lengths = measures.flatMap(({ value, dimension: is }) => (is === "mm" ? [value] : []));
  return [...lengths, ...bareLengths].filter(isFootLength);
}

function sizeOf({ attributes: { size } }: Prepared): string | null {
  return size === null ? null : toOneSize(size);
}

/** Whether one title tells a size and the other the length of a shoe instead, which is another one. */
function isOtherFoot(sized: Prepared, measured: Prepared): boolean {
  const size = Number(sized.attributes.size ?? NaN);
  if (!Number.isFinite(size) || measured.attributes.size !== null) return false;
  if (footLengthsOf(sized).length > 0) return false;
  const lengths = footLengthsOf(measured);
  const isFoot = (length: number) =>
    size < leastEuSize ? length === size * 10 : Math.abs(length - toLength(size)) <= euStep;
  return lengths.length > 0 && !lengths.some(isFoot);
}

/** Sizes of Paris points, `EU 44`: two thirds of a cm each, with a toe allowance of 1.5 cm. Makers differ by a step. */
const leastEuSize = 33;
const euStep = 7;

function toLength(euSize: number): number {
  return (euSize * 20) / 3 - 15;
}

function isDifferent(left: string | null, right: string | null): boolean {
  return left !== null && right !== null && left !== right;
}

function oneSided(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  let count = 0;
  for (const word of left) if (!right.has(word)) count += 1;
  for (const word of right) if (!left.has(word)) count += 1;
  return Math.min(2, count);
}

function jaccard(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  if (left.size === 0 && right.size === 0) return 0.5;
  let common = 0;
  for (const value of left) if (right.has(value)) common += 1;
  return common / (left.size + right.size - common);
}
