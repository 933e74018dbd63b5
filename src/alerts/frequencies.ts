import { readCountsOf } from "../catalog/counts.ts";
import type { Db } from "../db/open.ts";
import type { SavedQuery } from "../db/schema.ts";
import type { ReadWordFrequencies } from "../search/query/word-frequencies.ts";
import type { Frequency } from "./anchors.ts";

/** The share of the catalogue that one band of prices is taken for. */
const shareOfBand = 0.1;

/** About how many products have what the query names. */
export async function readFrequency(
  db: Db,
  readWords: ReadWordFrequencies,
  { shop_id: shops = [], category: categories = [] }: SavedQuery,
): Promise<Frequency> {
  const [words, byShop, byCategory] = await Promise.all([
    readWords(),
    readCountsOf(db, "shop", shops),
    readCountsOf(db, "category", categories),
  ]);
  return (kind, key) => {
    switch (kind) {
      case "word":
        return words.countOf({ text: key, forms: [key], loose: [] });
      case "shop":
        return byShop.get(key) ?? 0;
      case "category":
        return byCategory.get(key) ?? 0;
      case "price":
        return words.products * shareOfBand;
    }
  };
}
