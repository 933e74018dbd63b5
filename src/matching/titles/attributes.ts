import type { ProductAttributes } from "../../catalog/attributes.ts";
import { readContent } from "../../catalog/unit-price/unit-price.ts";
import type { Measure, Measured } from "./measures.ts";
import { anywhere, byWord, colourOf, loneColourOf } from "./words.ts";

const conditions: readonly [RegExp, string | null][] = [
  [
    /(?:〔|【|\[|\()?(?:psa|bgs|cgc) ?(\d{1,2}(?:\.\d)?)(?:鑑定済み?)?(?:〕|】|\]|\))?/g,
    "graded $1",
  ],
  [/(?:〔|【|\[|\()状態([a-d][+-]?)(?:〕|】|\]|\))/g, "state $1"],
  [
    /\b(?:refurbished|renewed|reconditioned|refurb|generaluberholt|reconditionne)\b|整備済み?品?|リファービッシュ品?/g,
    "refurbished",
  ],
  [
    /\bopen box\b|b-ware|(?<!未)開封(?:済み?|品)|(?<!\p{sc=Han})(?:店[頭舗])?展示(?:処分)?品(?=[】\])\s]|$)/gu,
    "opened",
  ],
  // 褒美品 and ジャンクフード are none. The word for what does not work stays in the title.
  [
    /(?<!\p{sc=Han})(?:中古)?(?:極上?|超)?美品(?!\p{sc=Han})|(?<=ジャンク)品|(?<=[【〔[(]ジャンク)[】〕\])]/gu,
    "used",
  ],
  [
    /(?:^\W{0,3}used\b|[([【〔] ?used ?[)\]】〕]|ユーズド)(?![ -]?(?:look|加工|風|ライク))|\bsecond[ -]?hand\b|\bpre-?owned\b|\bgebraucht[a-z]{0,2}\b|\bd'occasion\b|【?中古】?|\busato\b/g,
    "used",
  ],
  [/\b(?:brand new|neu ovp)\b|新品(?:未開封)?|未開封/g, null],
  [/(?:最大 ?)?\d{1,2}% ?(?:off(?![a-z])|オフ|引き?|割引|還元|ポイント)/g, null],
  [
    /【?(?:送料無料|あす楽(?:対応)?|即納|即日(?:発送|出荷)|国内正規品|メーカー保証付き?|ポイント\d{1,2}倍)】?/g,
    null,
  ],
];

/** The first word of a condition; the grade of a graded one, or of a state, follows it. */
export const conditionKinds = ["used", "refurbished", "opened", "graded", "state"] as const;

