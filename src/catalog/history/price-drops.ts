import { sql, type SQL } from "drizzle-orm";
import { type RowOf, textList, toRecords } from "../../db/rows.ts";
import type { Db } from "../../db/open.ts";

export const priceDropSorts = ["newest", "biggest"] as const;

export interface PriceDropQuery {
  /** When this price was first seen. */
  since: Date;
  /** Percent of the former price, rounded down. */
  minPercent: number;
  /** Only drops whose product still has the lower price. */
  onlyCurrent: boolean;
  /** Only drops of products that are in stock now. */
  onlyInStock?: boolean;
  shopIds: readonly string[];
  categories: readonly string[];
  /** product: only the first drop, in this order, of each group of products that are the same. */
  group?: "product" | undefined;
  sort: (typeof priceDropSorts)[number];
  limit: number;
  offset: number;
}

/** A price that fell between two checks of a product that still exists. */
export interface PriceDrop {
  itemId: number;
  priceBefore: number;
  price: number;
  /** Percent of the former price, rounded down. */
  percent: number;
  seenAt: Date;
  /** The last check that showed the former price. */
  lastSeenBeforeAt: Date;
  /** The product still has this price. */
  isCurrent: boolean;
}

export interface PriceDrops {
  drops: PriceDrop[];
  /** false: there are more drops; the first ones in the requested order were examined. */
  isComplete: boolean;
}

type Row = RowOf<PriceDrop> & { looked_at: number };
/** One row without a drop says how many were examined. */
type Found = Row | (Pick<Row, "looked_at"> & { item_id: null });

/**
 * The most drops to examine, in the requested order. An index gives them in that order, but each needs
 * two more reads for its category and present price. If the requested shops have no more products than
 * this together, all their drops are read product by product.
 */
const mostLookedAt = 5000;
/** So many are examined first, and the others only if these do not fill the page. */
const lookedAtFirst = 500;

/** A price that an upstream shows by mistake is put right within so many days: a weekend. */
export const slipDays = 3;
/** Such a price is more than so many times as high as those before and after it. */
const slipFactor = 5;

/** The same expression as in the index on it. */
const percent = sql`((i.prev_price - i.price) * 100 / nullif(i.prev_price, 0))`;

const orders: Record<PriceDropQuery["sort"], SQL> = {
  newest: sql`i.first_seen desc, i.item_id desc`,
  biggest: sql`${percent} desc, i.first_seen desc, i.item_id desc`,
};

/** A product without a group is one of its own. */
const firstOfGroups = (order: SQL) => sql`(
  select * from (
    select i.*, row_number() over (
      partition by coalesce(m.group_id, -i.item_id) order by ${order}) as nr
    from matching i left join group_member m using (item_id)
  ) numbered where nr = 1) i`;

/** Drops in the requested order. A product whose price fell several times may appear several times. */
export async function readPriceDrops(db: Db, query: PriceDropQuery): Promise<PriceDrops> {
  const ofShops =
    query.shopIds.length === 0 ? sql`true` : sql`p.shop_id in ${textList(query.shopIds)}`;
  const ofCategories = sql`exists (
    select from ${textList(query.categories)} c(name) where p.categories ? c.name)`;
  const members = sql`select p.item_id from product p where ${ofShops} and p.state <> 'gone'`;
  const anyDrop = sql`i.price < i.prev_price and i.price > 0 and i.first_seen >= ${query.since.toISOString()}`;
  const drop =
    query.sort === "biggest" ? sql`${anyDrop} and ${percent} >= ${query.minPercent}` : anyDrop;
  const few = await hasFew(db, query.shopIds, members);
  // `offset 0` keeps Postgres from merging the two selects, so that each product reads one short index
  // range.
  const those = (condition: SQL) =>
    few
      ? sql`(${members} offset 0) m cross join lateral (
        select * from price_interval i where i.item_id = m.item_id and ${condition} offset 0) i`
      : sql`price_interval i where ${condition}`;
  // A change of stock or proper price also begins an interval, so one price can span several.
  const isCurrent = sql`(p.price = i.price and not exists (
    select from price_interval n
    where n.item_id = i.item_id and n.first_seen > i.first_seen and n.price <> i.price))`;
  // The end of a slip is none: the price before it was near the present one.
  const endsSlip = sql`(i.prev_price > i.price * ${slipFactor}::int and exists (
    select from price_interval e
    where e.item_id = i.item_id and e.price > 0 and e.price <= i.price * ${slipFactor}::int and e.first_seen < i.first_seen
      and (select min(n.prev_confirmed_at) from price_interval n where n.item_id = e.item_id and n.first_seen > e.first_seen)
        >= i.first_seen - ${slipDays}::int * interval '1 day'))`;
  const read = (examined: number) =>
    db.execute<Found>(sql`
    with fallen as materialized (
      select i.item_id, i.prev_price, i.price, i.first_seen, i.prev_confirmed_at
      from ${those(drop)}
      order by ${orders[query.sort]} limit ${examined + 1}
    ), matching as (
      select i.*, ${percent} as percent, ${query.onlyCurrent ? sql`true` : isCurrent} as is_current
      from (select * from fallen i order by ${orders[query.sort]} limit ${examined}) i join product p using (item_id)
      where ${percent} >= ${query.minPercent} and p.state <> 'gone' and ${ofShops} and not ${endsSlip}
        and ${query.categories.length === 0 ? sql`true` : ofCategories}
        and ${query.onlyCurrent ? isCurrent : sql`true`}
        and ${query.onlyInStock ? sql`p.stock > 0` : sql`true`}
    ), wanted as (
      select i.* from ${query.group ? firstOfGroups(orders[query.sort]) : sql`matching i`}
      order by ${orders[query.sort]} limit ${query.limit} offset ${query.offset}
    )
    select (select count(*) from fallen) as looked_at, i.item_id, i.prev_price as price_before, i.price, i.percent,
      i.first_seen as seen_at, i.prev_confirmed_at as last_seen_before_at, i.is_current
    from (select) one left join wanted i on true order by ${orders[query.sort]}`);
  const first = await read(lookedAtFirst);
  if (foundIn(first) <= lookedAtFirst) return { isComplete: true, drops: listOf(first) };
  if (listOf(first).length < query.limit) {
    const rows = await read(mostLookedAt);
    return { isComplete: foundIn(rows) <= mostLookedAt, drops: listOf(rows) };
  }
  // Counted in an index alone, also those that fell by less: of so many it is not said that all were examined.
  const [counted] = await db.execute<{ fallen: number }>(sql`
    select count(*) as fallen from (select from ${those(anyDrop)} limit ${mostLookedAt + 1}) fallen`);
  return { isComplete: (counted?.fallen ?? 0) <= mostLookedAt, drops: listOf(first) };
}

const foundIn = (rows: readonly Found[]): number => rows[0]?.looked_at ?? 0;

function listOf(rows: readonly Found[]): PriceDrop[] {
  const drops = rows.filter((row) => row.item_id !== null);
  const own = drops.map(({ looked_at: _, ...row }) => row);
  return toRecords<PriceDrop>(own, { seenAt: true, lastSeenBeforeAt: true });
}

async function hasFew(db: Db, shopIds: readonly string[], members: SQL): Promise<boolean> {
  if (shopIds.length === 0) return false;
  const [row] = await db.execute<{ found: number }>(sql`
    select count(*) as found from (${members} limit ${mostLookedAt + 1}) m`);
  return (row?.found ?? 0) <= mostLookedAt;
}
