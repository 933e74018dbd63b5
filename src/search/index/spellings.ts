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
クリアファイル クリアーファイル|ディスプレイ ディスプレー|メープル メイプル|グレー グレイ grey gray|ベッド ベット|ティーバッグ ティーバック
アクスタ アクリルスタンド|アクキー アクリルキーホルダー|マステ マスキングテープ|サントラ サウンドトラック|パソコン パーソナルコンピューター
リュック リュックサック|コスメ 化粧品|イヤフォン イヤホン|ヘッドフォン ヘッドホン|ケータイ 携帯電話|デジカメ デジタルカメラ|プラモ プラモデル
ボドゲ ボードゲーム|トレカ トレーディングカード|アクセ アクセサリー|ポスカ ポストカード postcard|ミニチュア みにちゅあ|同人誌 どうじんし
Tシャツ ティーシャツ|iPhone アイフォン アイフォーン|iPad アイパッド|Android アンドロイド|VRChat VRチャット ブイアールチャット|YouTube ユーチューブ
Blu-ray ブルーレイ|Nintendo ニンテンドー 任天堂|Pokemon ポケモン ポケットモンスター|Disney ディズニー|Snoopy スヌーピー|Sony ソニー|Apple アップル
handmade ハンドメイド|sticker ステッカー|poster ポスター|necklace ネックレス|earring イヤリング|bracelet ブレスレット
keychain キーチェーン|hoodie フーディー フーディ|sneaker スニーカー|acrylic アクリル|coaster コースター|calendar カレンダー
candle キャンドル|guitar ギター|figure フィギュア|denim デニム|cotton コットン|linen リネン|silver シルバー|wallet ウォレット|diary ダイアリー
Bluetooth ブルートゥース|Halloween ハロウィン|Christmas クリスマス Xmas|Valentine バレンタイン|mug マグ|tote トート|pouch ポーチ|mask マスク|chocolate チョコレート ショコラ
枕 まくら マクラ|布団 ふとん フトン|靴下 くつした ソックス|手袋 てぶくろ 手ぶくろ|帽子 ぼうし|着物 きもの キモノ|浴衣 ゆかた ユカタ|包丁 庖丁 ほうちょう
抹茶 まっちゃ|麦茶 むぎ茶|焙じ茶 ほうじ茶|烏龍茶 ウーロン茶|蜂蜜 はちみつ ハチミツ|昆布 こんぶ|玉子 卵 たまご タマゴ|石鹸 石けん せっけん|雑巾 ぞうきん
鋸 のこぎり ノコギリ|脚立 きゃたつ|梯子 はしご ハシゴ|鉄瓶 鉄びん|積み木 積木 つみき|折り紙 折紙 おりがみ|ごみ箱 ゴミ箱|歯ブラシ 歯ぶらし はぶらし ハブラシ
日焼け止め 日焼止め 日やけ止め|目覚まし 目覚し めざまし|詰め替え 詰替え 詰替 つめかえ|子供 子ども こども キッズ|女性 婦人 レディース|男性 紳士 メンズ
Nike ナイキ|Adidas アディダス|Puma プーマ|Panasonic パナソニック|Toshiba 東芝|Hitachi 日立|Canon キヤノン キャノン|Nikon ニコン|Casio カシオ|Seiko セイコー
Yamaha ヤマハ|Roland ローランド|Dyson ダイソン|Makita マキタ|Lego レゴ|Logicool ロジクール Logitech|Anker アンカー|Daikin ダイキン|Samsung サムスン
Microsoft マイクロソフト|Google グーグル|Playstation プレイステーション プレステ|Gundam ガンダム|Gucci グッチ|Chanel シャネル|Hermes エルメス|Prada プラダ
Dior ディオール|Rolex ロレックス|Omega オメガ|Uniqlo ユニクロ|Shimano シマノ|Daiwa ダイワ|Coleman コールマン|Thermos サーモス|Tefal ティファール
Philips フィリップス|Minecraft マインクラフト マイクラ|TV テレビ|aluminum aluminium|tire tyre|jewelry jewellery|pajamas pyjamas|color colour|fiber fibre`;

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