const editions: readonly [RegExp, string][] = [
  [/中国語版|簡体字|繁体字/, "chinese"],
  [/英語版|\benglish version\b/, "english"],
  [/韓国語版|韓国版/, "korean"],
  [/海外版|輸入盤|北米版/, "import"],
  [/初回(?:限定|生産)|\bfirst (?:press|edition)\b|\b1st edition\b/, "first"],
  [/\bcollector'?s\b|コレクターズ/, "collector"],
  [/\blimited\b|\blimitiert[a-z]{0,2}\b|限定/, "limited"],
  [/\bspecial edition\b|特装版|特別版/, "special"],
];
/** As cards tell their rarity: `【SAR】`, beside their number also without brackets; or by words, of which the first counts. */
const rarity = /【([a-z]{1,4}(?:\/[a-z]{1,4})?)】/;
const bareRarity =
  /(?<![a-z0-9-])(qcser?|exse|pse|sec|scr|se|ul|cr|ssr|sar|csr|chr|orr|rrr|rr|sr|ur|hr|ar|ma)(?![a-z0-9-])/;
const cardNumber = /\d{2,3}\/\d{2,3}|(?<![a-z])[a-z]{1,4}\d{0,2}-(?:jp|en|kr|ae)?\d{3}(?!\d)/;
const rarities: readonly [RegExp, string][] = [
  [/ク[ォオ]ーターセンチュリー|クオシク|qc ?シークレット/, "qcse"],
  [/プリズマティック(?:シークレット|レア)|プリシク/, "pse"],
  [/20thシークレット/, "20thse"],
  [/エクストラシークレット/, "exse"],
  [/シークレット(?=レア|】| |$)/, "se"],
  [/アルティメット(?=レア|】| |$)|レリーフ(?=レア|】| |$)/, "ul"],
  [/コレクターズ(?=レア|】)/, "cr"],
  [/ハイパーレア/, "hr"],
  [/スペシャルアートレア/, "sar"],
  [/アートレア/, "ar"],
  [/ウルトラ(?=レア|】| |$)/, "ur"],
  [/スーパー(?=レア|】)/, "sr"],
  [/トリプルレア/, "rrr"],
  [/ダブルレア/, "rr"],
  [/ノーマル(?=レア|】|$)/, "n"],
  [/(?<![ァ-ヴー])レア(?=】|$)/, "r"],
];
const otherLetters: Record<string, string> = { sec: "se", scr: "se", qcser: "qcse" };

const sizes =
  /\b(?:size|grosse|gr|taille|talla|us|eu|uk)[.:]? ?(\d{1,3}(?:\.\d)?|x{0,3}[sml]|[2-6]xl)(?![a-z0-9])|\b(xxs|xs|xl|xxl|xxxl|[2-6]xl)\b|(?:^|[^a-z0-9])(x{0,3}[sml]|ll|[2-6]x?l)サイズ|サイズ:? ?(x{0,3}[sl](?!l)|m|ll|[2-6]x?l|\d{1,3}(?:\.\d)?(?![\d.]| ?x))/;

/** The condition leaves the title, and what is said of sending and warranty: a used one is the same product. */
export function readCondition(folded: string): { condition: string | null; rest: string } {
  let condition: string | null = null;
  let rest = folded;
  for (const [pattern, name] of conditions) {
    rest = rest.replaceAll(pattern, (_, grade: unknown) => {
      if (name !== null) {
        condition ??= name.replace("$1", typeof grade === "string" ? grade : "");
      }
      return " ";
    });
  }
  return { condition, rest };
}

const isKanji = (word: string) => /^\p{sc=Han}$/u.test(word);
const japaneseColours = anywhere([...colourOf.keys()].filter((word) => !isKanji(word)));
/** Words that only begin or end like a colour. */
const noColours = /ブルー(?:レイ|トゥース|ベリー)|クリアランス/g;
const colourKanji = `[${[...colourOf.keys()].filter(isKanji).join("")}]`;
/** A colour of one kanji, which is also a part of other words: 銀河, 青森, 黒酢, 赤ちゃん, 面白い. */
const kanjiColours = new RegExp(
  String.raw`(?:(?<![\p{sc=Han}\p{sc=Hiragana}々])|(?<=[濃漆淡深純薄]|真っ|${colourKanji}と))${colourKanji}(?=[色系革皮地糸釉漆い]|無地|の[^ぁ-ん]|と${colourKanji}|[^\p{sc=Han}\p{sc=Hiragana}々]|$)`,
  "gu",
);

/** Behind a model number: `JNL-506-WH`. */
const colourCodes = /(?<=\d[a-z]?-)(?:bk|wh|rd|gy|nv|sv)(?![a-z0-9])/g;
const colourOfCode: Record<string, string> = {
  bk: "black",
  wh: "white",
  rd: "red",
  gy: "grey",
  nv: "navy",
  sv: "silver",
};

export function readColours(words: readonly string[], folded: string): string[] {
  const found = [
    ...words,
    ...(folded.match(colourCodes) ?? []).flatMap((code) => colourOfCode[code] ?? []),
    ...(folded.replaceAll(noColours, " ").match(japaneseColours) ?? []),
    ...(folded.match(kanjiColours) ?? []),
  ].flatMap((word) => loneColourOf.get(word) ?? []);
  return [...new Set(found)].toSorted();
}

export function readEdition(folded: string): string | null {
  const found = editions.filter(([pattern]) => pattern.test(folded)).map(([, name]) => name);
  const bare = cardNumber.test(folded) ? bareRarity.exec(folded) : null;
  const [, letters] = rarity.exec(folded) ?? bare ?? [];
  const rare = letters ?? rarities.find(([pattern]) => pattern.test(folded))?.[1];
  if (rare !== undefined) found.push(otherLetters[rare] ?? rare);
  return found.length === 0 ? null : found.join(" ");
}

/** Of trousers, waist and length: `W32 L34`, `32/34`. */
const waist =
  /(?<![a-z0-9])(?:w ?(\d\d)[ /x-]{0,3}l ?(\d\d)|(2[4-9]|3\d|4[0-4])\/(28|3[02468]))(?![\d/.]| ?(?:cm|mm|inch))/;

export function readSize(folded: string): string | null {
  const [, ...both] = waist.exec(folded) ?? [];
  if (both.length > 0) return both.filter(Boolean).join("/");
  const size = sizes.exec(folded)?.slice(1).find(Boolean);
  return size?.replace(/\.0$/, "") ?? null;
}

const sizeNames = byWord({
  xl: "ll",
  "2xl": "xxl 3l",
  "3xl": "xxxl 4l",
  "4xl": "5l",
  "5xl": "6l",
});

/** One name for what Japanese and other shops call a size: LL is XL. */
export function toOneSize(size: string): string {
  return sizeNames.get(size) ?? size;
}

/** Content and pack as unit prices understand them where they do, else the only measure of the title. */
export function readQuantity(
  text: string,
  { measures, pack }: Measured,
): Pick<ProductAttributes, "quantity" | "unit" | "pack"> {
  const packed = pack > 1 ? pack : null;
  const content = readContent(text, []);
  if (content !== null && content.unit !== "piece") {
    const each = content.value / pack;
    const isEach = measures.some((m) => m.dimension === content.unit && near(m.value, each));
    return { quantity: isEach ? each : content.value, unit: content.unit, pack: packed };
  }
  const told = [...new Set(measures.map(({ dimension }) => dimension))].map((dimension) =>
    measures.filter((m) => m.dimension === dimension),
  );
  const [only, ...more] = told.filter((group) => new Set(group.map((m) => m.value)).size === 1);
  const one: Measure | undefined = more.length === 0 && told.length === 1 ? only?.[0] : undefined;
  return { quantity: one?.value ?? null, unit: one?.dimension ?? null, pack: packed };
}

function near(a: number, b: number): boolean {
  return Math.abs(a - b) <= 0.001 * Math.max(a, b);
}
