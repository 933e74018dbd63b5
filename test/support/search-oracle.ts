import { sql, type SQL } from "drizzle-orm";
import { toUnitPriceRank } from "../../src/catalog/unit-price/unit-price.ts";
import type { Db } from "../../src/db/open.ts";
import type { VariationRow } from "../../src/db/schema.ts";

/** A search that plain SQL can answer: it has whole words and phrases, no prefixes. */
export interface OracleQuery {
  phrases: string[];
  excluded: string[];
  shops: string[];
  excludedShops: string[];
  categories: string[];
  /** GTIN-14. */
  gtins: string[];
  priceMin: number | null;
  priceMax: number | null;
  inStock: boolean | null;
  onSale: boolean | null;
  conditions: string[];
  colours: string[];
  sizes: string[];
  maxAgeSeconds: number | null;
  sort: keyof typeof orders;
  facets: Facet[];
  group: keyof typeof groupKeys | null;
  page: number;
  perPage: number;
}

export type Facet = "shop_id" | "category" | "condition" | "colour" | "size" | "price" | "in_stock";

export interface Truth {
  found: number;
  /** All rows in order; in any order if words decide it, which SQL cannot compute. */
  ids: number[];
  isOrdered: boolean;
  /** The row of a product, and the facts about the row. */
  keys: Map<number, string>;
  offers: Map<string, Offers>;
  facets: Partial<Record<Facet, unknown>>;
  /** What the price facet counts. */
  prices: { price: number | null; key: string }[];
}

export interface Offers {
  count: number;
  in_stock: number;
  shops: number;
  lowest_price: number;
  highest_price: number;
  lowest_used_price: number;
}

/**
 * Every text as words between spaces, and `.` where a phrase ends: without case and marks, cut where
 * Latin letters meet others.
 */
export async function prepareOracle(db: Db): Promise<void> {
  await db.execute(sql`
    create function proof_words(text text) returns text language sql immutable as $$
      select regexp_replace(regexp_replace(regexp_replace(regexp_replace(
        normalize(lower(regexp_replace(normalize(text, NFKD), '[\\u0300-\\u036f]', '', 'g')), NFC),
        '([a-z\\u00df-\\u024f])([^a-z\\u00df-\\u024f])', '\\1 \\2', 'g'), '([^a-z\\u00df-\\u024f])([a-z\\u00df-\\u024f])', '\\1 \\2', 'g'),
        '[.,;:!?()|\\[\\]\\u3000-\\u303f]+', ' . ', 'g'), '[^a-z0-9.\\u0080-\\uffff]+', ' ', 'g')
    $$`);
  await db.execute(sql`
    create table proof_text as
    select item_id, ' ' || concat_ws(' . ', proof_words(title), proof_words(detail),
      proof_words(shop_name), proof_words(identifier), (
        select string_agg(proof_words(c), ' . ') from jsonb_array_elements_text(categories) c)) || ' ' as body
    from product join shop using (shop_id)`);
  await db.execute(sql`create table proof_unit_price (item_id bigint primary key, amount float8)`);
  const products = await db.execute<Priced>(
    sql`select item_id, title, price, variations from product`,
  );
  const amounts = products.map((product) => ({
    item_id: product.item_id,
    amount: toUnitPriceRank(product),
  }));
  await db.execute(sql`
    insert into proof_unit_price select * from json_to_recordset(${JSON.stringify(amounts)}::text::json)
      as x(item_id bigint, amount float8)`);
}

type Priced = { item_id: number; title: string; price: number; variations: VariationRow[] };

const discount = sql`case when p.proper_price > p.price and p.price <> 0 then floor(100.0 * (p.proper_price - p.price) / p.proper_price) else 0 end`;
const orders = {
  relevance: sql`(p.stock > 0) desc, p.popularity desc, p.modified desc`,
  "price:asc": sql`p.price = 0, p.price asc`,
  "price:desc": sql`p.price desc`,
  "unit_price:asc": sql`(select amount from proof_unit_price u where u.item_id = p.item_id) asc nulls last`,
  "first_seen:desc": sql`floor(extract(epoch from p.first_seen_at)) desc`,
  "modified:desc": sql`p.modified desc`,
  "discount:desc": sql`p.price = 0, ${discount} desc`,
  "popularity:desc": sql`p.popularity desc`,
};

