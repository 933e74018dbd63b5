import { sql } from "drizzle-orm";
import type { Tx } from "../../db/open.ts";
import { idList } from "../../db/rows.ts";
import type { MatchModel } from "../comparing/model.ts";
import { placeOf, placePairs, joins, scorePlaced } from "../comparing/placing.ts";
import { isDoubtful, rateTier, shippedLimits, type Limits } from "../comparing/limits.ts";
import type { Veto } from "../comparing/vetoes.ts";
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
  rounded,
  readDecisions,
} from "./stored/pair-rows.ts";

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

/** The pairs with the decisions on those of the products in `due`; the others have theirs. */
async function decidePairs(
  tx: Tx,
  pairs: readonly PairRow[],
  due: ReadonlySet<number>,
): Promise<PairRow[]> {
  const decisions = new Map(
    (await readDecisions(tx, [...due])).map((d) => [keyOfPair(d), d.decision] as const),
  );
  return pairs.map((pair) => ({ ...pair, rule: decisions.get(keyOfPair(pair)) ?? pair.rule }));
}

/** The pairs with score, tier and kind by their place. */
async function ratePairs(tx: Tx, model: MatchModel, pairs: readonly PairRow[]): Promise<PairRow[]> {
  const limits = await readLimits(tx, new Set(pairs.flatMap(({ a, b }) => [a, b])));
  return pairs.map((pair) => rate(pair, model, strictest(limits.get(pair.a), limits.get(pair.b))));
}

function rate(pair: PairRow, model: MatchModel, limits: Limits): PairRow {
  const score = Math.fround(scorePlaced(pair, model));
  const evidence = {
    score,
    sharesModel: pair.shares_model,
    softMin: pair.soft_min,
    sameWording: pair.same_wording,
    vetoes: pair.vetoes as Veto[], // only written by `comparePairs`
    isMutualBest: pair.is_first_a && pair.is_first_b,
  };
  const kindByTitle = pair.shares_model ? "model" : "text";
  return rounded({
    ...pair,
    score,
    tier: pair.rule ? (joins[pair.rule] ? "equal" : "none") : rateTier(evidence, limits),
    kind: pair.rule === "same" ? "manual" : pair.rule === "code" ? "gtin" : kindByTitle,
    is_doubtful: pair.rule === null ? isDoubtful(evidence, limits) : isDoubtfulCode(pair),
  });
}

/** One code at twice the price is often another package, or another product. */
function isDoubtfulCode({ rule, vetoes }: PairRow): boolean {
  return rule === "code" && vetoes.includes("price");
}

function strictest(left: Limits = shippedLimits, right: Limits = shippedLimits): Limits {
  return {
    threshold: Math.max(left.threshold, right.threshold),
    isLinked: left.isLinked && right.isLinked,
  };
}

async function readLimits(tx: Tx, itemIds: Iterable<number>): Promise<Map<number, Limits>> {
  const rows = await tx.execute<{ item_id: number; threshold: number; is_linked: boolean }>(sql`
    select i.item_id, c.threshold, c.is_linked from match_item i join match_category c using (category)
    where i.item_id in ${idList([...itemIds])}`);
  return new Map(
    rows.map(({ item_id, threshold, is_linked }) => [item_id, { threshold, isLinked: is_linked }]),
  );
}
