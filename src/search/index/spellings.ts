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
 * spellings instead: okurigana, kanji or kana, Latin words in katakana, short forms. A word behind > names other things as
 * well: クリーナー finds 掃除機, and 掃除機 no クリーナー.
 */
const groups = `
斎藤 斉藤|刺繍 刺しゅう ししゅう|手拭い 手ぬぐい てぬぐい|取り付け 取付け 取付|取り外し 取外し|組み立て 組立て 組立
詰め合わせ 詰合せ 詰め合せ 詰合わせ|引き出し 引出し 引出|折り畳み 折りたたみ 折畳み|受け皿 受皿|箸置き 箸置|吊り下げ 吊下げ
滑り止め 滑止め すべり止め|持ち運び 持運び|書き込み 書込み|貼り付け 貼付け 貼付|織り 織|切り替え 切替え 切替|掛け時計 掛時計 壁掛け時計|置き時計 置時計
猫 ネコ ねこ|犬 イヌ いぬ|兎 うさぎ ウサギ|桜 さくら サクラ|苺 いちご イチゴ|林檎 りんご リンゴ|蜜柑 みかん ミカン|葡萄 ぶどう ブドウ
珈琲 コーヒー coffee|煙草 たばこ タバコ|眼鏡 めがね メガネ|鞄 かばん カバン|鋏 はさみ ハサミ|布巾 ふきん|団扇 うちわ ウチワ|箪笥 たんす タンス
玩具 おもちゃ オモチャ|絨毯 じゅうたん カーペット|蝋燭 ろうそく ロウソク >キャンドル|葉書 はがき ハガキ|硝子 がらす ガラス|麦藁 麦わら|醤油 しょうゆ|味噌 みそ
煎餅 せんべい|饅頭 まんじゅう|珊瑚 さんご サンゴ|薔薇 ばら バラ|向日葵 ひまわり ヒマワリ|紫陽花 あじさい アジサイ|梟 ふくろう フクロウ
狐 きつね キツネ|狸 たぬき タヌキ|熊 くま クマ|羊 ひつじ ヒツジ|鯨 くじら クジラ|蛙 かえる カエル|豚 ぶた ブタ|鼠 ねずみ ネズミ|巾着 きんちゃく
風呂敷 ふろしき|漫画 まんが マンガ|鉛筆 えんぴつ|茶碗 茶わん ちゃわん|急須 きゅうす|徳利 とっくり|簪 かんざし カンザシ|財布 さいふ サイフ
缶バッジ 缶バッチ かんバッジ カンバッジ|バッジ バッチ|トートバッグ トートバック|ショルダーバッグ ショルダーバック|ハンドバッグ ハンドバック
クリアファイル クリアーファイル|ディスプレイ ディスプレー|メープル メイプル|グレー グレイ 灰色 grey gray|ベッド ベット|ティーバッグ ティーバック
アクスタ アクリルスタンド|アクキー アクリルキーホルダー|マステ マスキングテープ|サントラ サウンドトラック|パソコン パーソナルコンピューター
リュック リュックサック|コスメ 化粧品|イヤフォン イヤホン|ヘッドフォン ヘッドホン|ケータイ 携帯電話|デジカメ デジタルカメラ|プラモ プラモデル
ボドゲ ボードゲーム|トレカ トレーディングカード|アクセ アクセサリー|ポスカ ポストカード postcard|ミニチュア みにちゅあ|同人誌 どうじんし
Tシャツ ティーシャツ|iPhone アイフォン アイフォーン アイホン|iPad アイパッド|Android アンドロイド|VRChat VRチャット ブイアールチャット|YouTube ユーチューブ
Blu-ray ブルーレイ|Nintendo ニンテンドー 任天堂|Pokemon ポケモン ポケットモンスター|Disney ディズニー|Snoopy スヌーピー|Sony ソニー|Apple アップル
handmade ハンドメイド|sticker ステッカー シール|poster ポスター|necklace ネックレス|earring イヤリング|bracelet ブレスレット
keychain キーチェーン キーホルダー|hoodie フーディー フーディ|sneaker スニーカー >trainer|acrylic アクリル|coaster コースター|calendar カレンダー
candle キャンドル|guitar ギター|figure フィギュア|denim デニム|cotton コットン 綿|linen リネン 麻|silk シルク 絹|wool ウール 羊毛|silver シルバー 銀色|gold ゴールド 金色|wallet ウォレット|diary ダイアリー
Bluetooth ブルートゥース|Halloween ハロウィン|Christmas クリスマス Xmas|Valentine バレンタイン|mug マグ|tote トート|pouch ポーチ|mask マスク|chocolate チョコレート ショコラ
枕 まくら マクラ|布団 ふとん フトン|靴下 くつした ソックス|手袋 てぶくろ 手ぶくろ >グローブ|グローブ グラブ|牡蠣 カキ かき|帽子 ぼうし|着物 きもの キモノ|浴衣 ゆかた ユカタ|包丁 庖丁 ほうちょう
抹茶 まっちゃ|麦茶 むぎ茶|焙じ茶 ほうじ茶|烏龍茶 ウーロン茶|蜂蜜 はちみつ ハチミツ|昆布 こんぶ|玉子 卵 たまご タマゴ|石鹸 石けん せっけん|雑巾 ぞうきん
鋸 のこぎり ノコギリ|脚立 きゃたつ|梯子 はしご ハシゴ|鉄瓶 鉄びん|積み木 積木 つみき|折り紙 折紙 おりがみ|ごみ箱 ゴミ箱|歯ブラシ 歯ぶらし はぶらし ハブラシ
日焼け止め 日焼止め 日やけ止め|目覚まし 目覚し めざまし|詰め替え 詰替え 詰替 つめかえ|子供 子ども こども キッズ|女性 婦人 レディース|男性 紳士 メンズ
Nike ナイキ|Adidas アディダス|Puma プーマ|Panasonic パナソニック|Toshiba 東芝|Hitachi 日立|Canon キヤノン キャノン|Nikon ニコン|Casio カシオ|Seiko セイコー
Yamaha ヤマハ|Roland ローランド|Dyson ダイソン|Makita マキタ|Lego レゴ|Logicool ロジクール Logitech|Anker アンカー|Daikin ダイキン|Samsung サムスン
Microsoft マイクロソフト|Google グーグル|Playstation プレイステーション プレステ|Gundam ガンダム|Gucci グッチ|Chanel シャネル|Hermes エルメス|Prada プラダ
Dior ディオール|Rolex ロレックス|Omega オメガ|Uniqlo ユニクロ|Shimano シマノ|Daiwa ダイワ|Coleman コールマン|Thermos サーモス|Tefal ティファール
鍋 なべ ナベ|籠 かご カゴ|紐 ひも ヒモ|瓶 びん ビン|飴 あめ|芋 いも イモ|鰻 うなぎ ウナギ|蟹 かに カニ|海老 えび エビ|鮭 さけ サケ|鯖 さば サバ|箸 はし
海苔 のり|出汁 だし ダシ|餃子 ぎょうざ ギョウザ ギョーザ|素麺 そうめん|蕎麦 そば|傘 かさ|靴 くつ|机 つくえ|椅子 いす イス チェア チェアー|鏡 かがみ|雛 ひな
襟 衿 えり|蓋 ふた フタ|餌 えさ エサ|檜 ひのき ヒノキ|樽 たる|釜 かま|帯 おび|棚 たな|筆 ふで|盆 おぼん|煎茶 せんちゃ|納豆 なっとう|目薬 めぐすり|炊飯器 すいはんき|ご飯 ごはん 御飯|寝袋 ねぶくろ
砥石 といし|草履 ぞうり|足袋 たび|便箋 便せん びんせん|土鍋 どなべ|哺乳瓶 哺乳びん ほにゅうびん|三味線 しゃみせん|革靴 かわぐつ|長靴 ながぐつ|印鑑 はんこ 判子|絆創膏 ばんそうこう
お歳暮 おせいぼ|お中元 おちゅうげん|おせち お節|明太子 めんたいこ|湯呑み 湯呑 湯のみ 湯飲み|まな板 まないた|蒸籠 せいろ|注連縄 しめ縄 しめなわ|鯉のぼり 鯉幟 こいのぼり|電子レンジ でんしれんじ
冷蔵庫 れいぞうこ|洗濯機 せんたくき|掃除機 そうじき >クリーナー|加湿器 かしつき|扇風機 せんぷうき|腕時計 うでどけい|自転車 じてんしゃ|弁当箱 べんとうばこ ランチボックス|水筒 すいとう|食器 しょっき|家具 かぐ
本棚 ほんだな|毛布 もうふ|座布団 ざぶとん|指輪 ゆびわ|花瓶 かびん|植木鉢 うえきばち|画鋲 がびょう|文房具 ぶんぼうぐ|手帳 てちょう|封筒 ふうとう|絵本 えほん
黒 ブラック black|白 ホワイト white|赤 レッド red|青 ブルー blue|緑 グリーン green|紺 ネイビー navy|紫 パープル purple|黄色 イエロー yellow|茶色 ブラウン brown
ピンク ピンク色 桃色 pink|オレンジ オレンジ色 橙色 orange|ベージュ ベージュ色 beige|水色 みずいろ ライトブルー|チェック チェック柄|ストライプ ストライプ柄|ボーダー ボーダー柄|水玉 ドット柄
小銭入れ コインケース|定期入れ パスケース|筆箱 筆入れ ペンケース|写真立て フォトフレーム フォトスタンド|名刺入れ 名刺ケース|ワイシャツ Yシャツ|ジーンズ ジーパン Gパン jeans|スコップ シャベル ショベル
ヘアゴム 髪ゴム|ノートパソコン ノートPC|琺瑯 ほうろう ホーロー|花束 ブーケ|ノースリーブ 袖なし|エコバッグ エコバック|髭剃り ひげ剃り ひげそり シェーバー|赤ちゃん ベビー baby|女の子 女児|男の子 男児|お守り 御守り 御守 おまもり
茄子 なす ナス|筍 竹の子 たけのこ タケノコ|小豆 あずき アズキ|西瓜 すいか スイカ|檸檬 レモン|馬鈴薯 じゃがいも ジャガイモ|算盤 そろばん ソロバン|硯 すずり|囲碁 いご|釘 くぎ クギ|鍬 くわ|箒 ほうき ホウキ|塵取り ちりとり チリトリ|櫛 くし クシ
翡翠 ひすい ヒスイ|brother ブラザー|ink インク|kit キット|cap キャップ|box ボックス|pen ペン
ポケカ ポケモンカード|ドラレコ ドライブレコーダー|アコギ アコースティックギター|エレキ エレキギター|グラボ グラフィックボード|マザボ マザーボード|シャーペン シャープペン シャープペンシル
デュエマ デュエルマスターズ|Gジャン ジージャン デニムジャケット|ペグ ペッグ|コンデジ コンパクトデジタルカメラ|2XL XXL|3XL XXXL|巻 vol|microSD マイクロSD
Philips フィリップス|Minecraft マインクラフト マイクラ|TV テレビ|aluminum aluminium|tire tyre|Größe Gr|jewelry jewellery|pajamas pyjamas|color colour|fiber fibre
no nr|Herren Männer men|Damen Frauen women|odor odour|mold mould|armor armour|honor honour|humor humour|labor labour|favor favour|vapor vapour|plow plough|donut doughnut
カセットコンロ カセットフー|紙やすり 紙ヤスリ サンドペーパー|耐水ペーパー >紙やすり >サンドペーパー|四駆 4WD|冷凍庫 フリーザー|上履き 上ばき うわばき 上靴|書道 習字|透明 クリア|抜き ぬき|鍵盤ハーモニカ ピアニカ
カフェインレス デカフェ ノンカフェイン カフェインフリー カフェイン抜き|蝶番 丁番 ちょうつがい ヒンジ|ねじ ネジ 螺子 ビス|やかん 薬缶 >ケトル|老眼鏡 シニアグラス リーディンググラス
雨合羽 レインコート|diaper nappy|diapers nappies|wrench spanner|couch sofa|windshield windscreen|stroller pushchair|yogurt yoghurt Joghurt|faucet >tap|flashlight >torch|Zahnpasta Zahncreme`;

