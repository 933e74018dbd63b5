import { beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import { EngineUnavailable } from "../../src/search/engine/engine.ts";
import { createSearch } from "../../src/search/search.ts";
import { storeItems } from "../support/catalog.ts";
import { createTestMirror, drain } from "../support/mirror.ts";
import { openedForAll } from "../support/opened.ts";
import { titledItem } from "../support/products.ts";

const products = [
  ["Bluse Damen", "Mode"],
  ["歯ブラシ 3本", "Mode"],
  ["ブラウス 長袖", "Mode"],
  ["Glas 200 ml", "Mode"],
  ["グレー バッグ", "Mode"],
  ["グラス 2個", "Mode"],
  ["Tisch Eiche", "Mode"],
  ["ティッシュ ケース", "Mode"],
  ["Bosch Bohrer", "Mode"],
  ["ボッシュ ドリル", "Mode"],
  ["Honig", "Müller & Söhne GmbH"],
  ["ソニー ヘッドホン", "Mode"],
  ["Sony Kamera", "Mode"],
  ["Montblanc Tinte", "Mode"],
  ["Seife", "Buffet Rathaus"],
  ["Kerze", "Bosch Rathaus"],
  ["アーニーボール ギター弦 2221", "Mode"],
  ["シャトー・マルゴー 2015", "Mode"],
  ["Moet & Chandon Brut", "Mode"],
  ["Thé Mariage Frères Marco Polo", "Mode"],
  ["ダダリオ ギター弦", "Mode"],
  ["Tinte iroshizuku", "Mode"],
  ["Nintendo Switch Tasche", "Mode"],
  ["波佐見焼 マグカップ", "Mode"],
  ["三栄水栓 蛇口", "Mode"],
  ["ねんどろいど 初音ミク", "Mode"],
] as const;

describe("names in other letters", () => {
  const test = openedForAll(createTestMirror);
  beforeAll(async () => {
    const items = products.map(([title, shopName], i) =>
      titledItem(i + 1, title, { shopName, shopId: shopName }),
    );
    await storeItems(test.db, "2026-01-01T00:00:00Z", items);
    await drain(test.db, test.start(), test.indexPrefix);
  });

  it.each([
    ["Bluse", ["Bluse Damen"]],
    ["Tisch", ["Tisch Eiche"]],
    ["Glas", ["Glas 200 ml", "グラス 2個"]],
    ["blouse", ["ブラウス 長袖"]],
    ["Bosch", ["Bosch Bohrer", "Kerze", "ボッシュ ドリル"]],
    ["ソニー", ["Sony Kamera", "ソニー ヘッドホン"]],
    ["モンブラン", ["Montblanc Tinte"]],
    ["ボッシュ", ["Bosch Bohrer", "Kerze", "ボッシュ ドリル"]],
    ["ビュッフェ", []],
    ["ernie ball 2221", ["アーニーボール ギター弦 2221"]],
    ["chateau margaux", ["シャトー・マルゴー 2015"]],
    ["モエ シャンドン", ["Moet & Chandon Brut"]],
    ["マリアージュフレール マルコポーロ", ["Thé Mariage Frères Marco Polo"]],
    ["d'addario", ["ダダリオ ギター弦"]],
    ["いろしずく", ["Tinte iroshizuku"]],
    ["すいっち", ["Nintendo Switch Tasche"]],
    ["hasami", ["波佐見焼 マグカップ"]],
    ["sanei 蛇口", ["三栄水栓 蛇口"]],
    ["nendoroid", ["ねんどろいど 初音ミク"]],
  ])("are found by their sound, and no others: %s", async (q, expected) => {
    const away = () => Promise.reject(new EngineUnavailable("away"));
    for (const engine of [test.engine, { ...test.engine, search: away, multiSearch: away }]) {
      const search = createSearch({
        ...test,
        engine,
        searchDb: test.db,
        clock: systemClock,
      }).search;
      const { ids, partial } = await search({ page: 1, perPage: 20, q });
      const whole = ids.filter((id) => !partial.has(id));
      expect(new Set(whole.map((id) => products[id - 1]?.[0]))).toEqual(new Set(expected));
    }
  });
});
