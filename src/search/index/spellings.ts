import { fold } from "./fold.ts";

/**
 * Groups of words that mean the same to a shopper; the engine takes each for all others of its group. Only
 * spellings and names of one thing belong here, in the form of `normalise`; a word is in one group at most.
 */
export const synonymGroups: readonly (readonly string[])[] = [
  ["ヴィンテージ", "ビンテージ"],
  ["手造り", "手作り"],
  ["スマホ", "スマートフォン"],
  ["革", "皮", "レザー"],
];

/**
 * The same for words that the engine does not take as synonyms: it segments several kanji alone as
 * Chinese, and splits many kana words differently inside a title. The documents contain the other
 * spellings instead: okurigana, kanji or kana, Latin words in katakana, short forms.
 */
const groups = `
斎藤 斉藤|刺繍 刺しゅう ししゅう|手拭い 手ぬぐい てぬぐい|取り付け 取付け 取付|取り外し 取外し|組み立て 組立て 組立
詰め合わせ 詰合せ 詰め合せ 詰合わせ|引き出し 引出し 引出|折り畳み 折りたたみ 折畳み|受け皿 受皿|箸置き 箸置|巻き 巻|吊り下げ 吊下げ
滑り止め 滑止め すべり止め|持ち運び 持運び|書き込み 書込み|貼り付け 貼付け 貼付|織り 織|切り替え 切替え 切替|掛け時計 掛時計|置き時計 置時計
猫 ネコ ねこ|犬 イヌ いぬ|兎 うさぎ ウサギ|桜 さくら サクラ|苺 いちご イチゴ|林檎 りんご リンゴ|蜜柑 みかん ミカン|葡萄 ぶどう ブドウ
珈琲 コーヒー coffee|煙草 たばこ タバコ|眼鏡 めがね メガネ|鞄 かばん カバン|鋏 はさみ ハサミ|布巾 ふきん|団扇 うちわ ウチワ|箪笥 たんす タンス
玩具 おもちゃ オモチャ|絨毯 じゅうたん|蝋燭 ろうそく ロウソク|葉書 はがき ハガキ|硝子 がらす ガラス|麦藁 麦わら|醤油 しょうゆ|味噌 みそ
煎餅 せんべい|饅頭 まんじゅう|珊瑚 さんご サンゴ|薔薇 ばら バラ|向日葵 ひまわり ヒマワリ|紫陽花 あじさい アジサイ|梟 ふくろう フクロウ
狐 きつね キツネ|狸 たぬき タヌキ|熊 くま クマ|羊 ひつじ ヒツジ|鯨 くじら クジラ|蛙 かえる カエル|豚 ぶた ブタ|鼠 ねずみ ネズミ|巾着 きんちゃく
風呂敷 ふろしき|漫画 まんが マンガ|鉛筆 えんぴつ|椅子 いす イス|茶碗 茶わん ちゃわん|急須 きゅうす|徳利 とっくり|簪 かんざし カンザシ|財布 さいふ サイフ
缶バッジ 缶バッチ かんバッジ カンバッジ|バッジ バッチ|トートバッグ トートバック|ショルダーバッグ ショルダーバック|ハンドバッグ ハンドバック
クリアファイル クリアーファイル|ディスプレイ ディスプレー|メープル メイプル|グレー グレイ|ベッド ベット|ティーバッグ ティーバック
アクスタ アクリルスタンド|アクキー アクリルキーホルダー|マステ マスキングテープ|サントラ サウンドトラック|パソコン パーソナルコンピューター
リュック リュックサック|コスメ 化粧品|イヤフォン イヤホン|ヘッドフォン ヘッドホン|ケータイ 携帯電話|デジカメ デジタルカメラ|プラモ プラモデル
ボドゲ ボードゲーム|トレカ トレーディングカード|アクセ アクセサリー|ポスカ ポストカード postcard|ミニチュア みにちゅあ|同人誌 どうじんし
Tシャツ ティーシャツ|iPhone アイフォン アイフォーン|iPad アイパッド|Android アンドロイド|VRChat VRチャット ブイアールチャット|YouTube ユーチューブ
Blu-ray ブルーレイ|Nintendo ニンテンドー 任天堂|Pokemon ポケモン ポケットモンスター|Disney ディズニー|Snoopy スヌーピー|Sony ソニー|Apple アップル
handmade ハンドメイド|sticker ステッカー|poster ポスター|necklace ネックレス|earring イヤリング|bracelet ブレスレット
keychain キーチェーン|hoodie フーディー フーディ|sneaker スニーカー|acrylic アクリル|coaster コースター|calendar カレンダー
candle キャンドル|guitar ギター|figure フィギュア|denim デニム|cotton コットン|linen リネン|silver シルバー|wallet ウォレット|diary ダイアリー
Bluetooth ブルートゥース|Halloween ハロウィン|Christmas クリスマス|Valentine バレンタイン|mug マグ|tote トート|pouch ポーチ|mask マスク|chocolate チョコレート ショコラ`;

export const spellingGroups: readonly (readonly string[])[] = groups
  .split(/[|\n]/)
  .filter((group) => group !== "")
  .map((group) => group.split(" "));

const byFolded = new Map<string, Set<string>>();
for (const group of [...spellingGroups, ...synonymGroups]) {
  for (const word of group) {
    const known = byFolded.get(fold(word)) ?? new Set();
    for (const other of group) known.add(other);
    byFolded.set(fold(word), known);
  }
}

/** The other spellings of a whole word, in the form of `fold`; none for most words. `folded`: from `fold`. */
export function spellingsOf(folded: string): string[] {
  const others = [...(byFolded.get(folded) ?? [])].map(fold);
  return [...new Set(others)].filter((other) => other !== folded);
}

const members = new Map(
  spellingGroups.flatMap((group) => group.map((word) => [word.toLowerCase(), group] as const)),
);
const anyMember = new RegExp(
  [...members.keys()]
    .toSorted((a, b) => b.length - a.length)
    .map((word) => (/^[a-z]/.test(word) ? `(?<![a-z])${word}(?![a-z])` : word))
    .join("|"),
  "g",
);

/** The other spellings of the words of a normalised text, from `spellingGroups`. */
export function otherSpellings(text: string): string[] {
  const others = new Set<string>();
  for (const [found] of text.toLowerCase().matchAll(anyMember)) {
    for (const word of members.get(found) ?? []) if (!text.includes(word)) others.add(word);
  }
  return [...others];
}
