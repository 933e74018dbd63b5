import { unitTable, type ContentUnit } from "./units.ts";

/** A number in a text, with what stands beside it. */
export interface Term {
  /** null: several can be meant. */
  value: number | null;
  /**
   * bare: no unit. part: counts servings, loaves and the like, each of which may have the content. outer: counts
   * cases or sets, so it says nothing alone. other: of a unit that is no content, such as mm. doubtful: perhaps a
   * content, but not surely.
   */
  kind: ContentUnit | "bare" | "outer" | "part" | "other" | "doubtful";
  /** Multiplied with the next term. */
  isFactor: boolean;
  /** Counts what holds the goods, such as bags: one of it says nothing. */
  isVessel: boolean;
}

const latin = new Map<string, readonly [number, ContentUnit]>();
const japanese = new Map<string, readonly [number, ContentUnit]>();
/** Known units whose meaning as a content is not sure: fluid or not, and measures of no content price. */
const unsure = new Set(["paar", "pair", "pairs"]);
for (const { spellings, alsoRead = "", content } of unitTable) {
  for (const unit of `${spellings} ${alsoRead}`.trim().split(" ")) {
    if (content) (/^\p{Script=Latin}/u.test(unit) ? latin : japanese).set(unit, content);
    else if (/^(?:oz|ounce|lb|pound|gal|qt|quart)/.test(unit)) unsure.add(unit);
  }
}
latin.set("er", [1, "piece"]);
japanese.set("ダース", [12, "piece"]);

const outer = /^ ?(?:ケース|箱|セット|組|冊|点|回分|カートン|足|束)/;
const parts = /^ ?(?:玉|丁(?!目)|尾|切れ|人[前分]|匹|杯|斤|膳|株|房|つ(?![折星目葉穴編]))/;
const otherJapanese = /^(?:種|日|年|月|歳|倍)/;
const outerLatin = new Set(["set", "sets", "karton", "kartons", "kiste", "kisten", "box", "boxes"]);

const vessels = new Set(
  "個 本 袋 缶 パック 包 pack packs pk packung packungen flasche flaschen dose dosen becher bottles cans bags beutel btl".split(
    " ",
  ),
);

