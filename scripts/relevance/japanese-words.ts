/** The goods of small shops and their attributes. `parseSpellings` reads the entries. */
export interface SmallGoods {
  types: string;
  materials: string;
  /** `unit: numbers`; a title has one at most. */
  measures: string[];
  counter: string;
}

export const japaneseMotifs = `
猫|kana:ネコ,ねこ; 犬|kana:イヌ,いぬ; うさぎ|kana:ウサギ,兎; 桜|kana:さくら,サクラ; 金魚|kana:きんぎょ; ペンギン; 文鳥; シマエナガ;
ハリネズミ; 恐竜; 星空; 三日月; 花柄; 紫陽花|kana:あじさい,アジサイ; ひまわり|kana:向日葵,ヒマワリ; 紅葉|kana:もみじ,モミジ;
クローバー; いちご|kana:苺,イチゴ; レモン|kana:檸檬; りんご|kana:リンゴ,林檎; 狐|kana:きつね,キツネ; 竜; ハロウィン|small kana:ハロウイン; クリスマス;
バレンタイン|ヴ:ヴァレンタイン; 和柄; 北欧風; レース; スイーツ; クジラ|kana:くじら,鯨; ふくろう|kana:フクロウ,梟; きのこ|kana:キノコ;
ヴァイオリン; ヴェネチア; ダイヤモンド; ユニコーン; フラミンゴ; サボテン|kana:さぼてん; パンダ; アルパカ; ハムスター; 歯車; 魔法陣; 宇宙; 千鳥; 椿|kana:つばき,ツバキ; 朝顔`;

export const japaneseAdjectives = `
ハンドメイド|Latin:handmade; ヴィンテージ; アンティーク; 手作り|okurigana:手造り,手づくり; 手染め|okurigana:手染; 名入れ|okurigana:名入;
受注生産; 一点物|kana:一点もの; 数量限定; 再販; 大きめ; ミニ; 折りたたみ|okurigana:折り畳み,折畳み; 裏地付き|okurigana:裏地つき,裏地付; 撥水; 軽量;
刺繍|okurigana:刺しゅう; 型押し|okurigana:型押; 手描き|okurigana:手書き; 取り外し可能|okurigana:取外し可能; オーダーメイド; シンプル; 二つ折り|okurigana:二つ折; フルカラー; ホログラム; 透明; グラデーション`;

export const japaneseColours =
  "赤; 青; 黒; 白; 緑; ピンク; ベージュ; ネイビー; グレー; 茶色; ゴールド; シルバー; パープル; ターコイズ; マスタード";

export const japaneseMakers = `
斎藤工房; 渡辺窯; 高橋革工房; 沢田木工; 桜井染物店; 広瀬硝子; 島田製本; 浜田陶房; 国定堂; 真鍋鉄工; 万作堂; 学芸堂;
アトリエ雨音; モノクロ商店; 工房つむぎ; studio KURO; 月夜野舎; パンとねこ; ぽかぽか堂; れもん書房; ナナイロ雑貨店; 京都ちりめん堂; 東京紙業; 北国クラフト`;