const listed = (values: readonly string[]) =>
  sql.join(
    values.map((value) => sql`${value}`),
    sql`, `,
  );

/** Words of Latin letters stand between spaces; Japanese has none, and is looked up as it is written. */
const contains = (words: string) =>
  /^[a-z0-9 ]+$/.test(words)
    ? sql`t.body like ${`% ${words} %`}`
    : sql`t.body like '%' || normalize(${words}::text, NFKC) || '%'`;

const told = (column: SQL, values: readonly string[]) =>
  sql`p.item_id in (select item_id from product_attribute, unnest(array[${listed(values)}]) wanted where wanted = ${column})`;

function conditions(query: OracleQuery, now: Date, lifted: Facet | null): SQL {
  const all: SQL[] = [sql`p.state <> 'gone'`];
  const add = (condition: SQL | null | false, facet?: Facet) => {
    if (condition && (facet === undefined || facet !== lifted)) all.push(condition);
  };
  for (const words of query.phrases) add(contains(words));
  for (const words of query.excluded) add(sql`not ${contains(words)}`);
  add(query.shops.length > 0 && sql`p.shop_id in (${listed(query.shops)})`, "shop_id");
  add(query.excludedShops.length > 0 && sql`p.shop_id not in (${listed(query.excludedShops)})`);
  add(
    query.categories.length > 0 && sql`p.categories ?| array[${listed(query.categories)}]`,
    "category",
  );
  add(
    query.gtins.length > 0 &&
      sql`exists (select from variation v where v.item_id = p.item_id and v.gtin in (${listed(query.gtins)}))`,
  );
  add(query.priceMin !== null && sql`p.price <> 0 and p.price >= ${query.priceMin}`, "price");
  add(query.priceMax !== null && sql`p.price <> 0 and p.price <= ${query.priceMax}`, "price");
  add(query.inStock !== null && (query.inStock ? sql`p.stock > 0` : sql`p.stock <= 0`), "in_stock");
  const onSale = sql`(p.price <> 0 and p.proper_price is not null and p.proper_price > p.price)`;
  add(query.onSale !== null && (query.onSale ? onSale : sql`not ${onSale}`));
  add(
    query.conditions.length > 0 &&
      told(sql`regexp_replace(condition, ' .*', '')`, query.conditions),
    "condition",
  );
  add(query.colours.length > 0 && told(sql`any (colours)`, query.colours), "colour");
  add(query.sizes.length > 0 && told(sql`size`, query.sizes), "size");
  if (query.maxAgeSeconds !== null) {
    const since = new Date(now.getTime() - query.maxAgeSeconds * 1000).toISOString();
    add(sql`p.checked_at >= ${since}`);
  }
  return sql.join(all, sql` and `);
}

type Row = {
  item_id: number;
  key: string;
  shop_id: string;
  shop_name: string;
  categories: string[];
  /** null: the shop states none. */
  price: number | null;
  stock: number;
  condition: string | null;
  colours: string[] | null;
  size: string | null;
};

const groupKeys = { gtin: sql`v.gtin`, product: sql`'in ' || m.group_id` };

async function rowsOf(db: Db, query: OracleQuery, now: Date, lifted: Facet | null): Promise<Row[]> {
  return db.execute<Row>(sql`
    select p.item_id, p.shop_id, s.shop_name, p.categories, nullif(p.price, 0) as price, p.stock, a.condition, to_json(a.colours) as colours, a.size,
      coalesce(${query.group ? groupKeys[query.group] : sql`null`}, '#' || p.item_id) as key
    from product p join proof_text t using (item_id) join shop s using (shop_id)
      left join (select item_id, min(gtin) as gtin from variation group by 1) v using (item_id)
      left join group_member m using (item_id) left join product_attribute a using (item_id)
    where ${conditions(query, now, lifted)} order by ${orders[query.sort]}, p.item_id`);
}