const byLength = [...japanese.keys()].toSorted((a, b) => b.length - a.length).join("|");
const japaneseUnit = new RegExp(`^ ?(${byLength})(?![月所国])`);
const latinUnit = /^[ -]?([eE]r(?=[A-Z]|\b)|\p{Script=Latin}+)(?![\p{N}'’])/u;

const times = String.raw` ?(?:[x×✕✖*](?!\p{Script=Latin})|(?:à|á)(?= )) ?`;
const vessel =
  "(?:缶|瓶|びん|ビン|ペットボトル|ボトル|紙パック|パック|袋|箱|PET|入り|入|ポーション)?";
const factorAfter = new RegExp(`^${vessel}${times}(?=\\d)`, "u");
const timesAfter = new RegExp(`^${vessel}${times}`, "u");

/** Ranges, limits and estimates: `300-400 g`, `約500g`, `2個まで`. */
const rangeAfter = /^ ?(?:[-–—~〜～+/]|bis|to|から|か|または|or|oder) ?(?:\d|約)/;
const rangeBefore = /\d[^\s\d]{0,4} ?(?:[-–—~〜～+/]|bis|to|か|または|or|oder) ?$/;
const estimateBefore =
  /(?:\b(?:ca|circa|etwa|approx|about|bis|zu|up to|max|mind|min|ab|über|over|from|env|per|je)\.?|約|およそ|ほぼ|最大|最低|残り?|あと|限定|先着|毎日|[日回食第各+/.~〜～≈<>±-]) ?$/iu;
const limitAfter =
  /^ ?(?:以上|まで|以下|以内|未満|前後|程度|あたり|当たり|当り|につき|ごと|毎|から|より|相当|分|増|級|[/+’'~〜]|\p{L}{0,12}(?:用|対応))/u;
/** What may follow a Japanese counter: `3個入り`, `24本セット`; not `5本指`, `4枚刃`, `2個付き`. */
const goesWithCounter =
  /^(?:入り|入|セット|組|パック|ケース|箱|袋|缶|詰|まとめ|単品|アソート|ギフト)|^(?:$|[^\p{L}\p{N}/+~〜～-])|^ ?[x×✕✖*]/u;
/** `6er` is a count where a word for a pack, a comma or the end follows: not in `80er Jahre`, `3er Sofa`. */
const goesWithEr =
  /^$|^ ?[,)]|^[ -]?(?:pack|set|box|tray|karton|kiste|träger|tragerl|blister|multi)/i;

/** The numbers of a text in compatibility form, each with its unit. The time is in proportion to its length. */
export function termsOf(text: string): Term[] {
  return [...text.matchAll(/\d+(?:[.,]\d+)*/g)].map(({ 0: digits, index }) => {
    const end = index + digits.length;
    return toTerm(digits, text.slice(Math.max(0, index - 14), index), text.slice(end, end + 32));
  });
}

function toTerm(digits: string, before: string, after: string): Term {
  const { unit, kind, factor, length } = readUnit(digits, after);
  const rest = after.slice(length);
  const number = toNumber(digits, unit);
  const isFactor = factorAfter.test(rest);
  const isTimesWhat = !isFactor && timesAfter.test(rest);
  const term = (as: Term["kind"]): Term => ({
    value: number === null ? null : number * factor,
    kind: as,
    isFactor,
    isVessel: kind === "outer" || vessels.has(unit),
  });
  // As in `iPhone15` and `T200`.
  if (/[\p{Script=Latin}\p{N}]$/u.test(before) && !/[x×]$/.test(before) && !isFactor)
    return term("other");
  const isVague =
    number === null ||
    rangeAfter.test(rest) ||
    rangeBefore.test(before) ||
    estimateBefore.test(before) ||
    limitAfter.test(rest);
  const isNothing = (kind === "bare" || kind === "part") && isVague && !isTimesWhat;
  if (kind === "other" || isNothing || (kind === "part" && number === 1)) return term("other");
  if (kind === "part") return term(/[x×✕✖*] ?$/.test(before) ? "bare" : "doubtful");
  return term(isVague || isTimesWhat ? "doubtful" : kind);
}

interface ReadUnit {
  unit: string;
  kind: Term["kind"];
  factor: number;
  /** Characters that it takes. */
  length: number;
}

function readUnit(digits: string, after: string): ReadUnit {
  const [noContent] = otherJapanese.exec(after) ?? [];
  if (noContent) return { unit: "", kind: "other", factor: 1, length: noContent.length };
  const [holder] = outer.exec(after) ?? [];
  if (holder) return { unit: "", kind: "outer", factor: 1, length: holder.length };
  const [part] = parts.exec(after) ?? [];
  if (part) return { unit: "", kind: "part", factor: 1, length: part.length };
  const counter = japaneseUnit.exec(after);
  if (counter) {
    const [whole, unit = ""] = counter;
    const [factor, base] = japanese.get(unit) ?? [1, "piece"];
    const isSure = base !== "piece" || goesWithCounter.test(after.slice(whole.length));
    return { unit, kind: isSure ? base : "doubtful", factor, length: whole.length };
  }
  const none: ReadUnit = { unit: "", kind: "bare", factor: 1, length: 0 };
  if (timesAfter.test(after)) return none;
  const word = latinUnit.exec(after);
  if (!word) return /^\p{Script=Latin}/u.test(after) ? { ...none, kind: "other" } : none;
  const [whole, typed = ""] = word;
  const unit = typed.toLowerCase();
  const rest = after.slice(whole.length);
  const read = { unit, factor: 1, length: whole.length };
  if (outerLatin.has(unit)) return { ...read, kind: "outer" };
  if (unsure.has(unit) || typed === "G") return { ...read, kind: "doubtful" };
  const content = latin.get(unit);
  if (!content) return { ...read, kind: "other" };
  const [factor, base] = content;
  // In Japan 2L to 9L are sizes of clothes and fruit, unless bottles are counted.
  const isSize = typed === "L" && /^[2-9]$/.test(digits) && !factorAfter.test(rest);
  const isJustEr = unit === "er" && !goesWithEr.test(rest);
  return { ...read, kind: isSize || isJustEr ? "doubtful" : base, factor };
}

/** `1.000` is a thousand of small units, but may be 1 of a large one. */
function toNumber(digits: string, unit: string): number | null {
  const [whole = "", fraction, ...more] = digits.split(/[.,]/);
  if (fraction === undefined) return Number(whole);
  if (more.length > 0) return null;
  if (fraction.length !== 3 || whole.startsWith("0")) return Number(`${whole}.${fraction}`);
  return /^(?:kg|kilo|kilos|l|liters?|litres?)$/.test(unit) ? null : Number(whole + fraction);
}
