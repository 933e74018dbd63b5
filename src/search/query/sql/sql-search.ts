import { sql, type SQL } from "drizzle-orm";
import type { Db } from "../../../db/open.ts";
import { shopsByPrefix } from "../../../catalog/shops.ts";
import { anyText } from "../../../db/rows.ts";
import { byCount, splitFacets, withoutFacet } from "../engine-query.ts";
import { priceRanges, type PriceCount, type PriceRange } from "../price-histogram.ts";
import type { Facets, OfferGroup, ProductFacet, ProductHits, ProductQuery } from "../query.ts";
import { maxValuesPerFacet } from "../../index/settings.ts";
import { matchesSql, type Source } from "./sql-matches.ts";

/** The products that a search by Postgres looks at. */
export interface Pool {
  source: Source;
  /** No other product can match. */
  isWhole: boolean;
}

export interface SqlHits extends Pick<
  ProductHits,
  "ids" | "found" | "foundExact" | "groups" | "facets" | "facetsExact"
> {
  /** Every pool is whole. */
  isWhole: boolean;
}

/**
 * Page, groups and facets by Postgres. `poolOf` gives the products to search: those of the page (null), or of a
 * facet whose own restriction is removed.
 */
export async function searchSql(
  db: Db,
  now: Date,
  query: ProductQuery,
  poolOf: (apart: ProductFacet | null) => Pool,
): Promise<SqlHits> {
  const { own, apart } = splitFacets(query);
  const main = poolOf(null);
  const matches = matchesSql(main.source, query, now);
  const matchesApart = (facet: ProductFacet) =>
    matchesSql(poolOf(facet).source, withoutFacet(query, facet), now);
  const [page, ownFacets, ...others] = await Promise.all([
    readPage(db, matches, query),
    readFacets(db, matches, own, query),
    ...apart.map((facet) => readFacets(db, matchesApart(facet), [facet], query)),
  ]);
  const facets: Facets = Object.assign({}, ownFacets, ...others);
  if (query.priceHistogram && facets.price) {
    const { min, max } = facets.price;
    const priced = apart.includes("price") ? matchesApart("price") : matches;
    facets.price.histogram = await readHistogram(db, priced, priceRanges(min, max));
  }
  const values = { ...facets, price: [] };
  const isExact = (facet: ProductFacet, pool: Pool) =>
    pool.isWhole && (values[facet]?.length ?? 0) < maxValuesPerFacet;
  return {
    ...page,
    foundExact: main.isWhole,
    facets,
    facetsExact: Object.fromEntries([
      ...own.map((facet) => [facet, isExact(facet, main)]),
      ...apart.map((facet) => [facet, isExact(facet, poolOf(facet))]),
    ]),
    isWhole: main.isWhole && apart.every((facet) => poolOf(facet).isWhole),
  };
}

type PageRow = OfferGroup & { place: number; item_id: number; key: string };

async function readPage(
  db: Db,
  matches: SQL,
  query: ProductQuery,
): Promise<Pick<SqlHits, "ids" | "found" | "groups">> {
  const limits = sql`limit ${query.perPage} offset ${(query.page - 1) * query.perPage}`;
  const rows = query.group
    ? sql`select min(place) as place, (array_agg(item_id order by place))[1] as item_id, key,
        count(*) as count, count(*) filter (where stock > 0) as in_stock, count(distinct shop_id) as shops,
        coalesce(min(price) filter (where condition is null), min(price), 0) as lowest_price,
        coalesce(max(price) filter (where condition is null), max(price), 0) as highest_price,
        coalesce(min(price) filter (where condition is not null), 0) as lowest_used_price
      from matches left join product_attribute using (item_id) group by key`
    : sql`select place, item_id from matches`;
  const [answer] = await db.execute<{ found: number; page: PageRow[] }>(sql`
    with matches as (${matches}), result as materialized (${rows})
    select (select count(*) from result) as found, coalesce((
      select json_agg(page order by place) from (select * from result order by place ${limits}) page
    ), '[]') as page`);
  const { found = 0, page = [] } = answer ?? {};
  return {
    ids: page.map((row) => row.item_id),
    found,
    groups: new Map(query.group ? page.map((row) => [row.item_id, toGroup(row)]) : []),
  };
}

