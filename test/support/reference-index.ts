import type { Meilisearch } from "meilisearch";
import { filterAttributes, sortNames } from "../../src/search/instantsearch/filter-attributes.ts";

const named = (type: (name: string) => boolean) =>
  [...filterAttributes.keys()].filter((name) => type(name));
const features = (facetSearch: boolean, comparison: boolean) => ({
  facetSearch,
  filter: { equality: true, comparison },
});
const searchable = ["shop_id", "categories", "category"];
const patience = { timeout: 60_000 };
const isNumber = (name: string) => filterAttributes.get(name)?.type === "number";

/** An index as a site would make it of the products that `/meili` shows: with their public names. */
export async function createReferenceIndex(
  client: Meilisearch,
  uid: string,
  products: Record<string, unknown>[],
): Promise<void> {
  await client.createIndex(uid, { primaryKey: "id" }).waitTask(patience);
  const index = client.index(uid);
  await index
    .updateSettings({
      searchableAttributes: ["title", "categories", "shop_name", "identifier", "gtins", "detail"],
      localizedAttributes: [{ attributePatterns: ["*"], locales: ["jpn"] }],
      filterableAttributes: [
        { attributePatterns: searchable, features: features(true, false) },
        {
          attributePatterns: named((name) => !searchable.includes(name) && !isNumber(name)),
          features: features(false, false),
        },
        { attributePatterns: named(isNumber), features: features(false, true) },
      ],
      sortableAttributes: [...sortNames],
      rankingRules: [
        "sort",
        "words",
        "typo",
        "proximity",
        "attribute",
        "exactness",
        "in_stock:desc",
        "popularity:desc",
        "modified:desc",
        "id:asc",
      ],
      pagination: { maxTotalHits: 10_000 },
      faceting: { maxValuesPerFacet: 1000, sortFacetValuesBy: { "*": "count" } },
    })
    .waitTask(patience);
  await index.addDocuments(products).waitTask(patience);
}
