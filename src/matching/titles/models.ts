/** Codes of standards and the like: no products. */
const noModel =
  /^(?:80211[a-z]*|(?:f|usb|hdmi|ddr|gddr|pc|mp|ip|ipx|vga|h|x|cat|wifi|sata|pcie?|usbc?|win|windows|office|core|spf|lsf|eos|ps|xbox|iphone|ipad|galaxy|gen|class|type|serie?s?|mark|mk|ver|version|page|seite|no|nr|vol|teil|band|size|gr|grosse)\d+[a-z]?|\d+(?:p|k|d|st|nd|rd|th|er|in1|x\d+))$/;
/** Of precious metals: the `t` of シルバー925Tシャツ is the shirt's. `s900` and `s1000` are cameras. */
const purity = new RegExp(
  [
    "(?:シルバー|プラチナ|銀|(?<![a-z])(?:silver|sterling|platinum|sv|pt)) ?(?:850|900|925|950|999|1000)(?!\\d)",
    "(?<![a-z0-9])s-?925(?![a-z0-9])",
    "(?<![a-z0-9])(?:925|950)(?=tシャツ|silver|sterling|sv|pt)",
    "(?<![a-z0-9])(?:k(?:10|14|18|22|24)|(?:10|14|18|22|24)k)(?:(?:yg|wg|pg|gp|gf)(?![a-z])|(?=gold|white|yellow|pink|rose|arat))",
  ].join("|"),
  "g",
);
/**
 * Numbers with what they count, sizes and dimensions: `470lm`, `24-hour`, `12.monat`, `t10.5`, `a4/50`, `at-bio-301`; names with
 * a year, `leuchtturm1917`; of tyres `205/55r16` and `37-622`, of lenses `ef50mm`.
 */
const noCode = new RegExp(
  [
    "\\d+-?(?:lm|dpi|btu|db|psi|bar|gsm|kcal|nm|nits?|cd|wl|wg|sc|er)",
    "\\d{1,3}(?:-[a-z]{3,}|[a-z]{4,})",
    "\\d+\\.[a-z]{3,}|[a-z]{3,}\\.\\d+|[a-z]{1,2}\\d{1,2}\\.\\d",
    "a\\d\\/\\d+|[a-z]{2}-(?:bio|oko|eko)-\\d{3}|[a-z]{6,}(?:1[789]|20)\\d{2}",
    "(?:lt|p)?\\d{3}\\/\\d{2}z?r\\d{2}c?|\\d{2}-(?:30[59]|349|406|451|507|559|571|584|590|622|630)|[a-z]{1,4}\\d+mm",
  ]
    .map((one) => `^(?:${one})$`)
    .join("|"),
);
/** Of numbers with a slash only those of cards: `349/190`, but neither tyres, candles (`205/55`) nor the sizes of children (`110/116`). */
const slashed = /^(\d+)\/(\d+)$/;
const compound = /[a-z0-9]{1,20}(?:[-./_][a-z0-9]{1,20}){0,6}/g;
const maxModels = 12;

/**
 * Model numbers of a folded title, joined: letters with digits, 4 to 20 characters, of which at least
 * 3 are digits, or 2 of 6; or 5 digits and more. `rest`: a title without its measures.
 */
export function readModels(rest: string): string[] {
  const found = new Set<string>();
  for (const [text] of rest.replaceAll(purity, " ").matchAll(compound)) {
    if (noCode.test(text) || isNoCard(text)) continue;
    const whole = text.replaceAll(/[^a-z0-9]/g, "");
    const parts = text.split(/[./_]/);
    for (const code of [
      whole,
      ...(parts.length > 1 ? parts.map((part) => part.replaceAll("-", "")) : []),
    ]) {
      if (isModel(code) || (code === whole && ofApple.test(text))) found.add(code);
    }
    if (found.size >= maxModels) break;
  }
  return [...found].slice(0, maxModels);
}

function isNoCard(text: string): boolean {
  const [, number = "", of = ""] = slashed.exec(text) ?? [];
  const isCard = number.length === 3 && of.length === 3 && Number(of) - Number(number) !== 6;
  return of !== "" && !isCard;
}

/** Words with letters and digits, also too short for a model number: `70d`, `t7i`, `hero4`. */
export function readCodes(words: readonly string[], models: readonly string[]): string[] {
  const short = words.filter(
    (word) => mixed.test(word) && word.length >= 2 && !standard.test(word),
  );
  return [...new Set([...models, ...short])].slice(0, 2 * maxModels);
}

const mixed = /^(?=.{0,19}\d)(?=.{0,19}[a-z])[a-z0-9]{2,20}$/;
const standard =
  /^(?:80211[a-z]*|(?:f|usb|hdmi|ddr|gddr|mp|ip|ipx|cat|sata|pcie?|usbc?)\d+|\d+(?:p|k|st|nd|rd|th|er|x|in1))$/;

/** Letters before digits: `hx99`, `t7i`. */
const named = /^[a-z](?=.*\d)[a-z0-9]{2,}$/;
/** A letter behind digits, as in `80d`; but `36p` counts, `24h` lasts, and `90s` tells an age. */
const numbered = /^\d{2,3}(?![hps])[a-z]$/;
/** Metals, lengths by their side, seasons, protection from light, sockets of lamps and screws. */
const noName =
  /^(?:k(?:10|14|18|20|22|24)|[dhlw]\d+(?:[cm]m)?|(?:ss|aw|fw)(?:20)?\d\d|(?:uv|upf|led)\d+|e(?:11|12|14|17|26|27|39)|gu10|m\d{1,2})$/;

/** Whether a code of `readCodes` may name a product, also if it is too short for a model number. */
export function isNaming(code: string): boolean {
  if (numbered.test(code)) return true;
  const isOther = [noName, noModel, noCode].some((one) => one.test(code));
  return named.test(code) && !isOther && code.search(purity) === -1;
}

/** `MTJV3J/A`, of which the letters behind it are the country's. */
const ofApple = /^m[a-z0-9]{4}[a-z]{1,2}\/a$/;

function isModel(code: string): boolean {
  if (code.length < 4 || code.length > 20 || noModel.test(code)) return false;
  const digits = code.replaceAll(/\D/g, "").length;
  if (digits === code.length) return digits >= 5;
  return digits >= 3 || (digits >= 2 && code.length >= 6);
}
