import { sql } from "drizzle-orm";
import { idList } from "../../db/lists.ts";
import type { Tx } from "../../db/open.ts";
import type { MatchModel } from "../comparing/model.ts";
import { joins, scorePlaced } from "../comparing/placing.ts";
import { isDoubtful, rateTier, shippedLimits, type Limits } from "../comparing/limits.ts";
import type { Veto } from "../comparing/vetoes.ts";
import { keyOfPair, rounded, type PairRow } from "./stored/pair-rows.ts";
import { readDecisions } from "./stored/decision-rows.ts";

/** The pairs with the decisions on those of the products in `due`; the others have theirs. */
export async function decidePairs(
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
export async function ratePairs(
  tx: Tx,
  model: MatchModel,
  pairs: readonly PairRow[],
): Promise<PairRow[]> {
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
