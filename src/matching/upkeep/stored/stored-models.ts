import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Db, Tx } from "../../../db/open.ts";
import { contextNames, featureNames } from "../../comparing/features.ts";
import type { MatchModel } from "../../comparing/model.ts";
import { shippedModel } from "../../comparing/model-weights.ts";

/** The model whose pairs count, and the one that is to follow it. */
export interface Models {
  inUse: MatchModel;
  next: MatchModel | null;
}

const storedModel = z.object({
  version: z.int(),
  bias: z.number(),
  features: z.array(
    z.object({
      name: z.string(),
      mean: z.number(),
      deviation: z.number().positive(),
      weight: z.number(),
    }),
  ),
});

/**
 * The models by their stored weights, so that processes of another version judge by the same. Weights that cannot be
 * read, or are of features that this version does not know, cannot be used: the shipped model replaces them.
 */
export async function readModels(tx: Db | Tx, shipped: MatchModel = shippedModel): Promise<Models> {
  const [row] = await tx.execute<{
    next_model: number | null;
    in_use: unknown;
    next: unknown;
  }>(sql`
    select h.next_model, u.weights as in_use, n.weights as next from match_head h
    left join match_model u on u.version = h.model left join match_model n on n.version = h.next_model`);
  const usable = (weights: unknown) => {
    const model = storedModel.safeParse(weights).data;
    return model && fitsFeatures(model) ? model : shipped;
  };
  return {
    inUse: usable(row?.in_use),
    next: row?.next_model === null || !row ? null : usable(row.next),
  };
}

export async function storeModel(tx: Tx, model: MatchModel): Promise<void> {
  await tx.execute(sql`
    insert into match_model (version, weights) values (${model.version}, ${JSON.stringify(model)}::text::jsonb)
    on conflict (version) do update set weights = excluded.weights`);
}

function fitsFeatures({ features }: MatchModel): boolean {
  const names = [...featureNames, ...contextNames];
  return features.length === names.length && features.every(({ name }, i) => name === names[i]);
}