export const spellingGroups: readonly (readonly string[])[] = groups
  .split(/[|\n]/)
  .filter((group) => group !== "")
  .map((group) => group.split(" "));

const isGeneral = (word: string) => word.startsWith(">");
const nameOf = (word: string) => word.replace(">", "");

/** Parts of compounds that are no words by themselves: 歯みがき for 歯磨き, 植木ばち for 植木鉢. */
const parts = `
磨き みがき|研ぎ 砥ぎ とぎ|挽き びき ひき|剥き むき|蒸し むし|漬け づけ|焼き やき|染め ぞめ|掛け がけ かけ|敷き しき|植え うえ|編み あみ|彫り ぼり ほり
切り きり|刈り かり|拭き ふき|飲み 呑み のみ|比べ くらべ|洗い あらい|干し ほし|締め 〆 じめ しめ|揚げ あげ|下ろし おろし|固め がため|入れ いれ|止め どめ|抜き ぬき|込み こみ|除け よけ|貼り ばり はり|炊き だき たき|巻き まき
鉢 ばち|皿 ざら|鋏 ばさみ|靴 ぐつ|傘 がさ|棚 だな|釜 がま|笛 ぶえ|箱 ばこ|箒 ぼうき|袋 ぶくろ|薬 ぐすり|竿 ざお|筒 づつ|鍋 なべ|飾り かざり`;
const partGroups = parts.split(/[|\n]/).map((group) => group.split(" "));

