import { sql } from "drizzle-orm";
import type { Db } from "../db/open.ts";
import { offerColumns, toOffer, type Covered, type OfferRow } from "./offers.ts";

/** The most offers of one product that are shown where many products are asked for. */
export const maxOffersInBatch = 20;

type Row = OfferRow & {
  place: number;
  matched: number;
  shown: number;
  gone: number;
  unknown_price: number;
};

/**
 * What `readOffers` and `coverOffers` say of each set of barcodes (GTIN-14), for all sets in one statement
 * and with fewer offers of each; in the order of the sets. What is left out is counted, but not read.
 */
export async function readOffersOfMany(
  db: Db,
  sets: readonly (readonly string[])[],
): Promise<Covered[]> {
  const covered = sets.map((): Covered => ({
    offers: [],
    leftOut: { out_of_stock: 0, unknown_price: 0, gone: 0 },
    matched: 0,
    isComplete: true,
  }));
  if (sets.length === 0) return covered;
  const wanted = sets.flatMap((gtins, place) => gtins.map((gtin) => ({ place, gtin })));
  // The order is decided on narrow rows; images and names are read of those shown alone.
  const rows = await db.execute<Row>(sql`
    with matching as (
      select w.place, v.item_id, v.variation_id, p.price, p.state = 'gone' as is_gone,
        (p.state = 'gone' or p.price <= 0)::integer as rank,
        v.variation_stock > 0 and p.stock > 0 as in_stock
      from json_to_recordset(${JSON.stringify(wanted)}::text::json) as w(place integer, gtin text)
      join variation v on v.gtin = w.gtin join product p using (item_id)
    ), placed as (
      select place, item_id, variation_id, rank,
        row_number() over (partition by place
          order by rank, in_stock desc, price, item_id, variation_id) as nr,
        count(*) over own as matched, count(*) filter (where rank = 0) over own as shown,
        count(*) filter (where is_gone) over own as gone,
        count(*) filter (where not is_gone and rank = 1) over own as unknown_price
      from matching window own as (partition by place)
    )
    select o.place, o.matched, o.shown, o.gone, o.unknown_price, ${offerColumns}
    from placed o
    join variation v on v.item_id = o.item_id and v.variation_id = o.variation_id
    join product p on p.item_id = o.item_id
    join shop s using (shop_id)
    where o.nr <= ${maxOffersInBatch} and (o.rank = 0 or o.nr = 1)
    order by o.place, o.nr`);
  for (const row of rows) {
    const set = covered[row.place];
    if (!set) continue;
    set.matched = row.matched;
    set.isComplete = row.shown <= maxOffersInBatch;
    set.leftOut = { out_of_stock: 0, unknown_price: row.unknown_price, gone: row.gone };
    if (row.shown > 0) set.offers.push(toOffer(row));
  }
  return covered;
}
