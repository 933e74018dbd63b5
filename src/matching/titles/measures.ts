import { unitTable } from "../../catalog/unit-price/units.ts";

/** What is measured, by the base unit of its numbers. */
export type Dimension =
  | "ml"
  | "g"
  | "mm"
  | "GB"
  | "MB/s"
  | "W"
  | "V"
  | "A"
  | "Hz"
  | "mAh"
  | "MP"
  | "%"
  | "rpm"
  | "min"
  | "piece";

export interface Measure {
  value: number;
  dimension: Dimension;
}

export interface Measured {
  measures: readonly Measure[];
  /** Pieces in the pack; 1 if nothing is said. */
  pack: number;
  /** Numbers of volumes: `vol. 3`. */
  series: readonly number[];
  /** The text without what was read. */
  rest: string;
}

/** Spellings beside those of `unitTable`, in lower case without accents. */
const furtherUnits: readonly [Dimension, number, string][] = [
  ["g", 0.001, "mg"],
  ["g", 28.35, "oz ounce ounces"],
  ["g", 453.6, "lb lbs pound pounds"],
  ["ml", 29.57, "fl.oz floz"],
  ["ml", 3785, "gal gallon gallons"],
  ["mm", 1, "mm millimeter ミリ"],
  ["mm", 10, "cm centimeter centimetre センチ"],
  ["mm", 1000, "m meter metre meters metres メートル"],
  ["mm", 25.4, "inch inches zoll pouces pulgadas インチ in 型"],
  ["mm", 304.8, "ft foot feet"],
  ["GB", 1e-6, "kb"],
  ["GB", 1e-3, "mb mo"],
  ["GB", 1, "gb go gig gigabyte ギガ gbyte"],
  ["GB", 1000, "tb to terabyte テラ"],
  ["MB/s", 1, "mb/s"],
  ["MB/s", 0.125, "mbit/s mbps"],
  ["MB/s", 125, "gbit/s gbps gb/s"],
  ["W", 1, "w watt watts ワット"],
  ["W", 1000, "kw"],
  ["V", 1, "v volt volts ボルト"],
  ["A", 1, "a amp amps ampere アンペア"],
  ["Hz", 1, "hz"],
  ["Hz", 1e3, "khz"],
  ["Hz", 1e6, "mhz"],
  ["Hz", 1e9, "ghz"],
  ["mAh", 1, "mah"],
  ["mAh", 1000, "ah"],
  ["MP", 1, "mp megapixel megapixels mpix"],
  ["MP", 0.01, "万画素"],
  ["%", 1, "%"],
  ["rpm", 1, "rpm"],
  ["min", 1, "min minutes minuten 分"],
  ["piece", 12, "ダース dozen dutzend douzaine"],
  ["piece", 1, "개 개입 매 매입 포 병 캔 팩 장 정 캡슐 롤"],
  [
    "piece",
    1,
    "paar pair pairs windeln couches 客 客セット 足セット 足組 冊セット 着セット 台セット 脚セット 体セット セット ケース 箱 入り 入 set er teilig tlg 球 球入",
  ],
];

const units = new Map<string, Measure>();
for (const { spellings, alsoRead = "", content } of unitTable) {
  if (!content) continue;
  for (const unit of `${spellings} ${alsoRead}`.trim().split(" ")) {
    // As `foldText` writes it: the stroke of ü is gone, the voicing mark of が not.
    units.set(plain(unit), { value: content[0], dimension: content[1] });
  }
}
for (const [dimension, value, spellings] of furtherUnits) {
  for (const unit of spellings.split(" ")) units.set(unit, { value, dimension });
}

function plain(unit: string): string {
  return unit
    .normalize("NFD")
    .replaceAll(/[\u0300-\u036f]/g, "")
    .normalize("NFC");
}