/** The right answer to the search, by independent SQL and counting. */
export async function tellTruth(db: Db, query: OracleQuery, now: Date): Promise<Truth> {
  const rows = await rowsOf(db, query, now, null);
  const groups = new Map<string, Row[]>();
  for (const row of rows) groups.set(row.key, [...(groups.get(row.key) ?? []), row]);
  const facets: Truth["facets"] = {};
  for (const facet of query.facets) {
    facets[facet] = countFacet(await rowsOf(db, query, now, facet), facet);
  }
  return {
    found: groups.size,
    ids: [...groups.values()].flatMap(([first]) => (first ? [first.item_id] : [])),
    isOrdered: query.sort !== "relevance" || query.phrases.length === 0,
    keys: new Map(rows.map((row) => [row.item_id, row.key])),
    offers: new Map([...groups].map(([key, members]) => [key, toOffers(members)])),
    facets,
    prices: await rowsOf(db, query, now, "price"),
  };
}

export type CountedFacet = Exclude<Facet, "price" | "in_stock">;

/** The values that begin with the text in any spelling, of shops their names or ids, by independent counting. */
export async function tellValues(
  db: Db,
  query: OracleQuery,
  now: Date,
  { facet, prefix }: { facet: CountedFacet; prefix: string },
): Promise<Value[]> {
  const values = countValues(await rowsOf(db, query, now, facet), facet);
  const texts = values.map(({ value, label = value }) => ({ value, label }));
  const beginning = await db.execute<{ value: string }>(sql`
    select value from json_to_recordset(${JSON.stringify(texts)}::text::json) as t(value text, label text)
    where starts_with(fold_text(value), fold_text(${prefix}))
      or starts_with(fold_text(label), fold_text(${prefix}))`);
  const kept = new Set(beginning.map(({ value }) => value));
  return values.filter(({ value }) => kept.has(value));
}

function toOffers(rows: readonly Row[]): Offers {
  const [used, unused] = [rows.filter(isUsed), rows.filter((row) => !isUsed(row))].map(knownPrices);
  const prices = unused?.length ? unused : (used ?? []);
  return {
    count: rows.length,
    in_stock: rows.filter((row) => row.stock > 0).length,
    shops: new Set(rows.map((row) => row.shop_id)).size,
    lowest_price: prices[0] ?? 0,
    highest_price: prices.at(-1) ?? 0,
    lowest_used_price: used?.[0] ?? 0,
  };
}

const isUsed = (row: Row) => row.condition !== null;

const knownPrices = (rows: readonly Row[]): number[] =>
  rows.flatMap(({ price }) => price ?? []).toSorted((a, b) => a - b);

function countFacet(rows: readonly Row[], facet: Facet): unknown {
  if (facet === "price") {
    const sorted = knownPrices(rows);
    return sorted.length === 0 ? undefined : { min: sorted[0], max: sorted.at(-1) };
  }
  return countValues(rows, facet);
}

interface Value {
  value: string;
  count: number;
  label?: string;
}

/** Most frequent first; shops with their names. */
function countValues(rows: readonly Row[], facet: Exclude<Facet, "price">): Value[] {
  const seen = new Map<string, Set<string>>();
  const names = new Map(rows.map((row) => [row.shop_id, row.shop_name]));
  for (const row of rows) {
    for (const value of valuesOf(row, facet)) {
      seen.set(value, (seen.get(value) ?? new Set()).add(row.key));
    }
  }
  return [...seen]
    .map(([value, keys]) => {
      const label = facet === "shop_id" ? { label: names.get(value) ?? "" } : {};
      return { value, count: keys.size, ...label };
    })
    .toSorted((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}

function valuesOf(row: Row, facet: Exclude<Facet, "price">): string[] {
  switch (facet) {
    case "shop_id":
      return [row.shop_id];
    case "in_stock":
      return [String(row.stock > 0)];
    case "category":
      return row.categories;
    case "condition":
      return row.condition === null ? [] : [row.condition.replace(/ .*/, "")];
    case "colour":
      return row.colours ?? [];
    case "size":
      return row.size === null ? [] : [row.size];
  }
}
