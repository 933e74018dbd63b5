import { textList } from "../../../db/rows.ts";
import { sql, type SQL } from "drizzle-orm";
import type { GroupBy, ProductQuery, ProductSort } from "../query.ts";
import {
  asksForThing,
  partWords,
  variantOrder,
  variantPattern,
  variants,
} from "../../index/accessory.ts";
import { hasWords, type Words } from "../../index/words.ts";
import { readQueryWords } from "../words/query-words.ts";
import { phraseTsquery, testExcluded, testPhrase, testWord } from "../words/word-sql.ts";

/** The products to search: these or all, in this order or by their words. */
export interface Source {
  ids?: readonly number[];
  words?: Words;
}

/**
 * The matching products, as a query with `item_id, shop_id, categories, price, stock, key, place`, with
 * a null for the price 0:
 * products with the same `key` become one row, `place` is their order from 1. The catalogue checks
 * every typed restriction, also for products that the engine found.
 */
export function matchesSql(source: Source, query: ProductQuery, now: Date): SQL {
  const words = source.words ?? { plain: [], phrases: [], excluded: [] };
  const products = source.ids
    ? sql`json_array_elements_text(${JSON.stringify(source.ids)}::text::json) with ordinality as found(id, nr)
          join product p on p.item_id = found.id::bigint`
    : sql`product p`;
  const from = hasWords(words) ? sql`${products} ${joinTexts(source)}` : products;
  const conditions = [
    sql`p.state <> 'gone'`,
    ...restrictions(query, now),
    ...wordConditions(words),
  ];
  return sql`
    select p.item_id, p.shop_id, p.categories, ${knownPrice} as price, p.stock,
      ${query.group ? sql`coalesce(${groupKeys[query.group]}, 'item ' || p.item_id)` : sql`p.item_id`} as key,
      row_number() over (order by ${orderOf(query, source)}, p.item_id) as place
    from ${from}${query.sort === "unit_price:asc" ? sql` left join unit_price u on u.item_id = p.item_id` : sql``}
      ${query.group === "product" ? sql`left join group_member g on g.item_id = p.item_id` : sql``}
    where ${sql.join(conditions, sql` and `)}`;
}

/**
 * `offset 0` stops Postgres from reading the index of all GTINs until it meets one of this product: for
 * a table that was not analysed yet it expected that to be cheap, and one search took minutes.
 */
const smallestGtin = sql`(select min(gtin) from (
  select gtin from variation v where v.item_id = p.item_id offset 0) own)`;

/** What the products of one row share; null: nothing. */
const groupKeys: Record<GroupBy, SQL> = {
  gtin: smallestGtin,
  product: sql`'group ' || g.group_id`,
};

/** As in the documents: a price of 0 is none. */
const knownPrice = sql`(case when p.price > 0 then p.price end)`;

/** The typed restrictions of a search, on `product p`. */
export function restrictions(query: ProductQuery, now: Date): SQL[] {
  const conditions: SQL[] = [];
  const add = (condition: SQL) => void conditions.push(condition);
  const { shopIds, excludeShopIds, categories, gtins } = query;
  if (shopIds?.length) add(sql`p.shop_id in ${textList(shopIds)}`);
  if (excludeShopIds?.length) add(sql`p.shop_id not in ${textList(excludeShopIds)}`);
  if (categories?.length) {
    add(
      sql`exists (select from jsonb_array_elements_text(p.categories) c where c in ${textList(categories)})`,
    );
  }
  if (gtins?.length) {
    add(sql`p.item_id in (select item_id from variation where gtin in ${textList(gtins)})`);
  }
  if (query.priceMin !== undefined) add(sql`${knownPrice} >= ${query.priceMin}`);
  if (query.priceMax !== undefined) add(sql`${knownPrice} <= ${query.priceMax}`);
  if (query.inStock !== undefined) add(sql`(p.stock > 0) = ${query.inStock}`);
  if (query.onSale !== undefined) {
    add(sql`coalesce(p.price > 0 and p.proper_price > p.price, false) = ${query.onSale}`);
  }
  const told = attributeConditions(query);
  if (told.length > 0) {
    add(
      sql`exists (select from product_attribute a where a.item_id = p.item_id and ${sql.join(told, sql` and `)})`,
    );
  }
  if (query.maxAgeSeconds !== undefined) {
    add(sql`p.checked_at >= ${checkedSince(now, query.maxAgeSeconds)}`);
  }
  return conditions;
}