function toGroup({ place: _place, item_id: _itemId, key, ...offers }: PageRow): OfferGroup {
  return { key: key.startsWith("item ") ? null : key, ...offers };
}

/** Of products with what their titles tell as `a`. */
const told = (more: SQL) =>
  sql`matches join product_attribute a on a.item_id = matches.item_id ${more}`;

/** The most frequent values, or the bounds of prices, of a facet. */
function facetSql(
  facet: ProductFacet,
  { facetLimit = maxValuesPerFacet, facetPrefixes: prefixes }: ProductQuery,
): SQL {
  const begins = prefixes ? sql`fold_text(value) ^@ ${anyText(prefixes)}` : sql`true`;
  // `kept` restricts the values, so that it is looked at once for each.
  const values = (value: SQL, from: SQL, kept = begins) => sql`(
    select coalesce(json_agg(json_build_object('value', value, 'count', count)), '[]') from (
      select value, count from (
        select ${value} as value, count(distinct key) as count from ${from} group by 1
      ) counts where ${kept} order by 2 desc, value collate "C" limit ${facetLimit}) counted)`;
  switch (facet) {
    case "shop_id": {
      const isNamed = prefixes ? sql`value in (${shopsByPrefix(prefixes)})` : begins;
      return values(sql`shop_id`, sql`matches`, isNamed);
    }
    case "category":
      return values(sql`category`, sql`matches, jsonb_array_elements_text(categories) category`);
    case "condition":
      return values(sql`split_part(a.condition, ' ', 1)`, told(sql`and a.condition is not null`));
    case "colour":
      return values(sql`colour`, told(sql`, unnest(a.colours) colour`));
    case "size":
      return values(sql`a.size`, told(sql`and a.size is not null`));
    case "in_stock":
      return values(sql`(stock > 0)::text`, sql`matches`, sql`true`);
    case "price":
      return sql`(select json_build_object('min', min(price), 'max', max(price)) from matches)`;
  }
}

/** Rows with an offer in each range. */
async function readHistogram(
  db: Db,
  matches: SQL,
  ranges: readonly PriceRange[],
): Promise<PriceCount[]> {
  const starts = sql.join(
    ranges.map(({ from }) => sql`${from}::bigint`),
    sql`, `,
  );
  const rows = await db.execute<{ nr: number; count: number }>(sql`
    select width_bucket(price, array[${starts}]) as nr, count(distinct key) as count
    from (${matches}) matches group by 1`);
  const counts = new Map(rows.map(({ nr, count }) => [nr, count]));
  return ranges.map((range, i) => ({ ...range, count: counts.get(i + 1) ?? 0 }));
}

type FacetRow = Omit<Facets, "price"> & { price?: { min: number | null; max: number | null } };

/** Counts rows, also if a row stands for several products; prices are those of all offers. */
async function readFacets(
  db: Db,
  matches: SQL,
  facets: readonly ProductFacet[],
  query: ProductQuery,
): Promise<Facets> {
  if (facets.length === 0) return {};
  const columns = facets.map((facet) => sql`${facetSql(facet, query)} as ${sql.identifier(facet)}`);
  const [row] = await db.execute<FacetRow>(sql`
    with matches as materialized (${matches}) select ${sql.join(columns, sql`, `)}`);
  const { price, ...counted } = row ?? {};
  const ordered = Object.entries(counted).map(([facet, list]) => [facet, list.toSorted(byCount)]);
  const { min = null, max = null } = price ?? {};
  return {
    ...Object.fromEntries(ordered),
    ...(min === null || max === null ? {} : { price: { min, max } }),
  };
}
