import type { Index } from "meilisearch";
import type { SandboxItem } from "../../src/sandbox/catalogue/item.ts";
import type { SearchProducts } from "../../src/search/query/product-search.ts";
import { judgedSearches, scoreOf, type JudgedSearch, type Score } from "./relevance.ts";

export interface Compared {
  search: JudgedSearch;
  ours: Score;
  /** Of Meilisearch as it comes, over the products as the shops wrote them. */
  defaults: Score;
}

const mostFound = 1000;

/** Fills the new index as somebody would who only knows the quick start, and asks both. */
export async function compareRelevance(
  items: readonly SandboxItem[],
  search: SearchProducts,
  index: Index,
): Promise<Compared[]> {
  const documents = items.map(({ item_id, variations, ...item }) => ({
    id: item_id,
    title: item.title,
    categories: item.categories,
    shop_name: item.shop_name,
    identifier: item.identifier,
    barcodes: variations.map(({ barcode }) => barcode),
    detail: item.detail,
  }));
  const added = index.addDocuments(documents, { primaryKey: "id" });
  const { error } = await added.waitTask({ timeout: 60_000 });
  if (error) throw new Error(`the index could not be filled: ${error.message}`);
  const compared: Compared[] = [];
  for (const judged of judgedSearches(items)) {
    const hits = await search({ q: judged.q, page: 1, perPage: mostFound });
    const plain = await index.search(judged.q, { limit: mostFound });
    const plainIds = plain.hits.map((hit) => Number(hit.id));
    compared.push({
      search: judged,
      ours: scoreOf(judged, items, hits.ids),
      defaults: scoreOf(judged, items, plainIds),
    });
  }
  return compared;
}
