import { beforeAll } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import { EngineUnavailable, type Engine } from "../../src/search/engine/engine.ts";
import type { ProductQuery } from "../../src/search/query/query.ts";
import { createSearch } from "../../src/search/search.ts";
import { storeItems } from "./catalog.ts";
import { createTestMirror, drain } from "./mirror.ts";
import { openedForAll } from "./opened.ts";
import { titledItem } from "./products.ts";

export const ofTenWords = [
  "Vario Notebook Slim Office Edition Keyboard Light Silver Thirteen Case with sleeve green",
  "Vario Notebook Slim Office Edition Keyboard Light Silver Thirteen Case with",
];

export const titles = [
  "Copper Elbow 3/4 in.",
  "Copper Tee 3/4 in.",
  "Brass Elbow 1/2 in.",
  "Galvanized Pipe 10 ft.",
  "AA Batteries 4 Pack",
  "Steel Garden Stake",
  "Kopfhörer Bluetooth",
  "T-Shirt weiß",
  "ハンドメイド革財布",
  "京都のポストカード",
  "東京都の地図",
  "クリアファイル 猫",
  "iPhoneケース 手帳型",
  "アクリルスタンド 犬",
  "サーバーラック",
  "木の取り付け金具",
  "ヴァイオリンの弦",
  "斎藤工房のハロウィン飾り",
  "トートバッグ 生成り",
  "手ぬぐい 桜柄",
  "ハッサムGX SR 061/055",
  "ハッサム 062/055",
  "スミレの絵葉書",
  "スミレの絵葉書",
  "スイーツチョコレート",
  "洗剤 詰め替え用",
  "積み木 500ml",
  "チェスト 引出",
  "栗の詰合わせ",
  "二つ折りの紙",
  "3段のラック",
  "Bratpfanne beschichtet 28 cm",
  "白 ワッフル生地",
  "単三形 乾電池",
  "나이키 운동화",
  "クラシックボックス",
  "Curtain grey 52x84",
  "ボールペン SXN15005",
  "Galax X20 ケース",
  "Galax X20 128GB SIMフリー",
  ...ofTenWords,
  "リーバイス 501 ジーンズ",
  "Fender Player ギター",
  "ウイスキー 12年",
  "シャツ 長袖",
  "折りたたみチェア カーキ",
  "長靴 ブラック",
  "歯磨き粉 ミント",
  "玉子焼き器 銅",
  "グラフィックボード RTX4060Ti 8GB",
  "単4乾電池",
  "広辞苑 第七版",
  "漫画 全23巻セット",
  "探偵 vol.13",
  "探偵 第3巻",
  "万年筆 ケース 革 2本",
  "万年筆 カスタム 太字 ブラック ペン先 14金",
  "パール 指輪",
  "mont-bell 寝袋",
  "THE NORTH FACE ダッフル",
  "ケイト 口紅",
  "ケルヒャー 高圧洗浄機",
  "電気ケトル",
  "ティッシュ 150組",
  "De'Longhi ECAM 22.110.B Kaffeevollautomat",
  "Lachs Norwegen 175 g",
  "黒ビール 24本 ケース販売",
  "ビール柄スマホケース",
  "ラ ロッシュ ポゼ クリーム",
  "キャンパスノート 方眼",
  "ノート 横罫",
  "ゼルダの伝説",
  "Switch Lite ターコイズ",
  "おしりたんてい 5",
  "斜めがけ リュック",
  "集じん機 ホース",
  "ロボクエストIII",
  "ロボクエスト11",
  "Mann W 712/95",
  "Ölfilter 11 42 7 566 327",
  "電卓 fx-JP900CW",
  "Akku 18V 5,0 Ah",
  "Eyeliner Brush",
  "お～いお茶",
  "ルーズリーフ ノ-3CATNX5",
  "カタン 拡張版",
  "Fahrrad Klingel",
  "フリクションボール",
  "Levis ベルト",
  "クッキー 缶",
  "スヌーピー ぬいぐるみ",
  "スノーピーク テント",
  "Regenjacke Damen Größe 40",
  "柳宗理 レードル",
  "モンスターハンター 攻略本",
  "空気清浄機 8畳用",
  "液晶テレビ 55V型",
  "モニター 27インチ",
  "マグ オレンジ 綿棒入れ",
  "フォトフレーム 絹張り",
  "Coffee Grinder",
  "コーヒー 豆",
];
/** Their places among the titles; the other products are available. */
const soldOut = [1, 22];

export const page = { page: 1, perPage: 20 };
export const titled = (ids: readonly number[]) => ids.map((id) => titles[id - 1]);

/** A mirrored catalogue of these titles, ids from 1, for all tests of the file. */
export function titledSearchForAll(own: readonly string[] = titles) {
  const test = openedForAll(createTestMirror);
  beforeAll(async () => {
    const items = own.map((title, i) =>
      titledItem(i + 1, title, { stock: soldOut.includes(i) ? 0 : 5, price: 1000 + i }),
    );
    await storeItems(test.db, "2026-01-01T00:00:00Z", items);
    await drain(test.db, test.start(), test.indexPrefix);
  });

  const openAll = (engine: Engine = test.engine) =>
    createSearch({ ...test, engine, searchDb: test.db, clock: systemClock });
  const openSearch = (engine?: Engine) => openAll(engine).search;
  const ask = (query: Partial<ProductQuery>) => openSearch()({ ...page, ...query });
  function silentEngine(): Engine {
    const silent = () => Promise.reject(new EngineUnavailable("away"));
    return { ...test.engine, search: silent, multiSearch: silent };
  }

  /** By the engine, and by Postgres alone. */
  const openBoth = () => [openSearch(), openSearch(silentEngine())];

  return { test, openAll, openSearch, openBoth, ask, silentEngine };
}
