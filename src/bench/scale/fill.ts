import { sql, type SQL } from "drizzle-orm";
import type { Db, Tx } from "../../db/open.ts";

/** Products per transaction. */
const chunk = 100_000;
/** Transactions at the same time. */
const lanes = 2;
/** Days of history. */
const days = 100;
/** Values that each product had in that time. */
const valuesPerProduct = 4;

/** Written here, so the triggers that derive it are not needed. All other triggers, as of kept counts, run. */
const replacedTriggers = [
  "product_inserted",
  "product_first_checked",
  "changes_of_new_products",
  "price_interval_append_only",
];

/** 0 to 1 for the product `i`, the same on every run. */
const chance = (seed: number) =>
  sql.raw(`((hashint8extended(i, ${seed}) & 16777215) / 16777216.0)`);

/** Each fourth product of an even id has one code. Every digit is followed by the one that keeps the check digit right. */
const gtinOf = sql.raw(
  `(${Array.from({ length: 7 }, (_, at) => {
    const digit = `substr(lpad((1 + i / 8)::text, 7, '0'), ${at + 1}, 1)`;
    return `${digit} || translate(${digit}, '0123456789', '0741852963')`;
  }).join(" || ")})`,
);

/** The code of this product as `fillScale` writes it. */
export function benchGtin(itemId: number): string {
  const digits = String(1 + Math.floor(itemId / 8))
    .padStart(7, "0")
    .split("");
  return digits.map((digit) => `${digit}${(Number(digit) * 7) % 10}`).join("");
}

const priceAt = (value: string) =>
  sql.raw(`((300 + hashint8extended(i, 1) & 16383) * (1 - 0.05 * ((${value} + i) % 5)))::bigint`);

/**
 * Fills an empty, migrated database with so many products (ids from 1) and with history, calls, mirror
 * rows, keywords, variations, texts, changes and clicks in proportion. The user must be a superuser,
 * because foreign keys are not checked. Indexes other than keys are built at the end.
 */
export async function fillScale(
  db: Db,
  products: number,
  now: Date,
  say: (line: string) => void,
): Promise<void> {
  const indexes = await dropIndexes(db);
  await setReplicaTriggers(db, "always");
  const fill = { products, shops: Math.max(10, Math.round(products / 100)), now };
  await inReplica(db, (tx) => fillSmall(tx, fill));
  await fillWords(db, fill);
  // As the jobs have them ready before the first confirmation of a month.
  for (const back of [4, 2, 0])
    await db.execute(sql`
      select prepare_confirmation_months((${now.toISOString()}::timestamptz - make_interval(months => ${back}))::date)`);
  let filled = 0;
  await inChunks(products, async (from, to) => {
    await inReplica(db, (tx) => fillProducts(tx, fill, from, to));
    filled += to - from + 1;
    say(`${filled.toLocaleString("en")} of ${products.toLocaleString("en")} products`);
  });
  for (let value = 0; value < valuesPerProduct; value += 1) {
    await inChunks(products, (from, to) =>
      inReplica(db, (tx) => tx.execute(intervals(fill, value, from, to))),
    );
    say(`price intervals: ${value + 1} of ${valuesPerProduct} a product`);
  }
  await db.execute(sql`drop table bench_word`);
  await setReplicaTriggers(db, "origin");
  for (const { name, definition } of indexes) {
    await db.execute(sql.raw(definition));
    say(`index ${name}`);
  }
  await db.execute(sql`vacuum analyze`);
}

interface Fill {
  products: number;
  shops: number;
  now: Date;
}

/** Each range of ids from 1 once, some of them at the same time. */
async function inChunks(
  products: number,
  work: (from: number, to: number) => Promise<unknown>,
): Promise<void> {
  let next = 1;
  const lane = async () => {
    while (next <= products) {
      const from = next;
      next += chunk;
      await work(from, Math.min(products, from + chunk - 1));
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

async function inReplica(db: Db, work: (tx: Tx) => Promise<unknown>): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await work(tx);
  });
}

async function dropIndexes(db: Db): Promise<{ name: string; definition: string }[]> {
  const indexes = await db.execute<{ name: string; definition: string }>(sql`
    select c.relname as name, replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ') as definition
    from pg_index i join pg_class c on c.oid = i.indexrelid
    where c.relnamespace = 'public'::regnamespace and not i.indisunique and not c.relispartition
    order by pg_relation_size(i.indrelid), 1`);
  for (const { name } of indexes) await db.execute(sql`drop index ${sql.identifier(name)}`);
  return indexes;
}

