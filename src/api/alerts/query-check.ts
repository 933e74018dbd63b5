import { anchorsOf, type Anchor, readFrequency } from "../../alerts/anchors.ts";
import { findUnknown } from "../../alerts/saved-searches.ts";
import type { SavedQuery } from "../../db/schema.ts";
import { createWordFrequencies } from "../../search/query/word-frequencies.ts";
import type { ApiDeps } from "../http/deps.ts";
import type { ParameterFault } from "../http/problem.ts";

const needsMore =
  "must restrict the products by at least one of: q (a word to find), shop_id, category, gtin, price_min, price_max, item_id, group_id";

/** Finds the anchors of queries, and what makes them none to save. */
export function createQueryCheck({
  db,
  writeDb,
  cache,
}: Pick<ApiDeps, "db" | "writeDb" | "cache">): (
  query: SavedQuery,
) => Promise<{ anchors: Anchor[]; faults: ParameterFault[] }> {
  const readWords = createWordFrequencies(db, cache);
  return async (query) => {
    const faults: ParameterFault[] = await findUnknown(writeDb, query);
    const anchors = anchorsOf(query, await readFrequency(db, readWords, query));
    if (anchors.length === 0) faults.push({ parameter: "query", message: needsMore });
    return { anchors, faults };
  };
}
