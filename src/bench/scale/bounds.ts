const found = "500 products that Postgres found, or 10,000 that the engine did";
const keywords = "4,000 keywords, or those of the console";
const answer = "the products of a call, 50 at most, and their indexes";

/** What hot statements that grow with the catalogue cost at most, whatever its size, by their file and function. */
export const bounds: Readonly<Record<string, string>> = {
  "search/query/sql/pool.ts readCandidates":
    "501 products of an index, of words that at most 50,000 have",
  "search/query/sql/sql-search.ts readPage": found,
  "search/query/sql/sql-search.ts readFacets": found,
  "search/query/words/word-frequencies.ts readSample":
    "a sample of 5,000 texts, once in ten minutes",
  "search/query/relaxed/candidate-rows.ts readRows":
    "the first 10,000 texts, and 2,000 products of the index",
  "catalog/products.ts readVersionedProducts": "the products of a page",
  "catalog/offers.ts readOffers": "the offers of 25 products",
  "catalog/history/lows.ts readPart": "the history of 25 products",
  "catalog/history/price-drops.ts read": "500 drops, or 5,000 if few of these fit",
  "catalog/counts.ts countCategories": "one index entry of each category",
  "matching/upkeep/stored/due.ts readMatchingStatus": "10,000 rows of the list",
  "crawl/budget/usage-report.ts readFailures": "the calls of three days, which the budget bounds",
  "api/status/state.ts countCalls": "the calls of a day, which the budget bounds",
  "crawl/learning/statistics.ts readSample": "a sample of 4,000 products, remembered",
  "crawl/learning/statistics.ts readPart": "200 products of the sample",
  "crawl/learning/trait-factors.ts readPart": "200 products of the sample",
  "crawl/learning/trait-factors.ts readFactors": "the traits of 3,000 combinations",
  "crawl/learning/trait-factors.ts fitTraits": "3,000 combinations of traits, every hour or two",
  "crawl/learning/due-shops.ts": "the 120 most overdue products of each of a few shops",
  "crawl/learning/statistics.ts lockShops": "the shops of 300 products",
  "crawl/learning/due-shops.ts setItemDue": "120 products of each of a few shops",
  "crawl/keywords/proposals.ts draw": "a sample of 3,000 products",
  "crawl/keywords/proposals.ts add": "the proposals of one drawing",
  "crawl/keywords/proposals.ts readEnded": keywords,
  "crawl/keywords/proposals.ts readTrialYields": keywords,
  "crawl/keywords/proposals.ts readCoverage": keywords,
  "crawl/learning/keywords.ts ready": keywords,
  "crawl/learning/keywords.ts listKeywords": keywords,
  "crawl/keywords/top-sellers.ts openFirstPages": keywords,
  "catalog/visitors/zero-results.ts readZeroResultQueries": "20,000 searches, and the keywords",
  "crawl/budget/call-log.ts findCalls": "the newest 20,000 calls",
  "db/newest.ts toNewestPage": "the index entries of the newest 20,000 rows",
  "catalog/visitors/demand.ts writePart": "250 products",
  "catalog/observing/observe.ts storeProducts": answer,
  "catalog/unit-price/unit-prices.ts storeUnitPrices": answer,
  "catalog/shops.ts storeShops": answer,
  "catalog/shops.ts readShopNames": "the 1,000 shops of a facet, remembered",
  "crawl/learning/schedules.ts readSchedules": answer,
  "crawl/learning/learning.ts writeSchedules": answer,
  "crawl/learning/learning.ts writeShops": answer,
  "search/mirror/writes/batch.ts upsertRows": "a batch of documents",
};
