import { sql, type SQL } from "drizzle-orm";
import type { Db } from "../db/open.ts";

export const priceDropSorts = ["newest", "biggest"] as const;

export interface PriceDropQuery {
  /** Seen at this price from then on. */
  since: Date;
  /** Of the price before, in whole percent rounded down. */
  minPercent: number;
  /** Only those whose product still costs what it fell to. */
  onlyCurrent: boolean;
  shopIds: readonly string[];
  categories: readonly string[];
  sort: (typeof priceDropSorts)[number];
  limit: number;
  offset: number;
}

/** A price that fell between two looks at a product that still exists. */
export interface PriceDrop {
  itemId: number;
  priceBefore: number;
  price: number;
  /** Of the price before, in whole percent rounded down. */
  percent: number;
  seenAt: Date;
  /** Last look at the price before. */
  lastSeenBeforeAt: Date;
  /** The product has cost the same ever since. */
  isCurrent: boolean;
}

export interface PriceDrops {
  drops: PriceDrop[];
  /** false: there are more drops than were looked at; those were the first of them in the order asked for. */
  isComplete: boolean;
}

type Row = {
  looked_at: number;
  item_id: number | null;
  prev_price: number;
  price: number;
  percent: number;
  first_seen: string;
  prev_confirmed_at: string;
  is_current: boolean;
};

/**
 * Drops judged at most, in the order asked for, however early `since`: an index gives them in that
 * order, but whether one still holds, and in which category, takes two more reads each. 5,000 take up
 * to 50 ms. Shops with no more products together are read product by product instead, whole.
 */
const MOST_LOOKED_AT = 5000;

/** As the index on it says it. */
const percent = sql`((i.prev_price - i.price) * 100 / nullif(i.prev_price, 0))`;

const orders: Record<PriceDropQuery["sort"], SQL> = {
  newest: sql`i.first_seen desc, i.item_id desc`,
  biggest: sql`${percent} desc, i.first_seen desc, i.item_id desc`,
};

/** Drops in the order asked for; a product that fell more than once may appear more than once. */
export async function readPriceDrops(db: Db, query: PriceDropQuery): Promise<PriceDrops> {
  const ofShops = anyOf(
    query.shopIds,
    (values) => sql`p.shop_id in (select json_array_elements_text(${values}))`,
  );
  const members = sql`select p.item_id from product p where ${ofShops} and p.state <> 'gone'`;
  const drop = sql`i.price < i.prev_price and i.price > 0 and i.first_seen >= ${query.since.toISOString()}
    and ${query.sort === "biggest" ? sql`${percent} >= ${query.minPercent}` : sql`true`}`;
  // `offset 0` keeps both selects as they are written: one short index range a product.
  const source = (await hasFew(db, query.shopIds, members))
    ? sql`(${members} offset 0) m cross join lateral (
        select * from price_interval i where i.item_id = m.item_id and ${drop} offset 0) i`
    : sql`price_interval i where ${drop}`;
  // Stock and proper price begin intervals too, so the price may have held over several.
  const isCurrent = sql`(p.price = i.price and not exists (
    select from price_interval n
    where n.item_id = i.item_id and n.first_seen > i.first_seen and n.price <> i.price))`;
  const rows = await db.execute<Row>(sql`
    with fallen as materialized (
      select i.item_id, i.prev_price, i.price, i.first_seen, i.prev_confirmed_at
      from ${source}
      order by ${orders[query.sort]} limit ${MOST_LOOKED_AT}
    ), wanted as (
      select i.*, ${percent} as percent, ${query.onlyCurrent ? sql`true` : isCurrent} as is_current
      from fallen i join product p using (item_id)
      where ${percent} >= ${query.minPercent} and p.state <> 'gone' and ${ofShops}
        and ${anyOf(
          query.categories,
          (values) => sql`exists (
          select from json_array_elements_text(${values}) as c(name) where p.categories ? c.name)`,
        )}
        and ${query.onlyCurrent ? isCurrent : sql`true`}
      order by ${orders[query.sort]} limit ${query.limit} offset ${query.offset}
    )
    select (select count(*) from fallen) as looked_at, i.*
    from (select) one left join wanted i on true order by ${orders[query.sort]}`);
  const [first] = rows;
  return {
    isComplete: (first?.looked_at ?? 0) < MOST_LOOKED_AT,
    drops: rows.flatMap((row) => (row.item_id === null ? [] : [toDrop(row, row.item_id)])),
  };
}

async function hasFew(db: Db, shopIds: readonly string[], members: SQL): Promise<boolean> {
  if (shopIds.length === 0) return false;
  const [row] = await db.execute<{ found: number }>(sql`
    select count(*) as found from (${members} limit ${MOST_LOOKED_AT + 1}) m`);
  return (row?.found ?? 0) <= MOST_LOOKED_AT;
}

function toDrop(row: Row, itemId: number): PriceDrop {
  return {
    itemId,
    priceBefore: row.prev_price,
    price: row.price,
    percent: row.percent,
    seenAt: new Date(row.first_seen),
    lastSeenBeforeAt: new Date(row.prev_confirmed_at),
    isCurrent: row.is_current,
  };
}

function anyOf(values: readonly string[], test: (values: SQL) => SQL): SQL {
  return values.length === 0 ? sql`true` : test(sql`${JSON.stringify(values)}::text::json`);
}
