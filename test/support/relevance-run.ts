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

/** Fills the index `uid` as somebody would who only knows the quick start, and asks both. */
export async function compareRelevance(options: {
  items: readonly SandboxItem[];
  search: SearchProducts;
  meili: { host: string; apiKey: string };
  uid: string;
}): Promise<Compared[]> {
  const { items, search, meili, uid } = options;
  const call = async <T>(path: string, body?: unknown): Promise<T> => {
    const response = await fetch(`${meili.host}/${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${meili.apiKey}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return (await response.json()) as T;
  };
  const documents = items.map(({ item_id, title, categories, shop_name, ...item }) => ({
    id: item_id,
    title,
    categories,
    shop_name,
    identifier: item.identifier,
    barcodes: item.variations.map((variation) => variation.barcode),
    detail: item.detail,
  }));
  const { taskUid } = await call<{ taskUid: number }>(
    `indexes/${uid}/documents?primaryKey=id`,
    documents,
  );
  for (;;) {
    const { status } = await call<{ status: string }>(`tasks/${taskUid}`);
    if (status === "succeeded") break;
    if (status === "failed") throw new Error("the index could not be filled");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const compared: Compared[] = [];
  for (const judged of judgedSearches(items)) {
    const hits = await search({ q: judged.q, page: 1, perPage: mostFound });
    const plain = await call<{ hits: { id: number }[] }>(`indexes/${uid}/search`, {
      q: judged.q,
      limit: mostFound,
    });
    compared.push({
      search: judged,
      ours: scoreOf(judged, items, hits.ids),
      defaults: scoreOf(
        judged,
        items,
        plain.hits.map((hit) => hit.id),
      ),
    });
  }
  return compared;
}
