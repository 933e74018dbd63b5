import { toOneSize } from "./attributes.ts";
import { squeeze } from "./fold.ts";
import { colourOf } from "./words.ts";

const colours = [...colourOf.keys()].join("|");

/**
 * Words of which a product has one and not the other, by subject: titles that are alike but for one of them tell of two
 * products. English, German, French and Japanese, folded.
 */
const subjects: readonly (readonly RegExp[])[] = [
  [
    new RegExp(String.raw`(?:(?<![a-z])(?:light|hell)|ライト|ペール|淡い?)[ -]?(?:${colours})`),
    new RegExp(String.raw`(?:(?<![a-z])(?:dark|dunkel)|ダーク|濃い?)[ -]?(?:${colours})`),
  ],
  [
    /(?<![a-z])(?:left|links|linke[nrs]?|gauche)(?![a-z])|左/,
    /(?<![a-z])(?:right|rechts|rechte[nrs]?|droite?)(?![a-z])|右/,
  ],
  [
    /(?<![a-z])(?:front|vorne?|vorder[a-z]*|avant)(?![a-z])|(?<![ァ-ヴー])フロント|前[輪用]/,
    /(?<![a-z])(?:rear|hinten|hinter[a-z]*|arriere)(?![a-z])|(?<![ァ-ヴー])リア(?![ァ-ヴー])|後[輪用]/,
  ],
  [
    /(?<![a-z])(?:men'?s?|herren|hommes?)(?![a-z])|メンズ|男性|紳士/,
    /(?<![a-z])(?:wom[ae]n'?s?|lad(?:y|ies)'?s?|damen|femmes?)(?![a-z])|レディース|女性|婦人/,
    /(?<![a-z])(?:kids?'?s?|kinder|enfants?|junior)(?![a-z])|キッズ|子供|こども|ジュニア/,
  ],
  [
    /(?<![a-z])(?:boys?'?s?|jungen|garcons?)(?![a-z])|男の?[子児]/,
    /(?<![a-z])(?:girls?'?s?|madchen|filles?)(?![a-z])|女の?[子児]/,
  ],
  [
    /(?<![a-z])(?:japanese|japanisch|japonais|jp)(?![a-z0-9])|日本語/,
    /(?<![a-z])(?:english|englisch|anglais|qwerty)(?![a-z])|英語|(?<=\d{3}\/\d{3} )en(?![a-z])/,
    /(?<![a-z])(?:german|deutsch|allemand|qwertz)(?![a-z])|ドイツ語|(?<=\d{3}\/\d{3} )de(?![a-z])/,
    /(?<![a-z])(?:french|franzosisch|francais|azerty)(?![a-z])|フランス語|(?<=\d{3}\/\d{3} )fr(?![a-z])/,
    /(?<![a-z])(?:chinese|chinesisch|chinois)(?![a-z])|中国(?:語|版)|[簡繁]体字/,
    /(?<![a-z])(?:korean|koreanisch|coreen)(?![a-z])|韓国(?:語|版)/,
    /(?<![a-z])(?:spanish|spanisch|espagnol|espanol)(?![a-z])|スペイン語/,
    /(?<![a-z])(?:italian|italienisch|italien|italiano)(?![a-z])|イタリア語|(?<=\d{3}\/\d{3} )it(?![a-z])/,
  ],
  [
    /(?<![a-z])(?:body|solo|bare (?:unit|tool)|tool only|boitier (?:nu|seul))(?![a-z])|(?<![a-z])(?:ohne|without|sans) (?:akkus?|batter[a-z]+|objektiv|objectif|lens)(?![a-z])|本体のみ|ボディ(?![ァ-ヴ])/,
    /(?<![a-z])kit(?![a-z])|(?<![a-z])(?:mit|with|avec) (?:\d ?x? ?)?(?:akkus?|batter[a-z]+|objektiv|objectif|lens)(?![a-z])|(?:レンズ|ズーム)キット|フルセット|バッテリー?(?:・?充電器)?付/,
  ],
  [
    /(?<![a-z])(?:paperback|taschenbuch|poche|soft(?:cover|back))(?![a-z])|文庫|ソフトカバー/,
    /(?<![a-z])(?:hardcover|hardback|gebunden[a-z]*|relie)(?![a-z])|単行本|ハードカバー/,
    /(?<![a-z])(?:audiobook|horbuch)(?![a-z])|オーディオブック/,
    /(?<![a-z])(?:ebook|kindle)(?![a-z])|電子書籍|電子版/,
  ],
  [
    /(?<![a-z])dvds?(?![a-z])/,
    /(?<![a-z])(?:blu-?rays?|bd)(?![a-z])|ブルーレイ/,
    /(?<![a-z])cds?(?![a-z/])/,
    /(?<![a-z])(?:lps?|vinyl)(?![a-z])|レコード盤|アナログ盤/,
    /(?<![a-z])(?:cassettes?|mc|kassette)(?![a-z])|カセットテープ/,
  ],
  [
    /(?<![a-z])(?:ps ?4|playstation ?4)(?!\d)/,
    /(?<![a-z])(?:ps ?5|playstation ?5)(?!\d)/,
    /(?<![a-z])switch(?![a-z0-9])/,
    /(?<![a-z])(?:xbox|xbx)(?![a-z])/,
    /(?<![a-z])wii(?![a-z])/,
    /(?<![a-z0-9])3ds(?![a-z])/,
    /(?<![a-z])ps ?vita(?![a-z])/,
    /(?<![a-z])ps ?3(?!\d)/,
  ],
  [
    /シングル(?!モルト)/,
    /(?<!セミ|ワイド)ダブル/,
    /セミダブル/,
    /ワイドダブル/,
    /クイーン/,
    /キング(?:サイズ)?(?![ァ-ヴー])/,
  ],
  [/(?<![a-z])single(?![a-z])/, /(?<![a-z])(?:double|dual|duo)(?![a-z])/],
  [
    /(?<![a-z])(?:warm ?white|warmweiss|blanc chaud)(?![a-z])|電球色/,
    /(?<![a-z])(?:neutral ?white|neutralweiss|blanc neutre)(?![a-z])|昼白色/,
    /(?<![a-z])(?:cool ?white|daylight|kaltweiss|tageslichtweiss|blanc froid)(?![a-z])|昼光色/,
    /温白色/,
  ],
  [/(?<![a-z])tray(?![a-z])|バルク品?/, /(?<![a-z])box(?:ed)?(?![a-z])|リテール/],
  [/都市ガス/, /プロパン|lpガス|lpg/],
  [/旧(?:型|モデル|版)/, /新(?:型|モデル|版)/],
  [
    /(?<![a-z])(?:eau de parfum|edp)(?![a-z])|オー[ドデ]・?パルファ/,
    /(?<![a-z])(?:eau de toilette|edt)(?![a-z])|オー[ドデ]・?トワレ/,
    /(?<![a-z])(?:eau de cologne|edc)(?![a-z])|オー[ドデ]・?コロン/,
  ],
  [/通常[盤版]/, /(?:初回|限定|特装|豪華)[^ ]{0,6}[盤版]/],
  [/国内版|日本版/, /海外版|北米版|グローバル版|輸入版/],
  [
    /(?<![a-z])(?:matte?|seidenmatt)(?![a-z])|[艶つ]や?消し|マット(?:仕上|タイプ)/,
    /(?<![a-z])(?:gloss|glossy|glanzend|brillant)(?![a-z])|[艶つ]や?(?:あり|有)/,
  ],
  [
    /(?<![a-z])(?:kariert|squared|grid|quadrille)(?![a-z])|方眼/,
    /(?<![a-z])(?:liniert|ruled|lined|ligne)(?![a-z])|横?罫線?/,
    /(?<![a-z])(?:blanko|plain)(?![a-z])|無地/,
    /(?<![a-z])(?:dotted|dot grid|gepunktet|punktraster)(?![a-z])|ドット(?:方眼|罫|入り)/,
  ],
  [
    /(?<![a-z])(?:display|box)(?![a-z])|ボックス/,
    /(?<![a-z])(?:einzeln|single (?:pack|booster))(?![a-z])|(?<!\d)1 ?パック(?!入)|単品/,
    /カートン/,
  ],
  [/基本セット/, /増結セット/],
  [
    /(?<![a-z])(?:gemahlen[a-z]*|ground|moulu)(?![a-z])|粉(?![\p{sc=Han}\p{sc=Hiragana}])/u,
    /(?<![a-z])(?:[a-z]*bohnen|(?:whole )?beans|en grains)(?![a-z])|(?<!\p{sc=Han})豆(?!\p{sc=Han})/u,
  ],
  [/玄米(?![\p{sc=Han}\p{sc=Katakana}])/u, /[白精]米|無洗米/],
  [bookPart("上"), bookPart("中"), bookPart("下")],
  [
    /(?<![a-z])(?:schmal|narrow)(?![a-z])|ナロー/,
    /(?<![a-z])(?:normal|regular|weit|wide)(?![a-z])|ワイド/,
  ],
  [
    /(?<![a-z])hg(?:uc|ce|bf)?(?![a-z])|ハイグレード/,
    /(?<![a-z]|\d ?)mg(?:sd|ex)?(?![a-z/])|マスターグレード/,
    /(?<![a-z])rg(?![a-z])|リアルグレード/,
    /(?<![a-z])pg(?![a-z])|パーフェクトグレード/,
    /(?<![a-z])eg(?![a-z])|エントリーグレード/,
    /full mechanics|フルメカニクス/,
  ],
  [
    /(?<![a-z])(?:sony|ソニー) ?f?e(?![a-z])|(?<![a-z])e[- ]?(?:mount|マウント)/,
    /(?:canon|キヤノン|キャノン) ?ef(?:-[sm])?(?![a-z])|(?<![a-z])ef(?:-[sm])?[- ]?(?:mount|マウント)/,
    /(?:canon|キヤノン|キャノン) ?rf(?![a-z])|(?<![a-z])rf[- ]?(?:mount|マウント)/,
    /(?:nikon|ニコン) ?z(?![a-z])|(?<![a-z])z[- ]?(?:mount|マウント)/,
    /(?:nikon|ニコン) ?f(?![a-z])|(?<![a-z])f[- ]?(?:mount|マウント)/,
    /(?:fuji(?:film)?|フジ(?:フイルム|フィルム)?) ?x(?![a-z-])|(?<![a-z])x[- ]?(?:mount|マウント)/,
    /(?:leica|ライカ) ?l(?![a-z])|(?<![a-z])l[- ]?(?:mount|マウント)/,
    /(?<![a-z])(?:mft|m4\/3)(?![a-z])|micro (?:four thirds|4\/3)|マイクロフォーサーズ/,
  ],
];

/** One of the parts that a book comes in: `(上)`, `上巻`, but not 上質. */
function bookPart(part: string): RegExp {
  const letter = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー]`;
  return new RegExp(String.raw`(?<!${letter})${part}(?:巻|(?!${letter}))`, "u");
}

/** What a title names if the product has it: without a word it is the other. */
const peculiarities: readonly RegExp[] = [
  /互換|リサイクル(?:トナー|インク)?|(?<![a-z])(?:compatible(?! with)|kompatib[a-z]+|alternativ|remanufactured|wiederaufbereitet[a-z]*)(?![a-z])/,
  /(?<![a-z])(?:chinese|english|korean) version(?![a-z])|(?:中国語|簡体字|繁体字|英語|韓国語?)版/,
  /(?<!ノン)パラレル(?![ァ-ヴー])|(?<![ァ-ヴー])ミラー(?![ァ-ヴー])|ボールミラー|(?<!non-)(?<![a-z])foil(?![a-z])/,
  /(?<![a-z])(?:gps|wi-?fi|ipad|watch)(?![a-z]).*(?<![a-z])cellular(?![a-z])|セルラー/,
  /(?<![a-z])digital edition(?![a-z])|デジタル・? ?エディション/,
  /^(?=.*(?:kaffee|coffee|cafe|espresso|cola|コーヒー|珈琲|コーラ)).*(?:(?:(?:koffein|caffeine)[ -]?fr(?:ei|ee)|カフェイン(?:レス|フリー)))/,
  /(?<![a-z])(?:decaf|entkoffein)|デカフェ/,
  /(?<![a-z0-9])[bhxz][1-8][1-9]0[a-z]{0,2}(?![a-z0-9]).*(?<![a-z])wi-?fi/,
  /詰替|(?<![a-z])(?:nachfull[a-z]*|refills?|recharge)(?![a-z])/,
  /(?<![a-z])(?:collector'?s|deluxe|ultimate|anniversary) edition(?![a-z])|(?:コレクターズ|デラックス|アルティメット)・? ?エディション|特装版/,
  /\d ?[-~〜] ?\d{1,3} ?巻|全 ?\d{1,3} ?巻|全巻|上中?下巻|(?<![a-z])box ?set(?![a-z])/,
  /(?<![a-z0-9-])(?:lh|left[- ]?hand(?:ed)?|linkshander|gaucher)(?![a-z0-9])|左利き/,
  /(?<![a-z])bundle(?![a-z])|(?:(?<!\d)\d{1,2} ?|[二三四五六])点 ?セット/,
  // Discs: of what plays them, not every title tells that it plays these too.
  /^(?!.*(?:re[ck]order|player|writer|drive|レコーダー|プレー?イ?ヤー|ドライブ))(?=.*(?:blu-?ray|ブルーレイ)).*(?:4k|uhd|ultra ?hd)/,
  /\d ?[gt]b(?![a-z]).*(?<!without |ohne |no )(?:heat ?sink|ヒートシンク(?! ?[無なレ]))/,
];

/** For each subject and each peculiarity the bits of the kinds that a folded title names. */
export function readKinds(folded: string): readonly number[] {
  return [...subjects, ...peculiarities.map((one) => [one])].map((kinds) =>
    kinds.reduce((bits, kind, i) => (kind.test(folded) ? bits | (1 << i) : bits), 0),
  );
}

export function isOtherKind(left: readonly number[], right: readonly number[]): boolean {
  return left.some((bits, i) => {
    const others = right[i] ?? 0;
    return i < subjects.length ? bits !== 0 && others !== 0 && !(bits & others) : bits !== others;
  });
}

/** Consonants, for vowels are words in some languages, and `x` is a sign. */
const lone =
  /(?<![\p{L}\p{N}'’.,/&+°-]|(?:^|[ (,])\d{1,4} )(?:[b-df-hj-np-tvwz]|xs|x{1,3}l|ll|[2-6]xl|[3-6]l)(?![\p{L}\p{N}'’.,°/&+-])/gu;
const sizeWord = /(?<![a-z])(?:small|medium|large)(?![a-z])/g;
const letterSize = /^\d?x*[sml]$/;

/** Processors and graphics cards to the last letter (`i9-13900KS`, `RTX 3070 Ti`), and what a tyre bears (`94Y`). */
const chip =
  /(?<![a-z])i[3579][- ]?\d{4,5}[a-z]{0,2}(?![a-z0-9])|(?<![a-z])ryzen [3579] (?:pro )?\d{4}(?:x3d|[a-z]{0,2})(?![a-z0-9])|(?<![a-z])(?:[rg]tx?|rx) ?\d{3,4}(?: ?(?:ti super|ti|super|xtx|xt))?(?![a-z0-9])/g;
/** Versions, as of models that are made anew. */
const version = /(?<=(?<![a-z])ver(?:sion)?[. ]{0,2})\d+(?:\.\d+)?(?![\d.])/g;
/** Of a series by its numeral: 化粧水 II and III; with a number before it, `readQualifiers` tells it. */
const numeral = /(?<![\p{L}\p{N}-])(?:i[iv]|iii|vi{1,3}|ix|xi{1,3}|x?iv|xvi?)(?![\p{L}\p{N}-])/gu;
const load = /(?<= z?r\d{2} )\d{2,3}(?:\/\d{2,3})?[a-z](?![a-z])/g;

/**
 * What a title names, a set for each kind: letters and sizes that stand alone, as the `M` of a jacket or the
 * `R` of a shaft; sizes; chips; loads; versions; numerals; editions of books. `rest`: the title without its
 * measures; `size`: the one that it names by words.
 */
export function readMarks(
  folded: string,
  rest: string,
  size: string | null,
): readonly ReadonlySet<string>[] {
  const letters = [...(rest.match(lone) ?? []), ...(size === null ? [] : [size])].map(toOneSize);
  const sizes = letters.filter((letter) => letterSize.test(letter));
  const words = (folded.match(sizeWord) ?? []).map((word) => word.charAt(0));
  return [
    letters.filter((letter) => !/^[\d.]+$/.test(letter)),
    [...sizes, ...words],
    ...[chip, load, version, numeral].map((kind) => (folded.match(kind) ?? []).map(squeeze)),
    readEditionNumbers(folded),
  ].map((marks) => new Set(marks));
}

const ordinals = "first second third fourth fifth sixth seventh eighth ninth tenth".split(" ");
const bookEdition = new RegExp(
  String.raw`(?<![\d.])(?:(\d{1,2})(?:st|nd|rd|th)|(${ordinals.join("|")})) (?:[a-z]{1,20} )?ed(?:ition|\.)|(?<![\d.])(\d{1,2})\. ?auf(?:l\.|lage)|第(\d{1,2})版`,
  "g",
);

/** `4th edition`, `Fourth Edition`, `4. Auflage`, 第4版. */
function readEditionNumbers(folded: string): string[] {
  return [...folded.matchAll(bookEdition)].map(([, english, word = "", german, japanese]) =>
    String(Number(english ?? german ?? japanese ?? ordinals.indexOf(word) + 1)),
  );
}

/** Whether both name marks of a kind, and none in common. */
export function hasOtherMark(left: Marks, right: Marks): boolean {
  return left.some((marks, i) => {
    const others = right[i];
    return marks.size > 0 && others && others.size > 0 && ![...marks].some((m) => others.has(m));
  });
}

/** Whether each names a code that the other lacks, and these differ in their digits alone: `11-25T` and `11-28T`. */
export function hasOtherNumber(left: readonly string[], right: readonly string[]): boolean {
  const others = lonelyShapes(right, left, /\d/g);
  return lonelyShapes(left, right, /\d/g).some((shape) => others.includes(shape));
}

/** The same of codes that begin alike but for their numbers: `T6` and `T7i`. */
export function haveSiblings(left: readonly string[], right: readonly string[]): boolean {
  const others = lonelyShapes(right, left, /\d+/g);
  return lonelyShapes(left, right, /\d+/g).some((a) =>
    others.some((b) => a.startsWith(b) || b.startsWith(a)),
  );
}

function lonelyShapes(own: readonly string[], other: readonly string[], digits: RegExp): string[] {
  return own
    .filter((code) => /[a-z]/.test(code) && !other.includes(code))
    .map((code) => code.replaceAll(digits, "0"));
}

type Marks = ReturnType<typeof readMarks>;

/**
 * Whether two titles are the same but for a short word at one place that tells two variants apart: two letters
 * (`AC` and `DC`), a word with another number (`4E` and `2E`), one or two kanji (`赤軸` and `茶軸`).
 */
export function differsInMark(left: readonly string[], right: readonly string[]): boolean {
  if (left.length !== right.length || left.length < 3) return false;
  const at = left.findIndex((word, i) => word !== right[i]);
  if (at === -1 || left.slice(at + 1).some((word, i) => word !== right[at + 1 + i])) return false;
  const [a, b] = [left[at] ?? "", right[at] ?? ""];
  // `R17` and `ZR17` are one.
  if (a.includes(b) || b.includes(a) || sameSizes.has(`${a} ${b}`) || toOneSize(a) === toOneSize(b))
    return false;
  return isMark.test(`${a} ${b}`) || shapeOf(a) === shapeOf(b) || kanjiOnly.test(difference(a, b));
}

const isMark = /^(?:[a-z]{1,2} [a-z]{1,2}|(?=[a-z.]*\d)[a-z\d.]{1,4} (?=[a-z.]*\d)[a-z\d.]{1,4})$/;
const kanjiOnly = /^\p{sc=Han}{1,2} \p{sc=Han}{1,2}$/u;

/** Both tell of European sizes. */
const sameSizes = new Set(["eu gr", "gr eu"]);

/** Of two words with different numbers. */
function shapeOf(word: string): string {
  return word.replaceAll(/\d+/g, "0");
}

/** What is left of both without what they have in common at their ends. */
function difference(a: string, b: string): string {
  const shortest = Math.min(a.length, b.length);
  let begin = 0;
  while (begin < shortest && a[begin] === b[begin]) begin += 1;
  let end = 0;
  while (end < shortest - begin && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  return `${a.slice(begin, a.length - end)} ${b.slice(begin, b.length - end)}`;
}
