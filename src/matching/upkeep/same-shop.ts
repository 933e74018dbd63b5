import { sql } from "drizzle-orm";
import type { Tx } from "../../db/open.ts";
import { recordset } from "../../db/rows.ts";
import type { MatchModel } from "../comparing/model.ts";
import { cosineOf, findingKeys, keysOf } from "../comparing/keys.ts";
import { placeOf, placePairs } from "../comparing/placing.ts";
import { isComparable, readItems, type Item } from "./candidates.ts";
import { comparePairs } from "./comparisons.ts";
import { readSteps } from "./stored/keys-store.ts";
import { keyOfPair, type PairRow } from "./stored/pair-rows.ts";
import type { PreparedTexts } from "./stored/texts.ts";

/** Likest products of its own shop that a product is compared with. */
const mostNeighbours = 20;

/**
 * Pairs of these products with others of the same shop, as if those were another shop: found, compared and
 * placed by the rules of pairs of two shops. The likest partner of each has its own partners compared
 * too, so that it is known which are best for both. Writes nothing.
 */
export async function compareWithinShops(
  tx: Tx,
  texts: PreparedTexts,
  itemIds: readonly number[],
  model: MatchModel,
): Promise<PairRow[]> {
  const near = await compareNeighbours(tx, texts, itemIds, model);
  const probes = new Set(itemIds);
  const partners = placeAll(near, probes, model)
    .filter(({ is_first_a: isFirstA, is_first_b: isFirstB }) => isFirstA || isFirstB)
    .flatMap(({ a, b }) => [a, b])
    .filter((itemId) => !probes.has(itemId));
  const around = await compareNeighbours(tx, texts, [...new Set(partners)], model);
  const pairs = [...new Map([...near, ...around].map((one) => [keyOfPair(one), one])).values()];
  return placeAll(pairs, new Set([...probes, ...partners]), model).filter(
    ({ a, b }) => probes.has(a) || probes.has(b),
  );
}

/** Places the pairs for these products, of which all pairs are there. */
function placeAll(
  pairs: readonly PairRow[],
  itemIds: ReadonlySet<number>,
  model: MatchModel,
): PairRow[] {
  const places = pairs.flatMap(({ a, b, shop_a: shop }) =>
    [a, b].filter((id) => itemIds.has(id)).map((id) => placeOf(id, shop)),
  );
  return placePairs(pairs, new Set(places), model);
}

async function compareNeighbours(
  tx: Tx,
  texts: PreparedTexts,
  itemIds: readonly number[],
  model: MatchModel,
): Promise<PairRow[]> {
  if (itemIds.length === 0) return [];
  const own = await readItems(tx, itemIds);
  const stepOfKey = await readSteps(tx, [...own.values()].flatMap(keysOf));
  const wanted = [...own.values()].flatMap((item) =>
    findingKeys(item, stepOfKey).map((key) => ({
      item_id: item.itemId,
      shop_id: item.shopId,
      key,
    })),
  );
  const found = await tx.execute<{ item_id: number; others: number[] }>(sql`
    select x.item_id, json_agg(distinct k.item_id) as others
    from ${recordset(wanted, "x(item_id bigint, shop_id text, key bigint)")}
    join match_key k using (key) join match_item o on o.item_id = k.item_id and o.shop_id = x.shop_id
    where k.item_id <> x.item_id
    group by x.item_id order by x.item_id`);
  const items = await readItems(tx, [...new Set(found.flatMap(({ others }) => others))]);
  for (const [itemId, item] of own) items.set(itemId, item);
  const pairs = new Map<string, [Item, Item]>();
  for (const { item_id: itemId, others } of found) {
    const item = items.get(itemId);
    if (!item) continue;
    const likest = others
      .flatMap((id) => items.get(id) ?? [])
      .filter((other) => isComparable(item, other))
      .map((other) => ({ other, cosine: cosineOf(item, other) }))
      .toSorted((x, y) => y.cosine - x.cosine || x.other.itemId - y.other.itemId)
      .slice(0, mostNeighbours);
    for (const { other } of likest) {
      const pair: [Item, Item] = itemId < other.itemId ? [item, other] : [other, item];
      pairs.set(keyOfPair({ a: pair[0].itemId, b: pair[1].itemId }), pair);
    }
  }
  const [compared] = await comparePairs(tx, texts, { pairs: [...pairs.values()], items }, [model]);
  return compared ?? [];
}
