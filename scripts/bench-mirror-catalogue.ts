import { sql } from "drizzle-orm";
import type { Db } from "../src/db/open.ts";
import { must } from "../src/lib/must.ts";

const things =
  "革財布 トートバッグ マグカップ ピアス ネックレス がま口ポーチ 木の器 リネンシャツ 陶器の皿 刺繍ブローチ".split(
    " ",
  );
const traits =
  "手作りの 北欧風 ヴィンテージ 京都の ハンドメイド 一点もの 軽い 防水 ウール100% 桜柄の 職人が仕上げた 藍染め".split(
    " ",
  );
const sentences = [
  "一点ずつ丁寧に仕立てました。",
  "使い込むほどに味わいが増します。",
  "サイズは約24cm×18cmです。",
  "ギフト包装も承ります。",
  "天然素材のため色むらがあります。",
  "ご注文から三日以内に発送します。",
];
const syllables =
  "カ キ ク ケ コ サ シ ス セ ソ タ チ ツ テ ト ナ ニ ヌ ネ ノ マ ミ ム メ モ ラ リ ル レ ロ".split(
    " ",
  );

/** Words and numbers chosen by a small linear generator: the same on every run. */
function createPicker(seed: number) {
  let state = seed;
  const below = (limit: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * limit);
  };
  const pick = (list: readonly string[]) => must(list[below(list.length)], "a word");
  return { below, pick };
}

/** One of 27,000 names of makers, most of them rare, as in a real catalogue. */
const makerOf = ({ below }: ReturnType<typeof createPicker>) => {
  const rank = Math.floor(27_000 * (below(1000) / 1000) ** 2);
  const syllable = (n: number) => must(syllables[n % 30], "a syllable");
  return `${syllable(rank)}${syllable(Math.floor(rank / 30))}${syllable(Math.floor(rank / 900))}`;
};

/** Searches for goods, makers, both, and numbers. */
export function generatedSearches(count: number): string[] {
  const picker = createPicker(7);
  const kinds = [
    () => `${picker.pick(traits)} ${picker.pick(things)}`,
    () => makerOf(picker),
    () => `${makerOf(picker)} ${picker.pick(things)}`,
    () => `${picker.pick(things)} No.${picker.below(9000)}`,
  ];
  return Array.from({ length: count }, (_, i) => must(kinds[i % kinds.length], "a kind")());
}

/** Stores so many products, ids from 1. */
export async function fillCatalogue(db: Db, products: number): Promise<void> {
  const picker = createPicker(42);
  const { below, pick } = picker;
  await db.execute(sql`
    insert into shop (shop_id, shop_name, shop_url, first_seen_at, checked_at)
    select 'shop-' || i, '工房 ' || i, 'https://shop-' || i || '.example.com/', now(), now()
    from generate_series(0, 499) i`);
  for (let from = 1; from <= products; from += 1000) {
    const rows = Array.from({ length: Math.min(1000, products - from + 1) }, (_, i) => ({
      item_id: from + i,
      shop_id: `shop-${below(500)}`,
      title: `${makerOf(picker)} ${pick(traits)}${pick(things)} ${pick(traits)} No.${below(9000)}`,
      detail: Array.from({ length: 2 + below(12) }, () => pick(sentences)).join(""),
      price: 300 + below(20_000),
      stock: below(5),
      categories: [pick(things), pick(traits)],
    }));
    await db.execute(sql`
      insert into product (item_id, shop_id, ver, state, title, detail, price, stock, visible,
        list_order, images, variations, categories, modified, first_seen_at, checked_at,
        changed_at, price_since, last_call_id)
      select item_id, shop_id, 1, 'live', title, detail, price, stock, 1, 1, '[]', '[]', categories,
        1700000000, now(), now(), now(), now(), 1
      from json_to_recordset(${JSON.stringify(rows)}::text::json) as r(item_id bigint, shop_id text,
        title text, detail text, price bigint, stock bigint, categories jsonb)`);
    if (from % 100_000 === 1 && from > 1) process.stderr.write(`${from - 1} products stored\n`);
  }
  await db.execute(sql`vacuum analyze product`);
}
