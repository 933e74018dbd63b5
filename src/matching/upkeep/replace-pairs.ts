import type { Tx } from "../../db/open.ts";
import type { MatchModel } from "../comparing/model.ts";
import { placeOf, placePairs } from "../comparing/placing.ts";
import { readWaiting } from "./candidates.ts";
import {
  dropPairs,
  keyOfPair,
  readPairsAt,
  readPairsOf,
  storePairs,
  type PairRow,
  type PairTable,
  type Place,
} from "./stored/pair-rows.ts";
import { decidePairs, ratePairs } from "./ratings.ts";

/** Pairs, and the model that they are judged by. */
export interface Judged {
  table: PairTable;
  model: MatchModel;
}

/** Stores the pairs of products anew. Returns the products whose links have changed. */
export async function replacePairs(
  tx: Tx,
  { table, model }: Judged,
  itemIds: readonly number[],
  compared: readonly PairRow[],
): Promise<number[]> {
  const due = new Set(itemIds);
  const before = await readPairsOf(tx, table, itemIds);
  const partners = before.flatMap(({ a, b }) => [a, b]).filter((id) => !due.has(id));
  const waiting = await readWaiting(tx, partners);
  // Those with a product that is due stay until its turn: groups would fall apart for a moment.
  const kept = before.filter(({ a, b }) => waiting.has(a) || waiting.has(b));
  const places = toPlaces([...before, ...compared]);
  const around = await readPairsAt(tx, table, [...places.values()], itemIds);
  const old = new Map([...before, ...around].map((pair) => [keyOfPair(pair), pair]));
  const decided = await decidePairs(tx, [...compared, ...kept, ...around], due);
  const placed = placePairs(decided, new Set(places.keys()), model);
  const next = await ratePairs(tx, model, placed);

  const stays = new Set(next.map(keyOfPair));
  const dropped = before.filter((pair) => !stays.has(keyOfPair(pair)));
  const changed = next.filter((pair) => !isSame(pair, old.get(keyOfPair(pair))));
  await dropPairs(tx, table, dropped);
  await storePairs(tx, table, changed);
  return [...dropped, ...changed, ...changed.flatMap((pair) => old.get(keyOfPair(pair)) ?? [])]
    .filter(({ tier }) => tier === "equal")
    .flatMap(({ a, b }) => [a, b]);
}

function toPlaces(pairs: readonly PairRow[]): Map<string, Place> {
  const places = new Map<string, Place>();
  for (const { a, b, shop_a, shop_b } of pairs) {
    places.set(placeOf(a, shop_b), { itemId: a, shopId: shop_b });
    places.set(placeOf(b, shop_a), { itemId: b, shopId: shop_a });
  }
  return places;
}

function isSame(pair: PairRow, old: PairRow | undefined): boolean {
  if (!old) return false;
  return (Object.keys(pair) as (keyof PairRow)[]).every((column) =>
    column === "vetoes"
      ? String(pair.vetoes) === String(old.vetoes)
      : Object.is(pair[column], old[column]),
  );
}
