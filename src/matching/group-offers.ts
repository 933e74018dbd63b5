import { sql, type SQL } from "drizzle-orm";
import { readOffers } from "../catalog/offer-batches.ts";
import type { Covered, OfferRecord } from "../catalog/offers.ts";
import { idList } from "../db/lists.ts";
import type { Db } from "../db/open.ts";

/** People decided that these two are different; their newest decision counts. */
const different = (one: SQL, other: SQL) => sql`coalesce((
  select d.decision = 'different' from match_decision d
  where d.a = least(${one}, ${other}) and d.b = greatest(${one}, ${other})
  order by d.id desc limit 1), false)`;

/**
 * The offers of each of these products, in their order, deleted products included: variations with one of
 * its barcodes, then the other members of its group as whole products. A product that nothing links to
 * another is its only offer.
 */
export async function readOffersOfProducts(
  db: Db,
  itemIds: readonly number[],
  most: number,
): Promise<Covered[]> {
  const sharesCode = sql`exists (
    select from variation own join variation v using (gtin)
    where own.item_id = w.item_id and v.item_id = f.item_id)`;
  const matching = sql`
    with wanted as (
      select (nr - 1)::integer as place, id::bigint as item_id
      from json_array_elements_text(${JSON.stringify(itemIds)}::text::json) with ordinality as t(id, nr)
    )
    select distinct w.place, v.item_id, v.variation_id, 'gtin' as kind, 1::real as score
    from wanted w join variation own on own.item_id = w.item_id
    join variation v on v.gtin = own.gtin
    where v.item_id = w.item_id or not ${different(sql`v.item_id`, sql`w.item_id`)}
    union all
    select w.place, f.item_id, null, f.kind, f.score
    from wanted w join group_member m on m.item_id = w.item_id
    join group_member f on f.group_id = m.group_id
    where not ${sharesCode}
    union all
    select w.place, w.item_id, null, null, null from wanted w
    where not exists (select from variation v where v.item_id = w.item_id and v.gtin is not null)
      and not exists (select from group_member m where m.item_id = w.item_id)`;
  return readOffers(db, { matching, places: itemIds.length, most });
}

/** The most offers of a group that are shown; they are the cheapest in stock. */
export const maxGroupOffers = 200;

/** One offer for each member of a group. */
export async function readOffersOfGroup(db: Db, groupId: number): Promise<Covered> {
  const matching = sql`
    select 0 as place, item_id, null::bigint as variation_id, kind, score
    from group_member where group_id = ${groupId}`;
  const [covered] = await readOffers(db, { matching, places: 1, most: maxGroupOffers });
  if (!covered) throw new Error("the offers of one group are those of one place");
  return covered;
}

const maxSimilar = 12;

/**
 * Products that resemble one of these, and may or may not be the same, most alike first. None of them is
 * a member of its group, or of a group of these, and none was decided to be different.
 */
export async function readSimilar(db: Db, itemIds: readonly number[]): Promise<OfferRecord[]> {
  const matching = sql`
    with near as (
      select a as own, b as item_id, kind, score from match_pair
      where a in ${idList(itemIds)} and tier = 'similar'
      union all
      select b, a, kind, score from match_pair where b in ${idList(itemIds)} and tier = 'similar'
    ), best as (
      select distinct on (n.item_id) n.item_id, n.kind, n.score
      from near n join product p on p.item_id = n.item_id
      where p.state <> 'gone' and p.price > 0 and n.item_id not in ${idList(itemIds)}
        and not ${different(sql`n.item_id`, sql`n.own`)}
        and not exists (
          select from group_member o join group_member m using (group_id)
          where o.item_id = n.own and m.item_id = n.item_id)
      order by n.item_id, n.score desc
    )
    select 0 as place, item_id, null::bigint as variation_id, kind, score
    from best order by score desc, item_id limit ${maxSimilar}`;
  const [covered] = await readOffers(db, { matching, places: 1, most: maxSimilar });
  return (covered?.offers ?? []).toSorted(
    (x, y) => (y.match?.score ?? 0) - (x.match?.score ?? 0) || x.itemId - y.itemId,
  );
}
