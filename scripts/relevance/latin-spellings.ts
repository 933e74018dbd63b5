import type { Random } from "../../src/lib/random.ts";

/** Spellings of a unit after a number. The first is the unit's key. */
const units: readonly (readonly string[])[] = [
  [" in.", '"', " inch", "-in.", "-inch", "in", " inches", " in"],
  [" ft.", "'", " foot", "-ft.", "-foot", "ft", " feet", " ft"],
  [" oz.", "oz", " ounce", "-ounce", " oz", "-oz."],
  [" gal.", " gallon", "-gallon", "gal", "-gal.", " gal"],
  [" qt.", " quart", "-quart", "qt", " qt"],
  [" lb.", " pound", "-lb.", "lb", " lbs", " lbs."],
  [" watt", "W", "-watt", " W", "w", "-W"],
  [" volt", "V", "-volt", " V", "v", "-V"],
  [" amp", "A", "-amp", " A", "amp"],
  [" ml", "ml", " ML", "mL", " milliliter"],
  [" l", "l", " L", " liter", "L"],
  [" g", "g", " gr", " gramm", "gr"],
  [" kg", "kg", " kilo", " KG"],
  [" cm", "cm", " CM", "-cm"],
  [" mm", "mm", " MM", "-mm"],
  [" gb", "GB", " GB", "gb", "-GB"],
  [" tb", "TB", " TB", "tb", "-TB"],
  [" mp", "MP", " MP", " megapixel", "-megapixel"],
  [" ghz", "GHz", " GHz", "ghz"],
  [" stück", " Stück", " St", " stk", "stk"],
];

const decimals: Record<string, string> = {
  "1/8": ".125",
  "1/4": ".25",
  "3/8": ".375",
  "1/2": ".5",
  "5/8": ".625",
  "3/4": ".75",
  "7/8": ".875",
};

/** Other spellings of a number: 3/4 as 0.75, 1-1/2 as 1.5 and 1 1/2; the number alone if there are none. */
function numbersOf(number: string): string[] {
  const [, whole, fraction] = /^(?:(\d+)-)?(\d\/\d)$/.exec(number) ?? [];
  const decimal = fraction === undefined ? undefined : decimals[fraction];
  if (decimal === undefined || fraction === undefined) {
    return number.includes(",") ? [number, number.replace(",", ".")] : [number];
  }
  return whole === undefined
    ? [number, `0${decimal}`, decimal]
    : [number, `${whole}${decimal}`, `${whole} ${fraction}`];
}

const larger: Record<string, string> = { " ml": " l", " g": " kg" };

/** All spellings of a measure; the first one is the key. */
export function measureForms(number: string, unit: string): string[] {
  const forms = units.find((list) => list.some((form) => form.trim().toLowerCase() === unit)) ?? [
    ` ${unit}`,
  ];
  const [key = ""] = forms;
  const amount = Number(number);
  const thousands = larger[key];
  const converted =
    thousands !== undefined && amount >= 100 ? [`${amount / 1000}${thousands}`] : [];
  const written = numbersOf(number).flatMap((one) => forms.map((form) => `${one}${form}`));
  return [...new Set([...written, ...converted])];
}

/** The number and unit of a measure in a title. */
export const measurePattern = new RegExp(
  String.raw`(?<![\p{L}\p{N}./,-])(\d+-\d\/\d|\d\/\d|\d+(?:[.,]\d+)?)\s?-?(${units
    .flatMap((list) => list.map((form) => form.replace(/^[ -]/, "")))
    .toSorted((a, b) => b.length - a.length)
    .map((form) => form.replaceAll(".", String.raw`\.`))
    .join("|")})(?![\p{L}\p{N}])`,
  "giu",
);

export function packForms(count: number): string[] {
  return [
    `(${count}-Pack)`,
    `${count} pack`,
    `pack of ${count}`,
    `${count}-pack`,
    `${count}pk`,
    `set of ${count}`,
    `${count} pk`,
    `${count} pcs`,
  ];
}

const irregular: Record<string, string> = { knife: "knives", shelf: "shelves", leaf: "leaves" };

/** The plural of an English noun, or the singular of a plural. */
export function otherNumber(noun: string): string {
  for (const [one, many] of Object.entries(irregular)) {
    if (noun.endsWith(many)) return noun.slice(0, -many.length) + one;
    if (noun.endsWith(one)) return noun.slice(0, -one.length) + many;
  }
  if (/[^aeiou]ies$/.test(noun)) return noun.replace(/ies$/, "y");
  if (/(?:x|sh|ch|ss)es$/.test(noun)) return noun.replace(/es$/, "");
  if (/[^su]s$/.test(noun)) return noun.slice(0, -1);
  if (/[^aeiou]y$/.test(noun)) return noun.replace(/y$/, "ies");
  return /(?:x|sh|ch|s)$/.test(noun) ? `${noun}es` : `${noun}s`;
}

/** Common endings of German nouns and adjectives, each replaced by another. */
export function otherGermanEnding(word: string): string | null {
  if (/(?:innen|ungen)$/.test(word)) return word.replace(/(?:nen|en)$/, "");
  if (/[a-zäöüß]{4,}en$/.test(word)) return word.slice(0, -1);
  if (/[a-zäöüß]{3,}e$/.test(word)) return `${word}n`;
  if (/[a-zäöüß]{4,}(?:er|es)$/.test(word)) return word.replace(/(?:er|es)$/, "e");
  return /(?:ung|heit|keit|ion)$/.test(word) ? `${word}en` : null;
}

/** DX-4821B as DX4821B, DX 4821B and, without a dash of its own, DX-4821B. */
export function modelForms(model: string): string[] {
  const bare = model.replaceAll(/[-\s]/g, "");
  const [, letters = "", rest = ""] = /^(\p{L}+)(\d.*)$/u.exec(bare) ?? [];
  const parted = letters === "" ? [] : [`${letters}-${rest}`, `${letters} ${rest}`];
  return [bare, bare.toLowerCase(), ...parted].filter((form) => form !== model);
}

/** Each letter with its neighbour on the keyboard. */
const neighbours = new Map(
  "as bv cx df er fg gh hj io kl lk mn nm op po rt sa tr ui vb we yu"
    .split(" ")
    .map((pair) => [pair.charAt(0), pair.charAt(1)]),
);

/** One typing error in the longest word, never in its first letter; null without a word of six letters. */
export function withTypo(text: string, random: Random): string | null {
  const [longest = ""] = text.split(/[^\p{L}]+/u).toSorted((a, b) => b.length - a.length);
  if (longest.length < 6) return null;
  const at = random.integer(1, longest.length - 3);
  const one = longest.charAt(at);
  const two = longest.charAt(at + 1);
  const before = longest.slice(0, at);
  const after = longest.slice(at + 2);
  const slip = random.pick([
    `${before}${two}${one}${after}`,
    `${before}${two}${after}`,
    `${before}${one}${one}${two}${after}`,
    `${before}${neighbours.get(one) ?? "x"}${two}${after}`,
  ]);
  return slip === longest ? null : text.replace(longest, slip);
}