/** Foreign keys are skipped as on a replica; `always`: triggers run nevertheless. */
async function setReplicaTriggers(db: Db, when: "always" | "origin"): Promise<void> {
  const triggers = await db.execute<{ table: string; name: string }>(sql`
    select c.relname as table, t.tgname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where not t.tgisinternal and t.tgparentid = 0 and c.relnamespace = 'public'::regnamespace`);
  for (const { table, name } of triggers.filter((t) => !replacedTriggers.includes(t.name))) {
    const how = sql.raw(when === "always" ? "enable always" : "enable");
    await db.execute(
      sql`alter table ${sql.identifier(table)} ${how} trigger ${sql.identifier(name)}`,
    );
  }
}

/** What is not one row a product. */
async function fillSmall(tx: Tx, { products, shops, now }: Fill): Promise<void> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const keywords = Math.max(50, Math.min(20_000, Math.round(products / 2000)));
  const calls = Math.max(1000, Math.round(products / 10));
  const callAt = sql`(${at} - (${calls}::int - n) * ${days / calls}::float8 * interval '1 day')`;
  const day = sql`(${at} at time zone 'Asia/Tokyo')::date`;
  const statements: SQL[] = [
    sql`insert into shop (shop_id, shop_name, shop_url, first_seen_at, checked_at, due_at, rate_changes, rate_days, loss_days)
      select 'shop-' || n, '工房 ' || n, 'https://shop-' || n || '.example.com/', ${at} - ${days} * interval '1 day', ${at},
        ${at} + (random() * 10 - 1) * interval '1 hour', 50, 500, 500
      from generate_series(0, ${shops}::int - 1) n`,
    sql`insert into crawl_query (q, source, created_at, scanned_at, newest_checked_at, feed_checked_at, asked_at, found)
      select 'keyword ' || n, 'ops', ${at}, ${at}, ${at}, ${at}, ${at} - n * interval '1 second', 1000
      from generate_series(1, ${keywords}) n`,
    sql`insert into crawl_page (query_id, start, item_ids, due_at)
      select q.id, 50 * n, '[]', ${at} + random() * interval '1 day' from crawl_query q, generate_series(0, 1) n`,
    sql`insert into api_call (day, purpose, operation, job, params, reserved_at, finished_at, outcome, duration_ms,
        asked, returned, created, changed, unchanged, gone, quarantined, duplicates)
      select (${callAt} at time zone 'Asia/Tokyo')::date, 'revalidation', 'refresh', 'revalidate', '{"shop_id":"shop-1","item_id":[1]}',
        ${callAt}, ${callAt}, 'ok', 120, 50, 50, 0, n % 4, 50 - n % 4, 0, 0, 0
      from generate_series(1, ${calls}) n`,
    sql`insert into budget_day (day, limit_calls, used, revalidation)
      select day, 1000000, count(*), count(*) from api_call group by day on conflict do nothing`,
    sql`insert into shop_day select ${day} - n, 'shop-' || s, 1, 2, 1, 1, 1, 0, 0, 0
      from generate_series(2, 8) n, generate_series(0, ${shops}::int - 1) s`,
    sql`insert into setting (key, value, updated_at) values
      ('timezone', '"Asia/Tokyo"', ${at}), ('unit_prices', '{"version": 2, "after_id": null}', ${at}),
      ('product_texts', '{"version": 2, "after_id": null}', ${at})
      on conflict (key) do nothing`,
    sql`insert into rate_trait (trait, factor) values ('sold out', 0.8), ('price 256 and more', 1.1)`,
    sql`insert into loss_trait (trait, factor) values ('deletions: none', 0.9), ('deletions: 1', 2.5)`,
    sql`insert into zero_result_query (q, times, visitors, last_at)
      select 'nothing ' || n, 1 + n % 9, 1, ${at} from generate_series(1, 1000) n`,
    sql`insert into backoff (kind, key, failures, code, reason, call_id, first_failed_at, failed_at, retry_at)
      select 'product', n::text, 1, 'server_error', 'server error', 1, ${at}, ${at}, ${at} + n * interval '1 minute'
      from generate_series(1, 200) n`,
    sql`insert into quarantine (call_id, item_id, reason, raw, seen_at)
      select 1, n, 'price: not a number', '{}', ${at} from generate_series(1, 1000) n`,
    sql`insert into mirror_index (index_uid, state, epoch, settings_hash, created_at, switched_at)
      values ('products_v1', 'serving', gen_random_uuid(), 'none', ${at}, ${at})`,
    sql`update change_head set position = ${products}`,
  ];
  for (const statement of statements) await tx.execute(statement);
}

/**
 * The parts of titles, with other forms and the search words of each. They are in the spelling of the search, and blanks
 * part them, so the words of a title are those of its parts: folding whole titles took 1 ms each.
 */