const isColour = (word: string) => /^[黒白赤青緑紺紫]$/.test(word);

/** What names a colour or a fabric is inside other words as well: 赤 in 赤ちゃん, 麻 in 麻雀. */
const isInOthers = (word: string) => isColour(word) || /^[綿麻絹]$/.test(word);

/** Numbers that titles also have in Roman numerals; the engine takes each for the other, too. I, V and X are letters as well. */
export const numerals: readonly (readonly [string, string])[] =
  "2 ii|3 iii|4 iv|6 vi|7 vii|8 viii|9 ix|11 xi|12 xii|13 xiii|14 xiv|15 xv|16 xvi"
    .split("|")
    .map((pair): [string, string] => [pair.replace(/ .*/, ""), pair.replace(/.* /, "")]);
const otherNumerals = new Map(
  numerals.flatMap(([digits, roman]) => [
    [digits, roman],
    [roman, digits],
  ]),
);

/** vii for 7, and the reverse. */
export function otherNumeral(folded: string): string[] {
  const other = otherNumerals.get(folded);
  return other === undefined ? [] : [other];
}

const byFolded = new Map<string, Set<string>>();
for (const group of [...spellingGroups, ...synonymGroups]) {
  for (const word of group) {
    const known = byFolded.get(fold(nameOf(word))) ?? new Set();
    for (const other of group) if (!isGeneral(other) && !isInOthers(other)) known.add(other);
    byFolded.set(fold(nameOf(word)), known);
    if (isColour(word)) byFolded.set(fold(`${word}色`), new Set(group));
  }
}

