/** Longer titles are cut: no person reads more, and the time of every step is bounded by it. */
const maxTitle = 400;
const maxDetail = 2000;

/**
 * Lower case in compatibility form, without accents; voicing marks of kana remain. Numbers are written
 * with a decimal point and without thousands separators, `"` after a digit is inch.
 */
export function foldTitle(title: string): string {
  return foldNumbers(foldText(title.slice(0, maxTitle))).replaceAll(
    /詰め?替え?|つめ[かが]え/g,
    "詰替",
  );
}

const smallKana = "ァィゥェォッャュョヮヵヶ";
const largeKana = "アイウエオツヤユヨワカケ";
const anySmallKana = new RegExp(`[${smallKana}]`, "g");
const voiced: Record<string, string> = { ヴァ: "バ", ヴィ: "ビ", ヴェ: "ベ", ヴォ: "ボ", ヴ: "ブ" };

/** What shops write in two ways: キヤノン and キャノン, プリンタ and プリンター, ヴィトン and ビトン. */
export function foldKatakana(text: string): string {
  return text
    .replaceAll(/ヴ[ァィェォ]?/g, (sound) => voiced[sound] ?? sound)
    .replaceAll(anySmallKana, (kana) => largeKana.charAt(smallKana.indexOf(kana)))
    .replaceAll(/ー+(?![ァ-ヺー])/g, "");
}

export function foldDetail(detail: string): string {
  return foldText(detail.slice(0, maxDetail));
}

export function foldText(text: string): string {
  return (
    text
      // Their compatibility forms are letters: `Core™` would be `coretm`.
      .replaceAll(/[™℠]/g, "")
      .normalize("NFKC")
      .toLowerCase()
      .replaceAll("ß", "ss")
      .normalize("NFD")
      .replaceAll(/[\u0300-\u036f]/g, "")
      .normalize("NFC")
      .slice(0, maxDetail)
  );
}

/** Not behind letters, but for the sign and the unit of another number. */
const number = String.raw`(?<![a-wyz\d.]|(?<!\d ?(?:[mcd]?l|[km]?g|[cm]?m|[gt]b)?)x)\d{1,9}(?:\.\d{1,6})?`;
/**
 * The signs of `500mlx24`, `2x8`, `28×40`; but not the letters of `SN850X 1TB`, `CMK16GX4M2`, `7700X 4.5GHz`, `7800X3D`.
 */
const times = new RegExp(
  [
    String.raw`(?<=${number} ?(?:[mcd]?l|[km]?g|[cm]?m|[gt]b))(x)(?=\d)`,
    String.raw`(?<=${number})(?!x3d(?![a-z\d]))(?:x| x |(?<!\d{4})x | x)(?=\d)`,
    String.raw`(?<=\d) ?[×✕✖*] ?(?=\d)`,
  ].join("|"),
  "g",
);

function foldNumbers(text: string): string {
  return (
    text
      // Language tags of titles from web pages: `"Lens"@en-US`.
      .replaceAll(/"@[a-z]{2}(?:-[a-z]{2})?(?![a-z])/g, " ")
      .replaceAll(/(?<![\d.,])([1-9]\d{0,2}),(\d{3})(?![\d.,])/g, "$1$2")
      .replaceAll(/(\d),(?=\d)/g, "$1.")
      .replaceAll(/(\d) ?(?:''|′′|"|”)/g, "$1inch ")
      // `4/128 GB` and `8+256GB`: memory and storage.
      .replaceAll(/(?<![a-z\d./+])(\d{1,2}) ?[/+] ?(?=\d{2,4} ?gb(?![a-z\d]))/g, "$1gb ")
      .replaceAll(times, (_, sign?: string) => (sign === undefined ? " x " : " × "))
  );
}

/** Only letters and digits, so that `DCS 5010L` is found in `dcs-5010l`. */
export function squeeze(folded: string): string {
  return folded.replaceAll(/[^\p{L}\p{N}]+/gu, "");
}
