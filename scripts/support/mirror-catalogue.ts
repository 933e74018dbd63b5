import { sql } from "drizzle-orm";
import type { Db } from "../../src/db/open.ts";
import { must } from "../../src/lib/must.ts";
import { createRandom, type Random } from "../../src/lib/random.ts";

const wordsOf = (text: string) => text.split(" ");
const things = wordsOf(
  "革財布 トートバッグ マグカップ ピアス ネックレス がま口ポーチ 木の器 リネンシャツ 陶器の皿 刺繍ブローチ",
);
const traits = wordsOf(
  "手作りの 北欧風 ヴィンテージ 京都の ハンドメイド 一点もの 軽い 防水 ウール100% 桜柄の 職人が仕上げた 藍染め",
);
const sentences = wordsOf(
  "一点ずつ丁寧に仕立てました。 使い込むほどに味わいが増します。 サイズは約24cm×18cmです。 ギフト包装も承ります。 天然素材のため色むらがあります。 ご注文から三日以内に発送します。",
);
const syllables = "カキクケコサシスセソタチツテトナニヌネノマミムメモラリルレロ";

/** One of 27,000 names of makers, most of them rare, as in a real catalogue. */
const makerOf = (random: Random) => {
  const rank = Math.floor(27_000 * random.next() ** 2);
  const syllable = (n: number) => syllables.charAt(n % 30);
  return `${syllable(rank)}${syllable(Math.floor(rank / 30))}${syllable(Math.floor(rank / 900))}`;
};

/** Searches for goods, makers, both, and numbers. */
export function generatedSearches(count: number): string[] {
  const random = createRandom(7);
  const kinds = [
    () => `${random.pick(traits)} ${random.pick(things)}`,
    () => makerOf(random),
    () => `${makerOf(random)} ${random.pick(things)}`,
    () => `${random.pick(things)} No.${random.integer(0, 8999)}`,
  ];
  return Array.from({ length: count }, (_, i) => must(kinds[i % kinds.length], "a kind")());
}

/** Stores so many products, ids from 1. */
export async function fillCatalogue(db: Db, products: number): Promise<void> {
  const random = createRandom(42);
  const { integer, pick } = random;
  await db.execute(sql`
    insert into shop (shop_id, shop_name, shop_url, first_seen_at, checked_at)
    select 'shop-' || i, '工房 ' || i, 'https://shop-' || i || '.example.com/', now(), now()
    from generate_series(0, 499) i`);
  for (let from = 1; from <= products; from += 1000) {
    const rows = Array.from({ length: Math.min(1000, products - from + 1) }, (_, i) => ({
      item_id: from + i,
      shop_id: `shop-${integer(0, 499)}`,
      title: `${makerOf(random)} ${pick(traits)}${pick(things)} ${pick(traits)} No.${integer(0, 8999)}`,
      detail: Array.from({ length: integer(2, 13) }, () => pick(sentences)).join(""),
      price: integer(300, 20_299),
      stock: integer(0, 4),
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
