import { colourOf } from "./words.ts";

const colours = [...colourOf.keys()].join("|");

/**
 * Words of which a product has one and not the other, by subject: titles that are alike but for one of them tell of two
 * products. English, German, French and Japanese, folded.
 */
export const subjects: readonly (readonly RegExp[])[] = [
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
    /(?<![a-z])(?:japanese|japanisch|japonais|jp)(?![a-z0-9])|日本語|jis配列/,
    /(?<![a-z])(?:english|englisch|anglais|qwerty)(?![a-z])|英語|us配列|(?<=\d{3}\/\d{3} )en(?![a-z])/,
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
    /(?<![a-z])(?:eau de parfum|edp)(?![a-z])|オー[ドデ][ゥウ]?[・ ]?パルファ/,
    /(?<![a-z])(?:eau de toilette|edt)(?![a-z])|オー[ドデ][ゥウ]?[・ ]?トワレ/,
    /(?<![a-z])(?:eau de cologne|edc)(?![a-z])|オー[ドデ][ゥウ]?[・ ]?コロン/,
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
  [
    /shampoo|shampooing|シャンプー/,
    /conditioner|spulung|apres-shampo|コンディショナー|リンス/,
    /(?<![a-z])(?:haarkur|haarmaske|hair mask)(?![a-z])|トリートメント/,
  ],
  [
    /(?<![a-z])adult(?:e|es|s)?(?![a-z])|アダルト|成[犬猫]/,
    /(?<![a-z])(?:pupp(?:y|ies)|kitten|welpen?|chiots?|chaton)(?![a-z])|パピー|キト[ゥェ]?ン|[子仔][犬猫]/,
    /(?<![a-z])senior(?![a-z])|シニア/,
  ],
  [
    /(?<![a-z])pla(?![a-z])/,
    /(?<![a-z])petg(?![a-z])/,
    /(?<![a-z])abs(?![a-z])/,
    /(?<![a-z])tpu(?![a-z])/,
  ],
  [/小さめ/, /ふつう|普通サイズ/, /大きめ/],
  [/江戸間/, /本間|京間/, /団地間/],
  [/敷き?(?:布団|ふとん)/, /掛け?(?:布団|ふとん)/],
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
export const peculiarities: readonly RegExp[] = [
  /互換|リサイクル(?:トナー|インク)?|(?<![a-z])(?:compatibles?(?! with)|kompatib[a-z]+|alternativ|remanufactured|wiederaufbereitet[a-z]*)(?![a-z])/,
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
