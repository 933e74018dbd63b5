import { beforeAll, expect, it } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import { EngineUnavailable, type Engine } from "../../src/search/engine/engine.ts";
import { createSearch } from "../../src/search/search.ts";
import { createTestApi } from "../support/api.ts";
import { storeItems } from "../support/catalog.ts";
import { createTestMirror, drain } from "../support/mirror.ts";
import { openedForAll } from "../support/opened.ts";
import { titledItem, variation } from "../support/products.ts";

const of = (barcode: string) => ({ variations: [variation({ variation: "-", barcode })] });
const items = [
  titledItem(1, "孤城の文庫", of("9784591166635")),
  titledItem(2, "革財布 赤", of("4901234567894")),
  titledItem(3, "革財布 黒 978-4-06-519981-7"),
  titledItem(4, "手帳 978 591 16663", { stock: 0 }),
  titledItem(5, 'Drive Socket Set 1/2"'),
  titledItem(6, "葛\u{E0100}餅 黒蜜"),
  titledItem(7, "🎀リボンの髪ゴム"),
  titledItem(8, "南部鉄瓶 1.5L"),
  titledItem(9, "ボルト M8×50"),
  titledItem(10, "Fjord™Bus mit Anhänger"),
  titledItem(11, "ペットシーツ 1ヶ月分"),
  titledItem(12, "Women's Cap U.S.A."),
  titledItem(13, "ホース 3½インチ"),
  titledItem(14, "牡蛎の石鹼"),
  titledItem(15, "Käse-Reibe"),
  titledItem(16, "Zahnseide Minze", of("0036000291452")),
  titledItem(17, "寝袋 封筒型 -5℃ 洗える"),
  titledItem(19, "Lippenpflege", of("30171893")),
  titledItem(18, "ノート 80枚 -..."),
  titledItem(20, "Weste Gr. 9 mit Kragen"),
  titledItem(21, "Weste Gr. 10"),
  titledItem(22, "Rioja Reserva 750ml"),
  titledItem(23, "Wasserkocher 1,7 Liter"),
  titledItem(24, "Handtuch"),
  titledItem(25, "Tshirt femme"),
  titledItem(26, "Fußball Trikot"),
  titledItem(27, "FUSSBALL TOR"),
  titledItem(28, "RØDE NT1"),
  titledItem(29, "Monitor 27 Zoll"),
  titledItem(30, "Brake Pads Resin"),
  titledItem(31, "Bread Knife"),
];

const test = openedForAll(createTestMirror);
beforeAll(async () => {
  await storeItems(test.db, "2026-01-01T00:00:00Z", items);
  await drain(test.db, test.start(), test.indexPrefix);
});

it.each([
  ["4901234567894", 2],
  ["４９０１２３４５６７８９４", 2],
  ["9784591166635", 1],
  ["978-4-591-16663-5", 1],
  ["4-591-16663-5", 1],
  ["4591166635", 1],
  ["ISBN4-591-16663-5", 1],
  ["９７８－４－５９１－１６６６３－５", 1],
  ["978-4-06-519981-7", 3],
  ["9784065199817", 3],
  ['1/2" drive socket', 5],
  ["1/2 inch drive socket", 5],
  ["葛餅", 6],
  ["🎀", 7],
  ["1,5 l", 8],
  ["1.5リットル", 8],
  ["m8x50", 9],
  ["fjord anhänger", 10],
  ["1か月分", 11],
  ["“1カ月分”", 11],
  ["usa womens", 12],
  ["3 1/2インチ", 13],
  ["牡蠣の石鹸", 14],
  ["kaese", 15],
  ["4 901234 567894", 2],
  ["０ ３６０００ ２９１４５ ２", 16],
  ["036000291452", 16],
  ["JANコード：4901234567894", 2],
  ["EAN 4901234567894", 2],
  ["490123456789", 2],
  ["4901234567", 2],
  ["EAN: 30171893", 19],
  ["ISBN 978-4-591-16663-5 中古", 1],
  ["財布 4901234567894 最安値", 2],
  ["寝袋 封筒型 -5℃ 洗える", 17],
  ["寝袋 -5 °C ...", 17],
  ["ノート 80枚 -...", 18],
  ['"weste gr. 9"', 20],
  ['weste -"gr. 9"', 21],
  ["rioja 75cl", 22],
  ["wasserkocher 1700 ml", 23],
  ["handtuecher", 24],
  ["t-shirts femme", 25],
  ['"1.5L"', 8],
  ['"5℃ 洗える"', 17],
])("%s finds its product alone, with the engine and without", async (q, itemId) => {
  const silent = () => Promise.reject(new EngineUnavailable("away"));
  const away: Engine = { ...test.engine, search: silent, multiSearch: silent };
  for (const engine of [test.engine, away]) {
    const { search } = createSearch({ ...test, engine, searchDb: test.db, clock: systemClock });
    const { ids, found, partial } = await search({ q, page: 1, perPage: 20 });
    expect([ids[0], found, partial.has(itemId)]).toEqual([itemId, 1, false]);
  }
});

it.each([
  ["fussball", [26, 27]],
  ["fußball", [26, 27]],
  ["rode nt1", [28]],
  ["27in monitor", [29]],
  ["brake pad resin", [30]],
  ["bread knives", [31]],
])("%s finds all of its products by the engine alone", async (q, itemIds) => {
  const { search } = createSearch({ ...test, searchDb: test.db, clock: systemClock });
  const { ids } = await search({ q, match: "all", page: 1, perPage: 20 });
  expect(new Set(ids)).toEqual(new Set(itemIds));
});

it.each([
  ["978-4-591-16663-5", 1],
  ["4 901234 567894", 2],
  ['1/2" socket drive', 5],
  ["“葛餅 黒蜜”", 6],
  ["寝袋 封筒型 -5℃ 洗える", 17],
  ["fuss", 27],
])("%s finds its product by InstantSearch and in suggestions too", async (q, itemId) => {
  const search = createSearch({ ...test, searchDb: test.db, clock: systemClock });
  const api = createTestApi(test.db, { clock: systemClock, ...search });
  const response = await api.post("/meili/indexes/products/search", { q });
  const { hits } = (await response.json()) as { hits: { item_id: number }[] };
  expect(hits[0]?.item_id).toBe(itemId);
  const { items } = await search.suggest(q, 5);
  if (!/^[\d -]+$/.test(q)) expect(items).not.toEqual([]);
});
