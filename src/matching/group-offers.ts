import { sql } from "drizzle-orm";
import { offersPart, readOffers, type Covered, type OfferRecord } from "../catalog/offers.ts";
import { idList } from "../db/rows.ts";
import type { Db } from "../db/open.ts";
import { inParts } from "../lib/async.ts";
import { areOtherPackages } from "./upkeep/stored/attribute-rows.ts";
import { isPlaceholder } from "./upkeep/stored/keys-store.ts";

/** Pairs `own, other` that people decided are different; the newest decision of a pair counts. */
const decidedDifferent = (itemIds: readonly number[]) => sql`
  select own, other from (
    select distinct on (own, other) own, other, decision from (
      select a as own, b as other, decision, id from match_decision where a in ${idList(itemIds)}
      union all
      select b, a, decision, id from match_decision where b in ${idList(itemIds)}
    ) decided order by own, other, id desc
  ) newest where decision = 'different'`;

/**
 * The offers of each of these products, in their order, deleted products included. First come variations
 * that share a barcode with it, except placeholders and packages of another size; then the other members of
 * its group, as whole products. What people decided is different is never one of them. A product that
 * nothing links to another is its only offer.
 */
export function readOffersOfProducts(
  db: Db,
  itemIds: readonly number[],
  most: number,
): Promise<Covered[]> {
  return inParts(itemIds, offersPart, (ids) => readOffersOfFew(db, ids, most));
}

/** `offset 0` keeps Postgres from joining whole tables, which it prefers where it expects many offers. */
function readOffersOfFew(db: Db, itemIds: readonly number[], most: number): Promise<Covered[]> {
  const matching = sql`
    with wanted as (
      select (nr - 1)::integer as place, id::bigint as own
      from json_array_elements_text(${JSON.stringify(itemIds)}::text::json) with ordinality as t(id, nr)
    ), different as materialized (${decidedDifferent(itemIds)}), coded as materialized (
      select distinct w.place, w.own, v.item_id, v.variation_id
      from wanted w
      cross join lateral (
        select gtin, ${isPlaceholder(sql`v.gtin`)} as is_placeholder
        from variation v where item_id = w.own and gtin is not null offset 0) o
      cross join lateral (
        select item_id, variation_id from variation
        where gtin = o.gtin and (not o.is_placeholder or item_id = w.own) offset 0) v
      where v.item_id = w.own or not ${areOtherPackages(sql`w.own`, sql`v.item_id`)}
    ), linked as (
      select place, own, item_id, variation_id, 'gtin' as kind, 1::real as score from coded
      union all
      select w.place, w.own, f.item_id, null, f.kind, f.score
      from wanted w cross join lateral (
        select f.item_id, f.kind, f.score from group_member m join group_member f using (group_id)
        where m.item_id = w.own offset 0
      ) f
      where not exists (select from coded c where c.place = w.place and c.item_id = f.item_id)
      union all
      select w.place, w.own, w.own, null, null, null from wanted w
      where not exists (select from coded c where c.place = w.place)
        and not exists (select from group_member m where m.item_id = w.own)
    )
    select place, item_id, variation_id, kind, score from linked l
    where not exists (select from different d where d.own = l.own and d.other = l.item_id)`;
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
    with different as materialized (${decidedDifferent(itemIds)}), near as (
      select w.own, n.* from ${idList(itemIds)} w(own)
      cross join lateral (
        select b as item_id, kind, score from match_pair where a = w.own and tier = 'similar'
        union all
        select a, kind, score from match_pair where b = w.own and tier = 'similar' offset 0
      ) n
    ), best as (
      select distinct on (n.item_id) n.item_id, n.kind, n.score
      from near n cross join lateral (
        select from product p
        where p.item_id = n.item_id and p.state <> 'gone' and p.price > 0 offset 0
      ) p
      where n.item_id not in ${idList(itemIds)}
        and not exists (select from different d where d.own = n.own and d.other = n.item_id)
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