/** The other spellings of a whole word, in the form of `fold`; none for most words. `folded`: from `fold`. */
export function spellingsOf(folded: string): string[] {
  const others = [...(byFolded.get(folded) ?? [])].map(fold);
  return [...new Set(others)].filter((other) => other !== folded);
}

const toMembers = (all: readonly (readonly string[])[]) =>
  new Map(
    all.flatMap((group) =>
      group.flatMap((word) => (isGeneral(word) ? [] : [[word.toLowerCase(), group.map(nameOf)]])),
    ),
  );
const members = toMembers(spellingGroups);
const partMembers = toMembers([...spellingGroups, ...partGroups]);
const anyOf = (words: Iterable<string>) =>
  [...words]
    .toSorted((a, b) => b.length - a.length)
    .map((word) => (/^[a-z0-9]/.test(word) ? `(?<![a-z0-9])${word}(?![a-z0-9])` : word))
    .join("|");
const anyMember = new RegExp(anyOf(members.keys()), "g");
const anyPart = new RegExp(
  anyOf([...partMembers.keys()].filter((word) => !/[a-z]/.test(word))),
  "g",
);

const segmenter = new Intl.Segmenter("ja", { granularity: "word" });
const scripts = [/[ァ-ヺー]/, /[ぁ-ゖ]/, /[一-鿿々]/];
const scriptOf = (letter: string) => scripts.findIndex((script) => script.test(letter));

/** The sign and kana that are no particle: 絹さや is no silk, 絹の and 絹と are. */
const withKana = /^.(?![のとやも])[ぁ-ゖ]/;

/** Whether a member found in the text is no part of another word: not イス in ウイスキー, nor 赤 in 赤ちゃん. */
function createIsWhole(text: string): (found: string, at: number) => boolean {
  let edges: Set<number> | undefined;
  const isEdge = (at: number) => {
    edges ??= new Set([...segmenter.segment(text)].map(({ index }) => index));
    return at === text.length || edges.has(at);
  };
  const isChange = (at: number) => scriptOf(text.charAt(at - 1)) !== scriptOf(text.charAt(at));
  return (found, at) => {
    const ends = [at, at + found.length];
    if (isInOthers(found)) return ends.every(isEdge) && !withKana.test(text.slice(at));
    return !/^[ぁ-ゖァ-ヺー]+$/.test(found) || ends.every((end) => isChange(end) || isEdge(end));
  };
}

/** The other spellings of the words of a normalised text, from `spellingGroups`. */
export function otherSpellings(text: string): string[] {
  const lower = text.toLowerCase();
  const isWhole = createIsWhole(lower);
  const others = new Set<string>();
  for (const { 0: found, index } of lower.matchAll(anyMember)) {
    if (!isWhole(found, index)) continue;
    for (const word of members.get(found) ?? []) if (!text.includes(word)) others.add(word);
  }
  return [...others];
}

const compound = /[一-鿿々ぁ-ゖ]+/g;
/** Letters before and behind the part that belong to its compound. */
const around = 4;

/** Compounds of the text with one part in another spelling: 歯みがき粉 for 歯磨き粉. Both normalised, or both folded. */
export function otherCompounds(text: string): string[] {
  const others = new Set<string>();
  for (const [run] of text.matchAll(compound)) {
    for (const { 0: part, index } of run.matchAll(anyPart)) {
      const to = index + part.length;
      const [before, after] = [
        run.slice(Math.max(0, index - around), index),
        run.slice(to, to + around),
      ];
      const isBeside =
        /[一-鿿々]$/.test(before) || (/^[一-鿿々]/.test(after) && !/[ぁ-ゖ]$/.test(before));
      if (!isBeside) continue;
      for (const word of partMembers.get(part) ?? []) {
        if (word !== part && !/[a-z]/i.test(word)) others.add(before + word + after);
      }
    }
  }
  return [...others];
}