/** On `product_attribute a`. */
function attributeConditions({ conditions, colours, sizes }: ProductQuery): SQL[] {
  return [
    ...(conditions?.length
      ? [sql`split_part(a.condition, ' ', 1) in ${textList(conditions)}`]
      : []),
    ...(colours?.length
      ? [sql`exists (select from unnest(a.colours) c where c in ${textList(colours)})`]
      : []),
    ...(sizes?.length ? [sql`a.size in ${textList(sizes)}`] : []),
  ];
}

export const checkedSince = (now: Date, seconds: number): SQL =>
  sql`${new Date(now.getTime() - seconds * 1000).toISOString()}::timestamptz`;

/** Given products are read by their ids alone: the words of a broad search would lead to far more texts. */
function joinTexts({ ids }: Source): SQL {
  return ids
    ? sql`cross join lateral (select * from product_text own where own.item_id = p.item_id offset 0) t`
    : sql`join product_text t on t.item_id = p.item_id`;
}

/** On `product_text t`. */
function wordConditions(words: Words): SQL[] {
  return [...strictWords(words), ...readQueryWords(words.plain).map((word) => testWord(word).has)];
}

/** Phrases and excluded words, which must hold even if another word may be missing. On `product_text t`. */
export function strictWords({ phrases, excluded }: Words): SQL[] {
  return [...phrases.map(testPhrase), ...excluded.map(testExcluded)].map(({ has }) => has);
}

const usual = sql`p.popularity desc, p.modified desc`;
/** As `title_length` of the documents. */
const titleLength = sql`round(ln(1 + char_length(normalize(p.title, NFKC))) / ln(1.25))`;

/** Nearly as `accessory` of the documents: its expressions would take Postgres 0.1 ms for each title. */
const hasPart = sql`(t.words @@ ${partWords.map(phraseTsquery).join(" | ")}::tsquery)::integer`;

/** As `variants` of the documents; counting takes Postgres 0.03 ms, so only where one may be. */
const variantsOf = (q: string) => sql`case
  when t.words @@ ${variants}::tsquery or position('+' in t.body) > 0
  then regexp_count(left(t.body, t.title_length), ${variantPattern}) else 0 end ${sql.raw(variantOrder(q))}`;

const orders: Record<Exclude<ProductSort, "relevance">, SQL> = {
  "price:asc": sql`${knownPrice} nulls last`,
  "price:desc": sql`${knownPrice} desc nulls last`,
  "unit_price:asc": sql`u.amount nulls last`,
  // As the documents have it.
  "first_seen:desc": sql`date_trunc('second', p.first_seen_at) desc`,
  "modified:desc": sql`p.modified desc`,
  "discount:desc": sql`case when p.price <= 0 then null when p.proper_price > p.price
    then (p.proper_price - p.price) * 100 / p.proper_price else 0 end desc nulls last`,
  "popularity:desc": sql`p.popularity desc`,
};

function orderOf({ sort = "relevance", availableFirst, q = "" }: ProductQuery, source: Source) {
  const available = sql`p.stock > 0 desc`;
  if (sort !== "relevance") {
    return availableFirst ? sql`${available}, ${orders[sort]}` : orders[sort];
  }
  if (!source.words) return sql`found.nr`;
  const inTitle = [...source.words.plain, ...source.words.phrases].map(
    (word) =>
      sql`(position(fold_text(${word.replace(/(?<=\d),$/, ".")}) in left(t.body, t.title_length)) > 0)::integer`,
  );
  if (inTitle.length === 0) return sql`${available}, ${usual}`;
  const titled = sql`${sql.join(inTitle, sql` + `)} desc`;
  const first = asksForThing(q) ? [hasPart, variantsOf(q), titled] : [titled, hasPart];
  return sql.join([available, ...first, titleLength, usual], sql`, `);
}
