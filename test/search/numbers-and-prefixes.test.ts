import { beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import { EngineUnavailable } from "../../src/search/engine/engine.ts";
import type { SearchProducts } from "../../src/search/query/product-search.ts";
import { createSearch } from "../../src/search/search.ts";
import { storeItems } from "../support/catalog.ts";
import { createTestMirror, drain } from "../support/mirror.ts";
import { openedForAll } from "../support/opened.ts";
import { titledItem } from "../support/products.ts";

const titles = [
  "航海士 3巻",
  "航海士 第3巻 特装版",
  "航海士 13巻",
  "航海士 31巻",
  "航海士 第23巻",
  "航海士 30",
  "航海士 1〜23巻セット",
  "星の王子 3巻",
  "星の王子 第3巻 新装",
  "星の王子(3)",
  "星の王子 vol.3",
  "星の王子③ コミック",
  "星の王子 Vol. 3",
  "星の王子 第三巻",
  "星の王子 III",
  "星の王子 第十三巻",
  "星の王子④",
  "Drachenreiter Bd. 3",
  "Drachenreiter Band 13",
  "Satin Band 25 mm",
  "一番くじ タオル",
  "1番くじ ポスター",
  "十一番館のカップ",
  "木製二段ベッド",
  "パイプ2段ベッド",
  "12段ベッド",
  "筆ペン 十二色",
  "筆ペン 12色セット",
  "筆ペン 2色",
  "手帳 二〇二五年",
  "手帳 2025年版",
  "手帳 2024年",
  "辞典 第2版",
  "辞典 第二版",
  "辞典 第12版",
  "三菱 鉛筆",
  "3菱 鉛筆",
  "四国 地図",
  "4国 地図",
  "靴下 白 24cm",
  "靴下 綿100%",
  "靴下 面白キャラ",
  "帯 黒",
  "帯 黒豆柄",
  "弁当箱 二段",
  "お弁当箱 二段 木",
  "箸 子供用",
  "お箸 子供用",
  "おはし 子供用",
  "布団 シングル",
  "お布団 シングル",
  "おふとん シングル",
  "ご飯茶碗 桜",
  "御飯茶碗 藍",
  "ごはん茶碗 大",
];
const volumes = titles.slice(7, 15);

const test = openedForAll(createTestMirror);
beforeAll(async () => {
  const items = titles.map((title, i) => titledItem(i + 1, title));
  await storeItems(test.db, "2026-01-01T00:00:00Z", items);
  await drain(test.db, test.start(), test.indexPrefix);
});

const titled = (ids: readonly number[]) => ids.map((id) => titles[id - 1] ?? "?");
const open = (engine = test.engine) =>
  createSearch({ ...test, engine, searchDb: test.db, clock: systemClock });

function openWithoutEngine() {
  const silent = () => Promise.reject(new EngineUnavailable("away"));
  return open({ ...test.engine, search: silent, multiSearch: silent });
}

describe("the engine", () => {
  it.each([
    ["お弁当箱 二段", ["お弁当箱 二段 木", "弁当箱 二段"]],
    ["航海士 3巻", ["航海士 3巻", "航海士 第3巻 特装版"]],
    ["航海士 3", ["航海士 3巻", "航海士 第3巻 特装版"]],
    ["航海士13巻", ["航海士 13巻"]],
    ['"23巻"', ["航海士 1〜23巻セット", "航海士 第23巻"]],
  ])(
    "finds by %s every product that has it, and none with a longer number",
    async (q, expected) => {
      const { ids } = await open().search({ q, match: "all", page: 1, perPage: 20 });
      expect(titled(ids).toSorted()).toEqual(expected);
    },
  );

  it("marks what it found in the title as it is", async () => {
    const { titles: marked } = await open().search({
      q: "13巻",
      match: "all",
      page: 1,
      perPage: 1,
    });
    expect([...marked.values()].map((title) => title.replaceAll(/[\uE000\uE001]/g, "|"))).toEqual([
      "航海士 |13||巻|",
    ]);
  });
});

const volumeQueries = [
  "3巻",
  "第3巻",
  "(3)",
  "vol.3",
  "Vol. 3",
  "vol3",
  "volume 3",
  "③",
  "３",
  "III",
  "第三巻",
  "三巻",
].map((volume): [string, string[]] => [`星の王子 ${volume}`, volumes]);

describe("the engine, and Postgres alone", () => {
  it.each<[string, string[]]>([
    ...volumeQueries,
    ["drachenreiter band 3", ["Drachenreiter Bd. 3"]],
    ["satin band 20 mm", []],
    ["1番くじ", ["一番くじ タオル", "1番くじ ポスター"]],
    ["一番くじ", ["一番くじ タオル", "1番くじ ポスター"]],
    ["2段ベッド", ["木製二段ベッド", "パイプ2段ベッド"]],
    ["二段ベッド", ["木製二段ベッド", "パイプ2段ベッド"]],
    ["筆ペン 12色", ["筆ペン 十二色", "筆ペン 12色セット"]],
    ["筆ペン 十二色", ["筆ペン 十二色", "筆ペン 12色セット"]],
    ["手帳 2025年", ["手帳 二〇二五年", "手帳 2025年版"]],
    ["手帳 二〇二五年", ["手帳 二〇二五年", "手帳 2025年版"]],
    ["辞典 第2版", ["辞典 第2版", "辞典 第二版"]],
    ["辞典 第二版", ["辞典 第2版", "辞典 第二版"]],
    ["三菱 鉛筆", ["三菱 鉛筆"]],
    ["四国 地図", ["四国 地図"]],
    ...["お弁当箱 二段", "弁当箱 二段"].map((q): [string, string[]] => [
      q,
      ["弁当箱 二段", "お弁当箱 二段 木"],
    ]),
    ...["おはし 子供用", "お箸 子供用", "箸 子供用"].map((q): [string, string[]] => [
      q,
      ["箸 子供用", "お箸 子供用", "おはし 子供用"],
    ]),
    ...["おふとん シングル", "お布団 シングル", "布団 シングル"].map((q): [string, string[]] => [
      q,
      ["布団 シングル", "お布団 シングル", "おふとん シングル"],
    ]),
    ...["ご飯茶碗", "御飯茶碗", "ごはん茶碗"].map((q): [string, string[]] => [
      q,
      ["ご飯茶碗 桜", "御飯茶碗 藍", "ごはん茶碗 大"],
    ]),
  ])("find by %s what has it in any form, and nothing else", async (q, expected) => {
    for (const search of [open().search, openWithoutEngine().search]) {
      expect((await findWhole(search, q)).toSorted()).toEqual(expected.toSorted());
    }
  });
});

describe("Postgres alone", () => {
  it.each([
    ["ホワイト 靴下", "靴下 白 24cm"],
    ["white 靴下", "靴下 白 24cm"],
    ["コットン 靴下", "靴下 綿100%"],
    ["ブラック 帯", "帯 黒"],
  ])(
    "finds by %s the kanji of the colour or fabric as a word, as the engine does",
    async (q, title) => {
      expect(await findWhole(openWithoutEngine().search, q)).toEqual([title]);
      expect(await findWhole(open().search, q)).toContain(title);
    },
  );
});

/** The titles that have every word. */
async function findWhole(search: SearchProducts, q: string): Promise<string[]> {
  const { ids, partial } = await search({ q, page: 1, perPage: 20 });
  return titled(ids.filter((id) => !partial.has(id)));
}
