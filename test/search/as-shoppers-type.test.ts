import { expect, it } from "vitest";
import { page, titledSearchForAll } from "../support/titled-search.ts";

const titles = [
  "静岡県 やぶきた 煎茶 200g",
  "静岡茶 ティーバッグ 50包",
  "静岡県産 煎茶器 作家もの",
  "CIAO ちゅ～る まぐろ 14g",
  "CIAO ちゅ〜る ささみ 14g",
  "Jack & Jones Hoodie schwarz",
  "Jack Wolfskin Hoodie and Cap",
  "Logitech MX Master 3S Mouse",
  "Logitech MX Master 2S Mouse",
  "SKⅡ クレンジングオイル",
  "SK-II クリーム 80g",
  "USB-C ケーブル 2m 60W",
  "USB-C ケーブル 3m 急速充電 2本セット",
  "マット 50×75cm",
  "マット 75cm 50色",
  "Schnur 2 m weiß",
  "Schnur 3 m 2 Farben",
  "Cola 1 l Glas",
  "Limonade Cola 1,5 l Flasche",
  "Shampoo Herren 250 ml",
  "Shampoo Damen 250 ml",
  "Spaghetti Nr. 5 500 g",
  "Spaghetti No. 7 500 g",
  "Pasta Barilla n.5",
  "Sandpapier #400",
  "森の歌 上",
  "森の歌 下",
  "口紅 03 陽炎",
  "Holzschraube 5,0 x 50 mm",
  "いすゞ エルフ ミニカー",
  "こころ 文庫",
  "Räucherlachs 200 g",
  "Lachsfilet frisch 250 g",
  "Bremsscheibe 0 986 479 058",
  "Ibuprofen AbZ 400 mg",
  "バイオリン 4/4",
  "バイオリン 3/4 No.4",
  "ワイヤレスマウス 静音",
  "ワイ ヤス 直筆サイン",
  "カセットコンロ 達人",
  "コードレス掃除機 サイクロン",
  "窓用クリーナー スプレー",
  "耐水ペーパー 1000番",
  "紙やすり 3種",
  "絵の具 アクリル",
  "八海山 特別本醸造 四合瓶",
  "大七 純米 720ml",
  "LED電球 60形 昼光色",
  "암막 커튼 네이비",
  "宇治抹茶 40g",
  "芋焼酎 1800ml",
  "パンプス 23cm ベージュ",
  "Rideau occultant gris",
];

const { openBoth } = titledSearchForAll(titles);

it.each([
  ["静岡茶", ["静岡県 やぶきた 煎茶 200g", "静岡茶 ティーバッグ 50包"]],
  ["ciao ちゅーる", ["CIAO ちゅ～る まぐろ 14g", "CIAO ちゅ〜る ささみ 14g"]],
  ["jack and jones hoodie", ["Jack & Jones Hoodie schwarz"]],
  ["mxmaster3s", ["Logitech MX Master 3S Mouse"]],
  ["sk2", ["SKⅡ クレンジングオイル", "SK-II クリーム 80g"]],
  ["sk-2", ["SKⅡ クレンジングオイル", "SK-II クリーム 80g"]],
  ["usb-c ケーブル 2m", ["USB-C ケーブル 2m 60W"]],
  ["マット 50cm", ["マット 50×75cm"]],
  ["schnur 2 m", ["Schnur 2 m weiß"]],
  ["schnur 200cm", ["Schnur 2 m weiß"]],
  ["männer shampoo", ["Shampoo Herren 250 ml"]],
  ["spaghetti no 5", ["Spaghetti Nr. 5 500 g"]],
  ["barilla no 5", ["Pasta Barilla n.5"]],
  ["sandpapier 400番", ["Sandpapier #400"]],
  ["森の歌 上巻", ["森の歌 上"]],
  ["口紅 3", ["口紅 03 陽炎"]],
  ["schraube 5x50", ["Holzschraube 5,0 x 50 mm"]],
  ["いすず ミニカー", ["いすゞ エルフ ミニカー"]],
  ["こゝろ 文庫", ["こころ 文庫"]],
  ["lachs geräuchert", ["Räucherlachs 200 g"]],
  ["0986479058", ["Bremsscheibe 0 986 479 058"]],
  ["ibu 400", ["Ibuprofen AbZ 400 mg"]],
  ["バイオリン 4/4", ["バイオリン 4/4"]],
  ["ワイヤスマウス", ["ワイヤレスマウス 静音"]],
  ["shampoo herren original", ["Shampoo Herren 250 ml"]],
  ["drisch lachsfilet", ["Lachsfilet frisch 250 g"]],
  ["hampoo herren best price", ["Shampoo Herren 250 ml"]],
  ["カセットフー", ["カセットコンロ 達人"]],
  ["クリーナー", ["コードレス掃除機 サイクロン", "窓用クリーナー スプレー"]],
  ["掃除機", ["コードレス掃除機 サイクロン"]],
  ["サンドペーパー", ["耐水ペーパー 1000番", "紙やすり 3種"]],
  ["絵具", ["絵の具 アクリル"]],
  ["四合", ["八海山 特別本醸造 四合瓶", "大七 純米 720ml"]],
  ["八海山 720ml", ["八海山 特別本醸造 四合瓶"]],
  ["電球 60ワット", ["LED電球 60形 昼光色"]],
  ["암막커튼", ["암막 커튼 네이비"]],
  ["uji", ["宇治抹茶 40g"]],
  ["大七 四合", ["大七 純米 720ml"]],
  ["芋焼酎 一升", ["芋焼酎 1800ml"]],
  ["パンプス 23.0", ["パンプス 23cm ベージュ"]],
  ["rideaux gris", ["Rideau occultant gris"]],
  ["国内正規品 バイオリン 4/4 送料込み", ["バイオリン 4/4"]],
])("%s finds the same with the engine and without", async (q, expected) => {
  for (const search of openBoth()) {
    const { ids, partial } = await search({ q, ...page });
    const whole = ids.filter((id) => !partial.has(id)).map((id) => titles[id - 1]);
    expect(new Set(whole)).toEqual(new Set(expected));
  }
});

it.each(["cola 1,", "cola 1."])("%s shows 1,5 l first", async (q) => {
  for (const search of openBoth()) {
    const { ids, found } = await search({ q, ...page });
    expect([ids.map((id) => titles[id - 1]), found]).toEqual([
      ["Limonade Cola 1,5 l Flasche", "Cola 1 l Glas"],
      2,
    ]);
  }
});
