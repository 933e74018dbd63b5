import { sql, type SQL } from "drizzle-orm";
import { recordset, type RowOf, toRecords } from "../db/rows.ts";
import type { MatchKind } from "../db/schema/matching.ts";
import type { ImageSlot } from "../db/schema.ts";
import type { ProductRecord } from "./products.ts";
import type { Db } from "../db/open.ts";
import { inParts } from "../lib/async.ts";

/** One shop's price for one variation of a product, or for a whole product. */
export interface OfferRecord {
  itemId: number;
  title: string;
  /** Tax included. */
  price: number;
  properPrice: number | null;
  /** null: the whole product. */
  variation: OfferedVariation | null;
  /** As GTIN-14: of the variation, or the only one of a whole product. */
  gtin: string | null;
  /** Those of the variation, if there is one. */
  stock: number;
  inStock: boolean;
  /** As the title tells it: used, refurbished, opened, graded or state with the grade; null: not said. */
  condition: string | null;
  image: ImageSlot | null;
  checkedAt: Date;
  shop: ProductRecord["shop"];
  /** Why it is the same product; null: nothing links it to another. */
  match: OfferMatch | null;
}

export interface OfferMatch {
  kind: MatchKind;
  /** 0 to 1; 1 for a barcode or a decision of people. */
  score: number;
}

export interface OfferedVariation {
  variationId: number;
  variation: string;
  variationIdentifier: string | null;
}

/** A barcode that a thousand products share is a placeholder, not a product. */
export const maxOffers = 1000;

export type LeftOut = "out_of_stock" | "unknown_price" | "gone";

/** The offers to show, cheapest in stock first, and how many are left out by reason (the first that applies). */
export interface Covered {
  offers: OfferRecord[];
  leftOut: Record<LeftOut, number>;
  /** Those shown, those left out, and those beyond the bound. */
  matched: number;
  isComplete: boolean;
}

export function onlyInStock(covered: Covered): Covered {
  const offers = covered.offers.filter((offer) => offer.inStock);
  const outOfStock = covered.offers.length - offers.length;
  return { ...covered, offers, leftOut: { ...covered.leftOut, out_of_stock: outOfStock } };
}

/** The most offers of one product that are shown where many products are asked for. */
export const maxOffersInBatch = 20;
/** Places of one statement: each offer is on a page of its own, of which few are in memory. */
export const offersPart = 25;

interface Placed extends OfferRecord {
  place: number;
  matched: number;
  shown: number;
  gone: number;
  unknownPrice: number;
}

export interface OfferQuery {
  /**
   * A query with `place, item_id, variation_id, kind, score`: offers of the product asked for at that
   * place, from 0. `variation_id` null: the whole product.
   */
  matching: SQL;
  places: number;
  /** The most offers of one place. */
  most: number;
}

/**
 * The offers of each place, first those in stock, cheapest first. A variation is in stock if both it and
 * its product are, because a refresh shows only the product's stock. What is left out is counted, but not
 * read. `offset 0` keeps Postgres from joining whole tables where it expects many offers.
 */
export async function readOffers(
  db: Db,
  { matching, places, most }: OfferQuery,
): Promise<Covered[]> {
  const covered = Array.from({ length: places }, (): Covered => ({
    offers: [],
    leftOut: { out_of_stock: 0, unknown_price: 0, gone: 0 },
    matched: 0,
    isComplete: true,
  }));
  if (places === 0) return covered;
  // The order is decided on narrow rows; images and names are read of those shown alone.
  const rows = await db.execute<RowOf<Placed>>(sql`
    with matching as (${matching}), priced as (
      select m.*, p.price, p.state = 'gone' as is_gone,
        (p.state = 'gone' or p.price <= 0)::integer as rank,
        coalesce(v.variation_stock, p.stock) > 0 and p.stock > 0 as in_stock
      from matching m cross join lateral (
        select price, stock, state from product where item_id = m.item_id offset 0
      ) p
      left join lateral (
        select variation_stock from variation
        where item_id = m.item_id and variation_id = m.variation_id offset 0
      ) v on true
    ), placed as (
      select place, item_id, variation_id, kind, score, rank, in_stock,
        row_number() over (partition by place
          order by rank, in_stock desc, price, item_id, variation_id) as nr,
        count(*) over own as matched, count(*) filter (where rank = 0) over own as shown,
        count(*) filter (where is_gone) over own as gone,
        count(*) filter (where not is_gone and rank = 1) over own as unknown_price
      from priced window own as (partition by place)
    )
    select o.place, o.matched, o.shown, o.gone, o.unknown_price, o.in_stock,
      case when o.kind is not null then json_build_object('kind', o.kind, 'score', o.score) end as match,
      p.item_id, p.title, p.price, p.proper_price,
      case when v.item_id is not null then json_build_object('variationId', v.variation_id,
        'variation', v.variation, 'variationIdentifier', v.variation_identifier) end as variation,
      case when v.item_id is not null then v.gtin else (
        select case when min(gtin) = max(gtin) then min(gtin) end
        from (select gtin from variation where item_id = p.item_id offset 0) own
      ) end as gtin,
      coalesce(v.variation_stock, p.stock) as stock,
      (select condition from product_attribute where item_id = p.item_id) as condition,
      jsonb_path_query_first(p.images, '$[*] ? (@ != null)') as image, p.checked_at,
      json_build_object('shopId', s.shop_id, 'shopName', s.shop_name, 'shopUrl', s.shop_url) as shop
    from placed o
    cross join lateral (select * from product where item_id = o.item_id offset 0) p
    cross join lateral (select * from shop where shop_id = p.shop_id offset 0) s
    left join lateral (
      select * from variation
      where item_id = o.item_id and variation_id = o.variation_id offset 0
    ) v on true
    where o.nr <= ${most} and (o.rank = 0 or o.nr = 1)
    order by o.place, o.nr`);
  for (const row of toRecords<Placed>(rows, { checkedAt: true })) {
    const { place, matched, shown, gone, unknownPrice, ...offer } = row;
    const set = covered[place];
    if (!set) continue;
    set.matched = matched;
    set.isComplete = shown <= most;
    set.leftOut = { out_of_stock: 0, unknown_price: unknownPrice, gone };
    if (shown > 0) set.offers.push(offer);
  }
  return covered;
}

/** Every product and variation with one of these barcodes (GTIN-14), deleted ones counted, in their order. */
export function readOffersOfGtins(
  db: Db,
  gtins: readonly string[],
  most: number,
): Promise<Covered[]> {
  return inParts(gtins, offersPart, (part) => readOffersOfFew(db, part, most));
}

function readOffersOfFew(db: Db, gtins: readonly string[], most: number): Promise<Covered[]> {
  const wanted = gtins.map((gtin, place) => ({ place, gtin }));
  const matching = sql`
    select w.place, v.item_id, v.variation_id, 'gtin' as kind, 1 as score
    from ${recordset(wanted, "w(place integer, gtin text)")}
    join variation v on v.gtin = w.gtin`;
  return readOffers(db, { matching, places: gtins.length, most });
}
