/** Bodies of a search of several queries, right and wrong ones. The index is `products`. */

const one = { indexUid: "products", attributesToRetrieve: ["id"], sort: ["price:asc"] };
const federated = (federation: unknown, over: object = {}, ...others: object[]) => ({
  queries: [{ ...one, ...over }, ...others.map((other) => ({ ...one, ...other }))],
  federation,
});
const facets = (by: unknown, merge?: unknown) => ({
  limit: 1,
  facetsByIndex: by,
  ...(merge === undefined ? {} : { mergeFacets: merge }),
});

export const multiSearches: readonly unknown[] = [
  {},
  { queries: [] },
  { queries: {} },
  { queries: [1] },
  { queries: [{}] },
  { federation: {} },
  { queries: [one] },
  { queries: [one, one] },
  { queries: [one], other: 1 },
  { queries: [one, { ...one, indexUid: "films" }] },
  { queries: [one, { ...one, filter: "x = 1" }] },
  { queries: [one, { ...one, limit: "x" }] },
  ...["prod ucts", 1, "", null].map((indexUid) => ({ queries: [{ ...one, indexUid }] })),
  ...["facets", "sort", "attributesToSearchOn"].map((field) => ({
    queries: [{ ...one, [field]: ["nope"] }],
  })),
  { queries: [{ ...one, distinct: "nope" }] },
  { queries: [{ ...one, vector: [1] }] },
  { queries: [{ ...one, hybrid: { embedder: "x" }, q: "x" }] },
  { queries: [{ ...one, federationOptions: { weight: 2 } }] },
  { queries: [{ ...one, federationOptions: null }], federation: null },
  { queries: [], federation: {} },
  ...[{}, { limit: 2, offset: 3 }, { limit: -1 }, { limit: null }, { page: 2 }, 1].map((asked) =>
    federated(asked),
  ),
  ...[{ limit: 1 }, { offset: 1 }, { page: 1 }, { hitsPerPage: 1 }, { limit: null }].map((own) =>
    federated({}, own),
  ),
  ...[["price"], ["price", "stock"], [], null].map((own) => federated({}, { facets: own })),
  ...[0, 2.5, -1, "x", null].map((weight) => federated({}, { federationOptions: { weight } })),
  ...[{ other: 1 }, { queryPosition: "x" }, { queryPosition: 1 }, { remote: "x" }, 1, null].map(
    (federationOptions) => federated({ limit: 1 }, { federationOptions }),
  ),
  federated({ limit: 5 }, { filter: "price > 3000" }, { filter: "price < 1000" }),
  federated({ limit: 30 }, { distinct: "shop_id" }),
  federated({ limit: 5 }, { filter: "nope = 1" }),
  federated({ limit: 5 }, {}, { indexUid: "films" }),
  federated({ limit: 5 }, {}, { sort: ["price:desc"] }),
  federated({ limit: 4 }, { q: "財布", attributesToHighlight: ["title"] }, { q: "zzz" }),
  ...[["shop_id", "price"], [], null, "x", [1], ["nope"]].map((list) =>
    federated(facets({ products: list })),
  ),
  federated(facets({ films: ["x"] })),
  federated(facets({ "a b": [] })),
  federated(facets(1)),
  federated(facets(null)),
  ...[{}, { maxValuesPerFacet: 2 }, { maxValuesPerFacet: -1 }, { no: 1 }, 1, null].map((merge) =>
    federated(facets({ products: ["shop_id", "stock"] }, merge)),
  ),
];
