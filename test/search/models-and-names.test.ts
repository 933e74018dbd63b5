import { expect, it } from "vitest";
import { page, titledSearchForAll } from "../support/titled-search.ts";

const titles = [
  "Galax 15 Pro Max 256GB",
  "Galax 15 ケース 手帳型",
  "Galax15/15Pro用 ガラスフィルム",
  "Apple Galax 15 128GB ブラック 国内正規品 SIMフリー",
  "GIGA RTX 4070 Ti SUPER 16G",
  "ZOTA GeForce RTX 4070 Twin Edge 12GB",
  "Pampo Größe 4+ 10-15kg",
  "Pampo Premium Protection Größe 4 9-14kg",
  "Pampo Größe 4",
  "A4ノートパソコン用ケース",
  "ヨコク キャンパスノート A4 5冊パック",
  "モイスト ワンデー 30枚 -3.00",
  "モイスト ワンデー 30枚 -3.25",
  "電池 ループ 単3形 4本",
  "電池 ループ 単4形 4本",
  "CIAO ちゅ~る まぐろ",
  "いなば チャオ ちゅ〜る ささみ",
  "Kiehl's Cleanser 150ml",
  "キールズ クリーム 50mL",
  "Dr. Martens 1461 Shoe",
  "ドクターマーチン 1460 ブーツ",
  "エーハイム 2213 フィルター",
  "EHEIM 2211 スポンジ",
  "鹿の子 ポロシャツ 紺",
  "シャツ 長袖",
  "Rauch Saft",
  "ロック付き 金庫",
];

const { openBoth } = titledSearchForAll(titles);

it.each([
  ["galax15", "Apple Galax 15 128GB ブラック 国内正規品 SIMフリー"],
  ["galax 15", "Apple Galax 15 128GB ブラック 国内正規品 SIMフリー"],
  ["galax 15 ケース", "Galax 15 ケース 手帳型"],
  ["rtx 4070", "ZOTA GeForce RTX 4070 Twin Edge 12GB"],
  ["rtx 4070 ti", "GIGA RTX 4070 Ti SUPER 16G"],
  ["pampo größe 4", "Pampo Größe 4"],
  ["pampo größe 4+", "Pampo Größe 4+ 10-15kg"],
  ["a4 ノート", "ヨコク キャンパスノート A4 5冊パック"],
])("%s shows the thing itself first, with the engine and without", async (q, expected) => {
  for (const search of openBoth()) {
    const { ids } = await search({ q, ...page });
    expect(titles[(ids[0] ?? 0) - 1]).toBe(expected);
  }
});

it.each([
  ["モイスト -3.00", ["モイスト ワンデー 30枚 -3.00"]],
  ["電池 単四", ["電池 ループ 単4形 4本"]],
  ["単三", ["電池 ループ 単3形 4本"]],
  ["ちゅ～る", ["CIAO ちゅ~る まぐろ", "いなば チャオ ちゅ〜る ささみ"]],
  ["チュール", ["CIAO ちゅ~る まぐろ", "いなば チャオ ちゅ〜る ささみ"]],
  ["チャオチュール", ["CIAO ちゅ~る まぐろ", "いなば チャオ ちゅ〜る ささみ"]],
  ["kiehl's", ["Kiehl's Cleanser 150ml", "キールズ クリーム 50mL"]],
  ["dr martens", ["Dr. Martens 1461 Shoe", "ドクターマーチン 1460 ブーツ"]],
  ["ドクターマーチン", ["Dr. Martens 1461 Shoe", "ドクターマーチン 1460 ブーツ"]],
  ["eheim 2213", ["エーハイム 2213 フィルター"]],
  ["polo", ["鹿の子 ポロシャツ 紺"]],
  ["raucch", ["Rauch Saft"]],
])("%s finds the same with the engine and without", async (q, expected) => {
  for (const search of openBoth()) {
    const { ids, partial } = await search({ q, ...page });
    const whole = ids.filter((id) => !partial.has(id)).map((id) => titles[id - 1]);
    expect(new Set(whole)).toEqual(new Set(expected));
  }
});