const byLength = [...units.keys()].toSorted((a, b) => b.length - a.length);
const latin = byLength.filter((unit) => /^[a-z]/.test(unit)).join("|");
const others = byLength.filter((unit) => !/^[a-z]/.test(unit)).join("|");
const measure = new RegExp(
  String.raw`(?<![a-z0-9.]|[a-z]-)(\d{1,9}(?:\.\d{1,6})?)(?: ?(${others})|[ -]?(${latin})(?![a-z0-9]))`,
  "g",
);
/** Of these and of pieces, a number with a space is told by what follows: `Python 3 入門`, `2024 ミリタリー`. */
const beginnings = new Set(["ミリ", "センチ", "キロ", "ギガ", "テラ", "分", "型"]);
const unitEnds = /^(?:$|[^\p{L}ー]|入|組|セット|パック|ケース|箱|袋|缶|本)/u;
const kana = /^[ぁ-ヶ가-힣]$/;
/** A name that is no unit: the `ケース` of `iPhone 15 ケース` is a cover. */
const nameBefore = /(?:^|[^a-z0-9.])[a-z]{2,} ?$|(?:^|[^0-9ァ-ヴー])[ァ-ヴー]{2,} ?$/;
/** Shops tell different speeds of one card or cable: words like others. */
const rates = new Set<Dimension>(["MB/s"]);
const oneLetterApart =
  /^\d+(?:\.\d+)?[ -][aw]$|^\d{5,}(?<!000)[ -][a-z]$|^\d+(?:\.\d+)?[ -](?:in|to|go|er|mo)$/;

/** `3x Haribo 200g`. */
const timesName = /^(\d{1,2}) ?x (?=[\p{L}・]{3})/u;
const packOf = /\b(?:pack|set|box|lot|case) (?:of|von|de) (\d{1,4})\b/g;
const twoPieces = /\b(?:doppelpack|twin ?pack|double pack|2er-?pack)\b/g;
const seriesOf =
  /(?:\b(?:vol(?:ume)?|band|tome|bd|teil|episode|part|staffel|season)\b[. ]{0,2}|第)(\d{1,4})(?: ?[巻話号])?|(\d{1,4}) ?[巻話号]/g;
/** What is said of the count in another word: `6er-Pack`, `3er Set`. */
const packName = /(?<=\dpiece )-? ?(?:pack(?:ung)?|set|karton|kasten|kiste)(?![a-z])/g;
/** A number without unit beside a measure: `6 x 500 ml`, `500ml×24`. */
const factor =
  /(?<![a-z0-9.])(\d{1,2}) x (?=\d+(?:\.\d+)?(?:ml|g|GB|piece)(?![a-zA-Z]))|(?<=\d(?:ml|g|piece) (?:パック)?)[x×✕✖*] ?(\d{1,3})(?![a-z0-9.])/g;
const mostPieces = 10_000;
/** `12+4枚`. */
const sumOf =
  /(?<![a-z0-9.+])(\d{1,3})\+(\d{1,3})(?= ?(?:[個枚本袋粒錠包箱缶冊]|st(?:uck)?(?![a-z])|pcs(?![a-z])))/g;
/** The modules of a memory kit, which is told by their sum: `16GB (2x8GB)`, `8GB×2枚`. */
const modules =
  /(?<![a-z0-9.])(\d) x (\d{1,3}) ?gb(?![a-z0-9])|(?<![a-z0-9.])(\d{1,3}) ?gb ?[x×✕✖*] ?(\d)(?: ?枚(?:組|セット)?)?(?![a-z0-9.])/g;
/** Of a film, which is one. */
const exposures = /(\d{2}) ?枚撮り?/g;
const memory = /ddr ?\d|dimm|メモリ(?!ー?カード)/;

