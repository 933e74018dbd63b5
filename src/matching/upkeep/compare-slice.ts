import type { Tx } from "../../db/open.ts";
import type { MatchModel } from "../comparing/model.ts";
import { findCandidates, readItems, refreshSteps } from "./candidates.ts";
import { comparePairs } from "./comparisons.ts";
import { settle, type Due } from "./stored/due.ts";
import { regroup } from "./stored/group-rows.ts";
import { replacePairs } from "./replace-pairs.ts";
import { readModels } from "./stored/stored-models.ts";
import type { PreparedTexts } from "./stored/texts.ts";

/**
 * Compares products that are due with those that share a key, and forms the groups anew that this concerns.
 * In the end a pair is stored if and only if both titles, as they are
 * now, make it one: it is computed anew when the later of both is no longer due. A model that follows judges
 * them too, beside the one in use. Returns the products that keep their groups because too many hang together.
 */
export async function compareSlice(
  tx: Tx,
  texts: PreparedTexts,
  due: readonly Due[],
  { at, shipped }: { at: Date; shipped: MatchModel },
): Promise<number[]> {
  const itemIds = due.map(({ itemId }) => itemId);
  const own = await readItems(tx, itemIds);
  const stepOfKey = await refreshSteps(tx, own.values());
  const candidates = await findCandidates(tx, own, stepOfKey);
  const { inUse, next } = await readModels(tx, shipped);
  const models = next ? [inUse, next] : [inUse];
  const [compared = [], follows = []] = await comparePairs(tx, texts, candidates, models);
  const changed = await replacePairs(tx, { table: "match_pair", model: inUse }, itemIds, compared);
  if (next) await replacePairs(tx, { table: "match_pair_next", model: next }, itemIds, follows);
  const left = await regroup(tx, [...itemIds, ...changed], at);
  await settle(tx, due);
  return left;
}
