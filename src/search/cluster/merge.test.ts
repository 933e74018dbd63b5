import { describe, expect, it } from "vitest";
import { mergeAnswers, mergeFacetValues, toHostQuery } from "./merge.ts";

const hit = (id: number, over: Record<string, unknown> = {}) => ({
  id,
  _rankingScore: 1,
  in_stock: true,
  title_length: 3,
  popularity: 0,
  modified: 0,
  ...over,
});
const answer = (hits: Record<string, unknown>[], over = {}) => ({
  hits,
  processingTimeMs: 1,
  ...over,
});
const query = { q: "", attributesToRetrieve: ["id"], page: 1, hitsPerPage: 3 };
const idsOf = (merged: { hits: Record<string, unknown>[] }) => merged.hits.map(({ id }) => id);

describe("a query for one host", () => {
  it("asks from the first hit on, for its buckets, with all that orders hits", () => {
    const asked = toHostQuery(
      { ...query, page: 3, filter: ["price > 1"], sort: ["price:asc", "id:asc"] },
      "products_h1_v1",
      "bucket IN [1]",
    );
    expect(asked).toMatchObject({
      page: 1,
      hitsPerPage: 9,
      filter: ["bucket IN [1]", "price > 1"],
      attributesToRetrieve: expect.arrayContaining(["id", "price", "popularity"]),
      showRankingScore: true,
    });
  });
});

describe("the hosts' answers", () => {
  it("are ordered by sort, then score, then the ranking rules' last ones, and show nothing more than asked", () => {
    const sorted = { ...query, sort: ["price:desc"] };
    const merged = mergeAnswers(sorted, [
      answer([hit(1, { price: 5 }), hit(2, { price: 1 })]),
      answer([hit(3, { price: 9, _rankingScore: 0.1 }), hit(4, { price: null })]),
    ]);
    expect(merged.hits).toEqual([{ id: 3 }, { id: 1 }, { id: 2 }]);
    const byScore = mergeAnswers(query, [
      answer([hit(5), hit(1, { in_stock: false })]),
      answer([hit(4), hit(9, { _rankingScore: 0.9 })]),
    ]);
    expect(idsOf(byScore)).toEqual([4, 5, 1]);
  });

  it("give a page of all, exact totals, and each value of a distinct attribute once", () => {
    const first = answer([hit(1), hit(3), hit(5)], { totalHits: 30 });
    const second = answer([hit(2), hit(4), hit(6)], { totalHits: 12 });
    const paged = mergeAnswers({ ...query, page: 2, hitsPerPage: 2 }, [first, second]);
    expect([idsOf(paged), paged.totalHits]).toEqual([[3, 4], 42]);
    const shops = [answer([hit(1, { shop_id: "a" })]), answer([hit(2, { shop_id: "a" })])];
    expect(idsOf(mergeAnswers({ ...query, distinct: "shop_id" }, shops))).toEqual([1]);
  });

  it("sum the counts of facets, and say where a host may have left out values", () => {
    const counts = (values: Record<string, number>, max: number) =>
      answer([], {
        facetDistribution: { shop_id: values },
        facetStats: { price: { min: 2, max } },
      });
    const merged = mergeAnswers(query, [counts({ a: 1, b: 2 }, 7), counts({ b: 3 }, 4)]);
    expect(merged).toMatchObject({
      facetDistribution: { shop_id: { b: 5, a: 1 } },
      facetStats: { price: { min: 2, max: 7 } },
    });
    expect(merged.lowCounts).toBeUndefined();
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`s${i}`, 1]));
    const cut = mergeAnswers(query, [counts(many, 7), counts({ b: 3 }, 4)]);
    expect(cut.lowCounts).toEqual(["shop_id"]);
    expect(Object.keys(cut.facetDistribution?.shop_id ?? {})).toHaveLength(1000);
  });

  it("sum the values of a facet search", () => {
    const values = (facetHits: { value: string; count: number }[]) => ({
      facetHits,
      facetQuery: "x",
      processingTimeMs: 1,
    });
    const merged = mergeFacetValues([
      values([{ value: "xa", count: 2 }]),
      values([
        { value: "xb", count: 3 },
        { value: "xa", count: 2 },
      ]),
    ]);
    expect(merged.facetHits).toEqual([
      { value: "xa", count: 4 },
      { value: "xb", count: 3 },
    ]);
  });
});
