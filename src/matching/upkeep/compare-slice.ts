import type { Tx } from "../../db/open.ts";
import { placeOf, placePairs } from "../placing.ts";
import { comparePairs } from "./comparisons.ts";
import { findCandidates, readItems, readWaiting, refreshSteps } from "./candidates.ts";
import { readDue, settle, type SliceRequest } from "./due.ts";
import { regroup } from "./group-rows.ts";
import {
  dropPairs,
  keyOfPair,
  readPairsAt,
  readPairsOf,
  storePairs,
  type PairRow,
  type Place,
} from "./pair-rows.ts";
import { ratePairs } from "./ratings.ts";
import type { PreparedTexts } from "./texts.ts";

/**
 * Compares products that are due with those that share a key, and forms the groups anew that this concerns.
 * Returns the number of products. In the end a pair is stored if and only if both titles, as they are
 * now, make it one: it is computed anew when the later of both is no longer due.
 */
export async function compareSlice(
  tx: Tx,
  texts: PreparedTexts,
  request: SliceRequest & { at: Date },
): Promise<number> {
  const due = await readDue(tx, request);
  if (due.length === 0) return 0;
  const itemIds = due.map(({ itemId }) => itemId);
  const own = await readItems(tx, itemIds);
  const stepOfKey = await refreshSteps(tx, own.values());
  const candidates = await findCandidates(tx, own, stepOfKey);
  const compared = await comparePairs(tx, texts, candidates);
  const changed = await replacePairs(tx, itemIds, compared);
  await regroup(tx, [...itemIds, ...changed], request.at);
  await settle(tx, due);
  return due.length;
}

/** Returns the products whose links have changed. */
async function replacePairs(
  tx: Tx,
  itemIds: readonly number[],
  compared: readonly PairRow[],
): Promise<number[]> {
  const due = new Set(itemIds);
  const before = await readPairsOf(tx, itemIds);
  const partners = before.flatMap(({ a, b }) => [a, b]).filter((id) => !due.has(id));
  const waiting = await readWaiting(tx, partners);
  // Those with a product that is due stay until its turn: groups would fall apart for a moment.
  const kept = before.filter(({ a, b }) => waiting.has(a) || waiting.has(b));
  const places = toPlaces([...before, ...compared]);
  const around = await readPairsAt(tx, [...places.values()], itemIds);
  const old = new Map([...before, ...around].map((pair) => [keyOfPair(pair), pair]));
  const placed = placePairs([...compared, ...kept, ...around], new Set(places.keys()));
  const next = await ratePairs(tx, placed, due);

  const stays = new Set(next.map(keyOfPair));
  const dropped = before.filter((pair) => !stays.has(keyOfPair(pair)));
  const changed = next.filter((pair) => !isSame(pair, old.get(keyOfPair(pair))));
  await dropPairs(tx, dropped);
  await storePairs(tx, changed);
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