export const japaneseGoods: SmallGoods[] = [
  {
    types: `アクリルスタンド|short form:アクスタ; アクリルキーホルダー|short form:アクキー; 缶バッジ|kana:かんバッジ|letters:缶バッチ; クリアファイル|letters:クリヤファイル;
      ポストカード; マスキングテープ|short form:マステ; ステッカー; ラバーストラップ|short form:ラバスト; アクリルブロック; スマホケース|short form:スマートフォンケース;
      iPhoneケース|Latin:アイフォンケース; タペストリー; ポスター; 缶ミラー; チェキ風カード; コースター; ブロマイド; トレーディングカード|short form:トレカ; 抱き枕カバー|okurigana:抱きまくらカバー`,
    materials: "アクリル; ホログラム紙; オーロラ; レザー調; 木製; 布製",
    measures: ["cm: 3 5 7 10 15", "mm: 44 56 57 75"],
    counter: "枚",
  },
  {
    types: `トートバッグ|letters:トートバック; サコッシュ; リュックサック|short form:リュック; ショルダーバッグ|letters:ショルダーバック; Tシャツ|Latin:ティーシャツ; パーカー|long vowel:パーカ; エプロン;
      巾着袋|kana:きんちゃく袋; がま口ポーチ|kana:がまぐちポーチ; ペンケース; ブックカバー; ハンカチ; 手ぬぐい|okurigana:手拭い,手拭|kana:てぬぐい; 風呂敷|kana:ふろしき; クッションカバー; ブランケット;
      ランチョンマット; ニット帽; マフラー; 手袋; 靴下|kana:くつした; 着物|kana:きもの; 浴衣|kana:ゆかた; 帯留め|okurigana:帯留; 鍋つかみ|okurigana:鍋掴み`,
    materials:
      "コットン; リネン; 帆布; ウール; ちりめん; デニム; オーガニックコットン; ガーゼ; シルク",
    measures: ["cm: 20 24 30 35 50 90"],
    counter: "枚",
  },
  {
    types: `ピアス; イヤリング; ネックレス; ブレスレット; リング; ブローチ; ヘアゴム; シュシュ; バレッタ; かんざし|kana:簪,カンザシ; 髪飾り|okurigana:髪かざり; イヤーカフ; アンクレット; チョーカー;
      ペンダントトップ; ポニーフック; ネクタイピン; カフスボタン; 帽子飾り|okurigana:帽子かざり`,
    materials:
      "真鍮; シルバー925|Latin:SV925; レジン; 天然石; パール; ガラスビーズ; 水引; つまみ細工; サージカルステンレス; 木の実; スワロフスキー",
    measures: ["mm: 6 8 10 14", "cm: 2 3 40 45"],
    counter: "個",
  },
  {
    types: `革財布|kana:皮財布; 長財布; キーケース; 名刺入れ|okurigana:名刺入; パスケース; コインケース; キーホルダー; ベルト; メガネケース|kana:眼鏡ケース,めがねケース; システム手帳; ペンホルダー; レザーバッグ|letters:レザーバック; 時計バンド; ネームタグ`,
    materials: "本革; 牛革; 栃木レザー; コードバン; ヌメ革; 合皮; 馬革; 帆布",
    measures: ["cm: 8 10 19 22"],
    counter: "点",
  },
  {
    types: `マグカップ; 湯呑み|okurigana:湯のみ,湯呑; 箸置き|okurigana:箸置,はし置き; 茶碗|kana:ちゃわん; 豆皿|kana:まめ皿; 花瓶|kana:かびん; 一輪挿し|okurigana:一輪差し,一輪挿; 風鈴|kana:ふうりん; ティーポット; コーヒーサーバー; 蕎麦猪口|kana:そば猪口,そばちょこ;
      グラス; 木の器; カトラリー; お弁当箱|okurigana:弁当箱; キャンドル; キャンドルホルダー; アロマストーン; ランプシェード; フォトフレーム; 置き時計|okurigana:置時計; 掛け時計|okurigana:掛時計; 植木鉢; ミニチュア家具; 取り付け金具|okurigana:取付け金具,取付金具; 組み立てキット|okurigana:組立キット,組立てキット; 鍋敷き|okurigana:鍋敷`,
    materials:
      "陶器; 磁器; 耐熱ガラス; ヒノキ|kana:檜,ひのき; 真鍮; ステンレス; 竹製; 漆塗り; 益子焼|okurigana:益子焼き; 信楽焼|okurigana:信楽焼き; コンクリート",
    measures: ["ml: 200 300 350 500", "cm: 6 9 12 15 21"],
    counter: "個",
  },
  {
    types: `ジャム; クッキー; コーヒー豆|kana:珈琲豆; ドリップバッグ|letters:ドリップパック; 紅茶; 焼き菓子|okurigana:焼菓子; はちみつ|kana:蜂蜜,ハチミツ; 味噌|kana:みそ; フィナンシェ; マドレーヌ; グラノーラ; チョコレート|short form:チョコ; キャラメル; シフォンケーキ; パウンドケーキ; 石けん|kana:石鹸,せっけん; ハンドクリーム; バスソルト; ハーブティー; 梅干し|okurigana:梅干; ドレッシング; スコーン`,
    materials:
      "国産; 無添加; オーガニック; 有機栽培; エチオピア; グァテマラ; ベルガモット; ラベンダー; ヴァニラ; ダージリン; 米粉; 黒糖; アールグレイ",
    measures: ["g: 50 100 150 200 300 500", "ml: 30 100 180 500"],
    counter: "袋",
  },
  {
    types: `同人誌; イラスト集; サウンドトラック|short form:サントラ; VRChat衣装|Latin:VRチャット衣装,ブイアールチャット衣装; 3Dモデル; アバター; ブラシ素材; フォント; BGM素材; 小説; 漫画|kana:マンガ,まんが; 写真集; レターセット; 便箋; カレンダー; メモ帳; ノート; しおり|kana:栞; 封筒; コピー本; 御朱印帳; スタンプ; ぽち袋|kana:ポチ袋; メッセージカード; 設定資料集; ボイスドラマ; タロットカード; ダイアリー`,
    materials:
      "A4|width:Ａ４; A5|width:Ａ５; B5|width:Ｂ５; A6; 文庫サイズ; 和紙; クラフト紙; ダウンロード版; データ販売; 特典付き|okurigana:特典つき",
    measures: ["mm: 15 20 30"],
    counter: "冊",
  },
  {
    types: `ぬいぐるみ; あみぐるみ|kana:編みぐるみ; ぬい服; ドール服; 羊毛フェルト; 編み針|okurigana:編針; 刺繍キット|okurigana:刺しゅうキット; 毛糸; ボタン; レースリボン; 型紙; 生地; ビーズ; スタンプインク; 消しゴムはんこ|kana:消しゴムハンコ; フィギュア; ガレージキット|short form:ガレキ; プラモデル|short form:プラモ; ジオラマ; 木製パズル; お守り袋|okurigana:お守袋; 扇子|kana:せんす`,
    materials: "フェルト; アクリル毛糸; モヘア; ボア; レジンキャスト; 綿麻; 羊毛; ビニール; 樹脂",
    measures: ["cm: 10 15 20 30 50", "g: 20 25 40", "mm: 3 11 18"],
    counter: "個",
  },
];

export const japaneseUnknown =
  "おしゃれ; 人気; かわいい; 大人; メンズ; 高級; 丈夫; 最新; 激安; 公式; 子供用; プレゼント; 母の日; 訳あり; 中学生; 映え; 韓国; 口コミ; 流行り; 百均";

/** Queries of verbose shoppers; # is the product. */
export const japaneseVerbose = [
  "#が欲しい",
  "# おすすめ 人気",
  "# 通販 安い",
  "# どこで買える",
  "# プレゼント 女性 20代",
  "# 送料無料 即日発送",
  "#を探しています",
  "かわいい # 誕生日",
];