/** Reads a folded title. The time is in proportion to its length. */
export function readMeasures(folded: string): Measured {
  const measures: Measure[] = [];
  const series: number[] = [];
  const counts: Count[] = [];
  const summed = memory.test(folded)
    ? folded.replaceAll(modules, (_, a = 1, b = 1, c = 1, d = 1) => `${a * b * c * d}gb `)
    : folded;
  const withoutSeries = summed
    .replaceAll(exposures, "$1 ")
    .replaceAll(seriesOf, (_, after?: string, before?: string) => {
      series.push(Number(after ?? before));
      return " ";
    });
  const withoutPacks = withoutSeries
    .replace(timesName, (_, count: string) => {
      counts.push({ value: Number(count), isFactor: true });
      return " ";
    })
    .replaceAll(twoPieces, "2er ")
    .replaceAll(sumOf, (_, a: string, b: string) => String(Number(a) + Number(b)))
    .replaceAll(packOf, (_, count: string) => {
      counts.push({ value: Number(count), isFactor: false });
      return " ";
    });
  const replaced = withoutPacks.replaceAll(
    measure,
    (
      whole,
      digits: string,
      other: string | undefined,
      latinUnit: string | undefined,
      at: number,
    ) => {
      const unit = units.get(other ?? latinUnit ?? "");
      if (!unit || oneLetterApart.test(whole)) return whole;
      const end = at + whole.length;
      const after = withoutPacks.slice(end, end + 3);
      // As in the model number 5010L.
      if (latinUnit === "l" && Number(digits) > 999) return whole;
      if (latinUnit === "in" && /^ ?\d/.test(after)) return whole;
      if (other !== undefined && isWordBegun(whole, other, unit.dimension, after)) return whole;
      if (other === "ケース" && nameBefore.test(withoutPacks.slice(Math.max(0, at - 25), at)))
        return whole;
      const value = rounded(Number(digits) * unit.value);
      if (unit.dimension === "piece") {
        const isFactor = /[x×✕✖*] ?$/.test(withoutPacks.slice(Math.max(0, at - 2), at));
        counts.push({ value, isFactor });
        return ` ${value}piece `;
      }
      if (!rates.has(unit.dimension)) measures.push({ value, dimension: unit.dimension });
      return ` ${value}${unit.dimension} `;
    },
  );
  const rest = replaced
    .replaceAll(/ {2,}/g, " ")
    .replaceAll(packName, " ")
    .replaceAll(factor, (_, before?: string, behind?: string) => {
      counts.push({ value: Number(before ?? behind), isFactor: true });
      return " ";
    })
    .replaceAll(
      /(?<![a-z0-9.])\d+(?:\.\d+)?(?:ml|g|mm|GB|MB\/s|W|V|A|Hz|mAh|MP|%|rpm|min|piece) /g,
      " ",
    );
  return { measures, pack: toPack(counts), series, rest };
}

function isWordBegun(whole: string, unit: string, dimension: Dimension, after: string): boolean {
  const isBeginning = dimension === "piece" || beginnings.has(unit);
  return (
    isBeginning &&
    (whole.includes(" ") || (unit.length === 1 && kana.test(unit))) &&
    !unitEnds.test(after)
  );
}

interface Count {
  value: number;
  /** `×` is before it. */
  isFactor: boolean;
}

/** The product of the counts, unless one tells that of the others again: `24本×2ケース（48本）`. */
function toPack(all: readonly Count[]): number {
  const counts = all.filter(({ value }) => Number.isInteger(value) && value > 1);
  const product = counts.reduce((most, { value }) => most * value, 1);
  const total = counts.find(({ value }) => value * value === product);
  if (total && counts.length > 1 && (counts.length > 2 || !counts.some((count) => count.isFactor)))
    return total.value;
  return counts.reduce((pack, { value }) => (pack * value <= mostPieces ? pack * value : pack), 1);
}

/** As a token: the same for `0,5 l` and `500 ml`. */
export function toToken({ value, dimension }: Measure): string {
  return `${value}${dimension}`;
}

function rounded(value: number): number {
  return Number(value.toPrecision(4));
}
