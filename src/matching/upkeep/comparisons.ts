import type { Tx } from "../../db/open.ts";
import { compare } from "../comparing/features.ts";
import { toWordKeys, weightOf } from "../comparing/keys.ts";
import { isSameWording } from "../comparing/limits.ts";
import { toBase, type MatchModel } from "../comparing/model.ts";
import { inOneScript } from "../comparing/one-script.ts";
import type { Rule } from "../comparing/placing.ts";
import type { Prepared } from "../titles/prepare.ts";
import type { Candidates, Item } from "./candidates.ts";
import { rounded, type PairRow } from "./stored/pair-rows.ts";
import { readTrueCodes } from "./stored/keys-store.ts";
import { readTexts, type PreparedTexts } from "./stored/texts.ts";

/**
 * The candidates as pairs with the likeness of their titles, judged by each of the models; their places and
 * scores are not known yet.
 */
export async function comparePairs(
  tx: Tx,
  texts: PreparedTexts,
  { pairs, items }: Candidates,
  models: readonly MatchModel[],
): Promise<PairRow[][]> {
  const itemIds = new Set(pairs.flatMap(([left, right]) => [left.itemId, right.itemId]));
  const products = await readTexts(tx, [...itemIds]);
  const prepared = new Map(products.map((product) => [product.item_id, texts.prepare(product)]));
  const idf = toIdf(prepared, items);
  const trueCodes = await readTrueCodes(tx, pairs.flat());
  const compared = pairs.flatMap(([left, right]) => {
    const [l, r] = [prepared.get(left.itemId), prepared.get(right.itemId)];
    // Deleted a moment ago: it is due again.
    if (!l || !r) return [];
    const comparison = compare(l, r, idf);
    return [
      {
        comparison,
        row: {
          a: left.itemId,
          b: right.itemId,
          shop_a: left.shopId,
          shop_b: right.shopId,
          rule: ruleOfCodes(left, right, trueCodes),
          shares_model: comparison.sharesModel,
          soft_min: comparison.softMin,
          same_wording: isSameWording(comparison, ...inOneScript(l, r)),
          vetoes: [...comparison.vetoes],
          cosine: comparison.cosine,
          best_a: 0,
          best_b: 0,
          is_first_a: false,
          is_first_b: false,
          score: 0,
          tier: "none" as const,
          kind: comparison.sharesModel ? ("model" as const) : ("text" as const),
          is_doubtful: false,
        },
      },
    ];
  });
  return models.map((model) =>
    compared.map(({ comparison, row }) => rounded({ ...row, base: toBase(comparison, model) })),
  );
}

/** Weights of words by their frequency, which is the same for all products that are not due. */
function toIdf(
  prepared: ReadonlyMap<number, Prepared>,
  items: ReadonlyMap<number, Item>,
): (token: string) => number {
  const weights = new Map<string, number>();
  for (const [itemId, { tokens }] of prepared) {
    const item = items.get(itemId);
    const steps = new Map(item?.words.map((word, i) => [word, item.steps[i] ?? 0]));
    for (const [token, key] of toWordKeys(tokens)) {
      const step = steps.get(key);
      if (step !== undefined) weights.set(token, weightOf(step));
    }
  }
  return (token) => weights.get(token) ?? weightOf(0);
}

function ruleOfCodes(left: Item, right: Item, trueCodes: ReadonlySet<number>): Rule | null {
  const [l, r] = [left.codes, right.codes].map((codes) => codes.filter((c) => trueCodes.has(c)));
  if (!l?.length || !r?.length) return null;
  return l.some((code) => r.includes(code)) ? "code" : "other_code";
}