async function fillWords(db: Db, { products, shops }: Fill): Promise<void> {
  const kana = sql.raw(`'あいうえおかきくけこさしすせそたちつてとなにぬねのまみむめも'`);
  await db.execute(
    sql`create unlogged table bench_word (kind text, n int, text text, forms text, words tsvector, primary key (kind, n))`,
  );
  await db.execute(sql`
    insert into bench_word select kind, n, text, text_forms(text), text_words(concat_ws(' ', text, text_forms(text))) from (
      select 'maker' as kind, n, substr(${kana}, n / 900 + 1, 1) || substr(${kana}, n / 30 % 30 + 1, 1)
        || substr(${kana}, n % 30 + 1, 1) as text from generate_series(0, 26999) n
      union all select 'trait', nr - 1, t from unnest(array['手作り','北欧風','京都','一点もの','軽い','防水','桜柄',
        '藍染め','vintage','leather','cotton','wool']) with ordinality as w(t, nr)
      union all select 'thing', nr - 1, t from unnest(array['革財布','陶器','皿','かばん','木の器','刺繍','花瓶','帯',
        '着物','湯飲み','bag','cup']) with ordinality as w(t, nr)
      union all select 'number', n, 'no.' || n from generate_series(0, 8999) n
      union all select 'category', n, 'things ' || n from generate_series(0, ${Math.max(50, Math.round(products / 5000))}::int) n
      union all select 'shop', n, '工房 ' || n from generate_series(0, ${shops}::int - 1) n
      union all values ('common', 0, '雑貨'), ('common', 1, '250g 雑貨')) w`);
  await db.execute(sql`analyze bench_word`);
}

/** Products of these ids: shop, title, category, other forms and search words. A few words are in most titles. */
function drawn({ products, shops }: Fill, from: number, to: number): SQL {
  const part = (kind: string, n: SQL) =>
    sql`join bench_word ${sql.raw(kind)} on ${sql.raw(kind)}.kind = '${sql.raw(kind)}' and ${sql.raw(kind)}.n = floor(${n})::int`;
  return sql`
    select i, 'shop-' || shop.n as shop_id, shop.text as shop_name, category.text as category,
      maker.text || ' ' || trait.text || ' ' || thing.text || case when i % 10 = 0 then ' 250g ' else ' ' end || number.text as title,
      nullif(concat_ws(' ', trait.forms, thing.forms), '') as forms,
      maker.words || trait.words || thing.words || number.words || category.words || shop.words || common.words as words
    from generate_series(${from}::bigint, ${to}::bigint) i
    ${part("shop", sql`${shops}::int * power(${chance(2)}, 3)`)}
    ${part("maker", sql`27000 * power(${chance(3)}, 2)`)}
    ${part("trait", sql`12 * ${chance(4)}`)}
    ${part("thing", sql`12 * power(${chance(5)}, 2)`)}
    ${part("number", sql`9000 * ${chance(6)}`)}
    ${part("category", sql`${Math.max(50, Math.round(products / 5000))}::int * power(${chance(7)}, 2)`)}
    join bench_word common on common.kind = 'common' and common.n = (i % 10 = 0)::int`;
}

