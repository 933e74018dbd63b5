/** Some words end with a space, and some lists with an empty word. */
const listOf = (text: string) => text.split(/[|\n]/);

/** What the generated shops sell. Every category name is also a keyword that finds all its products. */
export const departments = `
財布 6800: 長財布|二つ折り財布|小銭入れ|がま口財布|カードケース
バッグ 5400: トートバッグ|ショルダーバッグ|ﾘｭｯｸ|ポーチ|エコバッグ
アクセサリー 2400: ピアス|ネックレス|ブレスレット|リング|ヘアゴム
陶器 2800: 湯呑み|マグカップ|茶碗|小皿|花瓶|Coffee Cup
雑貨 1600: キーホルダー|ブックカバー|コースター|ティッシュケース|Tシャツ
ファッション 7200: ワンピース|シャツ|Ｔシャツ|カーディガン|Linen Shirt
マフラー・帽子 4300: マフラー|ニット帽|ストール|手袋
家具 18000: 椅子|スツール|本棚|サイドテーブル
食品 1200: はちみつ|味噌|梅干し|ジャム|玄米 ５ｋｇ
お菓子 1500: クッキー|どら焼き|カステラ|チョコレート|羊羹
お茶・コーヒー 1300: 煎茶|ほうじ茶|コーヒー豆|ｺｰﾋｰﾊﾞｯｸﾞ|紅茶
スマホケース 3200: iPhoneケース|スマホショルダー|手帳型ケース
文房具 900: ノート|万年筆|便箋|マスキングテープ|しおり
アート 3900: ポスター|版画|イラスト|写真集|Postcard Set
音楽 2700: CD アルバム|レコード|バンドスコア|カセットテープ
ベビー・キッズ 2600: スタイ|積み木|ベビー靴|絵本
ペット用品 2300: 首輪|ドッグフード|猫ベッド|迷子札
植物 2900: 多肉植物|ドライフラワー|観葉植物|リース
コスメ 1900: 石けん|ハンドクリーム|アロマオイル|化粧水
ヴィンテージ 8800: 古着ジャケット|レトロ時計|ビンテージグラス|Vintage Denim`
  .trim()
  .split("\n")
  .map((row) => {
    const [, category = "", yen, nouns = ""] = /^(\S+) (\d+): (.+)$/.exec(row) ?? [];
    return { category, yen: Number(yen), nouns: nouns.split("|") };
  });

export const descriptions =
  listOf(`手作りの|ハンドメイド|ﾊﾝﾄﾞﾒｲﾄﾞ |職人が作る|一点もの |シンプルな|北欧風
ＮＥＷ |オーガニック|草木染めの|藍染め|国産|軽い|刺繍入り|刺しゅうの|Handmade |ミニ|大きめの|和柄の|`);

export const materials = listOf(
  `革|本革|レザー|木製|リネン|コットン|ウール100%|ガラス|真鍮|シルバー925|帆布|和紙|`,
);

export const colours = listOf(`赤|青|黒|白|ブラウン|ネイビー|生成り|ｸﾞﾚｰ|Green|からし色`);

export const sizeNames = listOf(`S|M|L|ＸＬ|フリー`);

export const places = listOf(`京都|東京都|北海道|沖縄|瀬戸内|信州|金沢|奈良|長崎|九州`);

export const sentences =
  listOf(`ひとつひとつ丁寧に作っています。|使うほどに味わいが増します。|プレゼントにも人気です。
サイズ：約 10 × 9 ㎝|ご注文から３〜５日で発送します。|色味は画面と異なる場合があります。
数量限定。再入荷は未定です。|Worldwide shipping available.|ギフト包装できます♪
受注生産のため、お届けまで２週間ほどいただきます。|ﾈｺﾎﾟｽ対応。|素材にこだわりました。
品質の髙い素材です。|★レビューを書いて５％ＯＦＦ★`);

export const shopFirst =
  listOf(`森の|海辺の|小さな|青空|月夜の|陽だまり|山猫|白樺|つばめ|三日月|かもめ|まる|ハル
Atelier |ｱﾄﾘｴ|木漏れ日|銀河|はなうた|北風|うさぎ`);

export const shopSecond = listOf(
  `工房|雑貨店|商店|舎|製作所|堂|アトリエ|マーケット|革工房|陶房|珈琲|書房|Works|手芸店|屋`,
);

/** Products of every catalogue, with any seed. Each shows one feature of Japanese text. */
export const landmarks = [
  { category: "財布", title: "手作りの革財布", yen: 9800 },
  { category: "財布", title: "手作りの革財布 ブラウン", yen: 10800 },
  { category: "財布", title: "手作りの革財布（二つ折り）", yen: 12000 },
  { category: "雑貨", title: "ﾊﾝﾄﾞﾒｲﾄﾞのブックカバー", yen: 1800 },
  { category: "雑貨", title: "ﾊﾝﾄﾞﾒｲﾄﾞ ｺｰｽﾀｰ 4枚組", yen: 1200 },
  { category: "雑貨", title: "ＡＢＣ１２３ キーホルダー", yen: 800 },
  { category: "お菓子", title: "京都の抹茶クッキー", yen: 1400 },
  { category: "お茶・コーヒー", title: "京都 宇治の煎茶", yen: 1600 },
  { category: "アート", title: "東京都の古地図ポスター", yen: 3500 },
  { category: "文房具", title: "東京都 町工場のノート", yen: 700 },
  { category: "スマホケース", title: "iPhone15用ケース", yen: 3300 },
  { category: "マフラー・帽子", title: "ウール100% マフラー", yen: 5200 },
];
