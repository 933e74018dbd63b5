import { sql } from "drizzle-orm";
import { anyId, type RowOf, rowsOf, toRecords } from "../../db/rows.ts";
import type { Tx } from "../../db/open.ts";
import {
  cosineOf,
  findingKeys,
  keysOf,
  sharesName,
  type ItemKeys,
  type WeightedWords,
} from "../comparing/keys.ts";
import { readSteps } from "./stored/keys-store.ts";

export interface Item extends ItemKeys, WeightedWords {
  itemId: number;
  shopId: string;
  codes: readonly number[];
}

/**
 * Titles that are less alike are not compared. The rule looks at both products alone, so that no third one
 * can push a pair out.
 */
const leastCosine = 0.45;

export async function readItems(tx: Tx, itemIds: readonly number[]): Promise<Map<number, Item>> {
  const rows = await tx.execute<RowOf<Item>>(sql`
    select item_id, shop_id, to_json(codes) as codes, to_json(words) as words, to_json(models) as models,
      to_json(couples) as couples, to_json(steps) as steps
    from match_item where item_id = ${anyId(itemIds)}`);
  return new Map(toRecords<Item>(rows, {}).map((item) => [item.itemId, item]));
}

/** Gives the products the present steps of their words, and returns a function that knows those of all their keys. */
export async function refreshSteps(
  tx: Tx,
  items: Iterable<Item>,
): Promise<(key: number) => number> {
  const all = [...items];
  const stepOfKey = await readSteps(tx, all.flatMap(keysOf));
  for (const item of all) item.steps = item.words.map(stepOfKey);
  const rows = all.map(({ itemId, steps }) => ({ item_id: itemId, steps }));
  await tx.execute(sql`
    update match_item m set steps = x.steps
    from ${rowsOf("match_item", rows)} x where m.item_id = x.item_id and m.steps <> x.steps`);
  return stepOfKey;
}

export interface Candidates {
  /** Pairs to compare, the smaller id first. */
  pairs: [Item, Item][];
  /** All products of the pairs. */
  items: Map<number, Item>;
}

/**
 * The products of other shops that share a finding key with one of these, and enough of the title. Those that
 * are due themselves are left out: when their turn comes, they are compared with these.
 */
export async function findCandidates(
  tx: Tx,
  own: ReadonlyMap<number, Item>,
  stepOfKey: (key: number) => number,
): Promise<Candidates> {
  const wanted = [...own.values()].flatMap((item) =>
    findingKeys(item, stepOfKey).map((key) => ({ item_id: item.itemId, key })),
  );
  const found = await tx.execute<{ item_id: number; others: number[] }>(sql`
    select x.item_id, json_agg(distinct k.item_id) as others
    from ${rowsOf("match_key", wanted)} x
    -- Not flattened into a join: each key is looked up in the index, however large the planner thinks the list is.
    cross join lateral (select item_id from match_key where key = x.key offset 0) k
    where k.item_id <> x.item_id
    group by x.item_id order by x.item_id`);
  const others = new Set(found.flatMap((row) => row.others).filter((id) => !own.has(id)));
  const waiting = await readWaiting(tx, others);
  const settled = [...others].filter((id) => !waiting.has(id));
  const items = await readItems(tx, settled);
  for (const [itemId, item] of own) items.set(itemId, item);
  const pairs = found.flatMap(({ item_id, others: ids }) =>
    ids.flatMap((id): [Item, Item][] => {
      const [item, other] = [items.get(item_id), items.get(id)];
      if (!item || !other || item.shopId === other.shopId) return [];
      // A pair within the slice is found from both sides.
      if (own.has(id) && id < item_id) return [];
      if (!isComparable(item, other)) return [];
      return [item_id < id ? [item, other] : [other, item]];
    }),
  );
  return { pairs, items };
}

/** Whether the titles have enough in common to be compared. */
export function isComparable(left: Item, right: Item): boolean {
  return sharesName(left, right) || cosineOf(left, right) >= leastCosine;
}

export async function readWaiting(tx: Tx, itemIds: Iterable<number>): Promise<Set<number>> {
  const rows = await tx.execute<{ item_id: number }>(sql`
    select item_id from match_due where item_id = ${anyId([...itemIds])}`);
  return new Set(rows.map(({ item_id }) => item_id));
}