async function fillProducts(tx: Tx, fill: Fill, from: number, to: number): Promise<void> {
  const at = sql`${fill.now.toISOString()}::timestamptz`;
  const some = sql`generate_series(${from}::bigint, ${to}::bigint) i`;
  const own = sql`from product p, lateral (select p.item_id as i) x where item_id between ${from} and ${to}`;
  const statements: SQL[] = [
    sql`insert into product (item_id, shop_id, ver, state, title, detail, price, proper_price, stock, visible, list_order,
        images, variations, categories, modified, first_seen_at, checked_at, changed_at, price_since, order_rank,
        last_call_id, deleted_at, deleted_call_id)
      select i, d.shop_id, ${valuesPerProduct}, case when i % 100 = 99 then 'gone' when i % 500 = 7 then 'missing' else 'live' end,
        d.title, repeat('一点ずつ丁寧に仕立てました。ギフト包装も承ります。', 1 + (i % 4)::int),
        ${priceAt(String(valuesPerProduct - 1))}, case when i % 5 = 0 then 20000 end, (${valuesPerProduct - 1} * 7 + i) % 9, 1, i,
        jsonb_build_array(jsonb_build_object('origin', 'https://img.example.com/' || i || '.jpg', '300',
          'https://img.example.com/300/' || i || '.jpg'), null, null, null, null),
        jsonb_build_array(jsonb_build_object('variation_id', 1, 'variation', '', 'variation_stock', 3,
          'variation_identifier', null, 'barcode', case when i % 2 = 0 then ${gtinOf} end)),
        jsonb_build_array(d.category, '雑貨'), extract(epoch from ${at})::bigint - i % 8640000, seen,
        ${at} - ${chance(8)} * interval '20 days', since, since, case when i % 20 = 0 then i / 20 end, 1,
        case when i % 100 = 99 then ${at} - ${chance(9)} * interval '50 days' end, case when i % 100 = 99 then 1 + i % 1000 end
      from (${drawn(fill, from, to)}) d,
        lateral (select ${firstSeen(fill, sql`0`)} as seen, ${firstSeen(fill, sql`${valuesPerProduct - 1}`)} as since) t`,
    sql`insert into product_text (item_id, body, words, title_length, in_stock, popularity)
      select i, concat_ws(' / ', d.title, d.category, '雑貨', d.shop_name, d.forms), d.words, length(d.title), p.stock > 0, p.popularity
      from (${drawn(fill, from, to)}) d join product p on p.item_id = d.i and p.state <> 'gone'`,
    sql`insert into product_schedule (item_id, shop_id, checked_at, due_at, weight, rate_changes, rate_days, query_id, suspected)
      select item_id, shop_id, checked_at, ${at} + (${chance(10)} * 20 - 1) * interval '1 day', 0.2 + ${chance(11)} * 3,
        ${chance(12)} * 3, 1 + ${chance(13)} * 30, 1 + i % 50, state = 'missing' ${own} and state <> 'gone'`,
    sql`insert into variation (item_id, variation_id, variation, variation_stock, barcode, gtin)
      select i, 1, '', 3, case when i % 2 = 0 then ${gtinOf} end,
        case when i % 2 = 0 then ${gtinOf} end from ${some}`,
    sql`insert into unit_price (item_id, content, unit, amount) select item_id, 250, 'g', price / 2.5 ${own} and i % 10 = 0`,
    sql`insert into mirror (index_uid, item_id, desired_version, indexed_version, dirty_since, next_at)
      select 'products_v1', i, ${valuesPerProduct}, case when i % 10000 = 1 then 1 else ${valuesPerProduct} end, ${at}, ${at} from ${some}`,
    sql`insert into product_change (position, item_id, ver, kind, price, stock, prev_price, prev_stock, at)
      select i, item_id, ver, case when state = 'gone' then 'deleted' else 'changed' end, price, stock, price + 10, stock,
        ${at} - (${fill.products}::int - i) * ${days / fill.products}::float8 * interval '1 day' ${own}`,
    sql`insert into demand (item_id, score, updated_at) select i, 20 * ${chance(14)}, ${at} from ${some} where i % 10 = 0`,
    sql`insert into click (day, key_id, src, item_id, clicks)
      select (${at} at time zone 'Asia/Tokyo')::date - (i / 10 % 30)::int, 0, '', i, 1 + i % 5 from ${some} where i % 10 = 0`,
    sql`insert into confirmation (month, item_id, moments)
      select date_trunc('month', checked_at at time zone 'Asia/Tokyo')::date, item_id, array[checked_at] ${own}`,
    sql`insert into refresh_request (item_id, requested_at, due_at, call_id, done_at, outcome)
      select i, ${at} - interval '1 day', ${at} - interval '1 day', 1, ${at} - interval '1 day', 'answered' from ${some} where i % 1000 = 0`,
  ];
  for (const statement of statements) await tx.execute(statement);
}

/** When a product's value of this number was first seen: rises with number and product, so rows lie in order of time. */
const firstSeen = (fill: Fill, value: SQL) =>
  sql`${fill.now.toISOString()}::timestamptz - ${days} * interval '1 day'
    + (${value} + i::float8 / ${fill.products + 1}) * ${days / valuesPerProduct}::float8 * interval '1 day'`;

function intervals(fill: Fill, value: number, from: number, to: number): SQL {
  const before = (column: SQL) => (value === 0 ? sql`null::bigint` : column);
  return sql`
    insert into price_interval (item_id, first_seen, price, stock, prev_confirmed_at, prev_price, prev_stock, call_id)
    select i, t.at, ${priceAt(String(value))}, (${value} * 7 + i) % 9,
      ${value === 0 ? sql`null::timestamptz` : sql`t.at - interval '10 days'`},
      ${before(priceAt(String(value - 1)))}, ${before(sql`(${value - 1} * 7 + i) % 9`)}, 1
    from generate_series(${from}::bigint, ${to}::bigint) i, lateral (select ${firstSeen(fill, sql`${value}`)} as at) t`;
}
