/** Colours and their words in English, German, French, Spanish, Italian, Dutch and Japanese, folded. */
const colourWords: Record<string, string> = {
  black: "black blk schwarz schwarze schwarzer noir noire negro negra nero nera zwart ブラック 黒",
  white: "white wht weiss weisse weisser blanc blanche blanco blanca bianco bianca wit ホワイト 白",
  grey: "grey gray gry grau graphite gris grigio grijs anthrazit charcoal gunmetal グレー グレイ 灰色 チャコール ガンメタ",
  silver: "silver slv silber argent plata plateado argento zilver シルバー 銀",
  gold: "gold gld golden dore oro dorado goud ゴールド 金色",
  red: "red rot rouge rojo roja rosso rood bordeaux burgundy bordeauxrot レッド ボルドー 赤",
  blue: "blue blau bleu azul blu blauw ブルー 青 水色",
  navy: "navy nvy marine marineblau ネイビー 紺",
  green: "green grn grun vert verde groen khaki グリーン カーキ 緑",
  yellow: "yellow ylw gelb jaune amarillo giallo geel イエロー 黄色",
  orange: "orange naranja arancione oranje オレンジ 橙",
  pink: "pink pnk rosa rose fuchsia magenta roze ピンク マゼンタ 桃色",
  purple: "purple violet lila violett morado viola paars パープル 紫",
  brown: "brown brn braun marron brun marrone bruin camel taupe ブラウン トープ キャメル 茶色",
  beige: "beige sand greige ベージュ グレージュ",
  cream: "cream ivory elfenbein ivoire アイボリー クリーム色",
  turquoise: "turquoise turkis cyan teal aqua ターコイズ シアン",
  clear: "clear transparent klar クリア 透明",
};

/** Words that are colours only where they stand alone: `くろ` is also a part of ふくろ. */
const loneColourWords: Record<string, string> = {
  black: "くろ クロ",
  white: "しろ シロ",
  red: "あか アカ",
  blue: "あお アオ",
  green: "みどり ミドリ",
  yellow: "きいろ キイロ",
  purple: "むらさき",
};

const variantWords =
  "pro max mini plus ultra lite light air neo se xl dx ex zero premium deluxe junior kids men women damen herren home professional enterprise standard basic advanced elite classic sport extreme turbo gaming slim compact wireless upgrade academic student oem プロ マックス ミニ プラス ウルトラ ライト エアー プレミアム デラックス";

const accessoryWords =
  "case cover sleeve bag hulle tasche kit bundle battery charger cable kabel adapter mount strap holder stand replacement ersatz spare refill nachfullpackung nachfuller nachfullbeutel remote protector schutz folie film for fur pour para compatible ケース カバー バッテリー 充電器 ケーブル フィルム ストラップ スタンド 用 対応 互換 交換 詰替";

export const colourOf = byWord(colourWords);
export const loneColourOf = new Map([...colourOf, ...byWord(loneColourWords)]);
/** In English. */
export const colourNames: readonly string[] = Object.keys(colourWords);

/** The name that each of these lists of words has. */
export function byWord(words: Record<string, string>): Map<string, string> {
  return new Map(
    Object.entries(words).flatMap(([name, list]) =>
      list.split(" ").map((word): [string, string] => [word, name]),
    ),
  );
}

export const variants = new Set(variantWords.split(" "));
export const accessories = new Set(accessoryWords.split(" "));

/** Japanese has no spaces: its words are looked for anywhere. Bigrams would cut them. */
export function anywhere(words: Iterable<string>): RegExp {
  const japanese = [...words].filter((word) => /[^a-z]/.test(word));
  return new RegExp(japanese.toSorted((a, b) => b.length - a.length).join("|"), "g");
}
