/** What a hot statement that grows with the catalogue costs at most, whatever its size. */
export interface Bound {
  /** File and function. */
  place: string;
  /** A part of its text; without it, each statement of the place. */
  part?: string;
  bound: string;
}

const found = "1,000 products that Postgres found, or 10,000 that the engine did";
const batch = "a batch of documents";

export const bounds: readonly Bound[] = [
  {
    place: "search/query/pool.ts readIds",
    bound: "1,001 products of an index, of a word that at most 50,000 have, or 20,000 texts",
  },
  { place: "search/query/sql-search.ts readPage", bound: found },
  { place: "catalog/products.ts readVersionedProducts", bound: "the products of a page" },
  {
    place: "crawl/products/refresh-requests.ts readAhead",
    bound: "the refresh requests that wait, which a quota bounds",
  },
  {
    place: "api/status/state-metrics.ts countCalls",
    bound: "the calls of a day, which the budget bounds",
  },
  { place: "catalog/unit-prices.ts storeUnitPrices", bound: "50 products and their indexes" },
  { place: "search/query/sql-search.ts readFacets", bound: found },
  { place: "search/query/sql-search.ts readHistogram", bound: found },
  {
    place: "search/query/partial-matches.ts readRows",
    bound: "10,000 texts, and 2,000 products of each set of words",
  },
  { place: "search/query/partial-matches.ts readFew", bound: "2,001 products" },
  {
    place: "search/query/word-frequencies.ts readSample",
    bound: "a sample of 5,000 texts, once in ten minutes",
  },
  { place: "catalog/offer-batches.ts readOffers", bound: "the offers of 200 products" },
  { place: "catalog/lows.ts readLows", bound: "the history of 200 products" },
  {
    place: "catalog/price-drops.ts read",
    bound: "5,000 drops, of which 500 are examined at first",
  },
  { place: "catalog/quarantine.ts readQuarantine", bound: "20,000 rows of the list" },
  { place: "crawl/budget/call-search.ts findCalls", bound: "20,000 calls" },
  {
    place: "crawl/budget/failure-report.ts readFailures",
    bound: "the calls of the days that are not summed yet",
  },
  {
    place: "crawl/learning/statistics.ts readSample",
    bound: "a sample of 4,000 products, remembered",
  },
  {
    place: "crawl/learning/statistics.ts readItemStats",
    bound: "a sample of 4,000 products, remembered",
  },
  {
    place: "crawl/learning/trait-counts.ts readTraits",
    bound: "a sample of 4,000 products, remembered",
  },
  {
    place: "crawl/learning/statistics.ts",
    part: "as shop_due_at",
    bound: "the 120 most overdue products of each of a few shops",
  },
  {
    place: "crawl/learning/statistics.ts lockShops",
    bound: "the shops of 2,000 products, once a day",
  },
  { place: "crawl/keywords/proposals.ts draw", bound: "a sample of 3,000 products" },
  { place: "crawl/keywords/proposals.ts readEnded", bound: "the keywords" },
  { place: "crawl/learning/keywords.ts readKeywords", bound: "the keywords" },
  { place: "crawl/learning/keywords.ts listQueries", bound: "the keywords" },
  { place: "search/query/pool.ts countRarest", bound: "2,000 texts" },
  { place: "matching/upkeep/due.ts readMatchingStatus", bound: "10,000 rows of the list" },
  { place: "crawl/keywords/proposals.ts readTrialYields", bound: "the keywords" },
  { place: "crawl/keywords/top-sellers.ts openFirstPages", bound: "the keywords" },
  { place: "crawl/learning/due-times.ts setItemDue", bound: "120 products of each of a few shops" },
  { place: "search/mirror/batch.ts findDueRows", bound: batch },
  { place: "catalog/categories.ts countCategories", bound: "one index entry of each category" },
  {
    place: "catalog/demand.ts writeScores",
    bound: "the products that visitors opened in a second",
  },
  { place: "db/newest.ts toNewestPage", bound: "20,000 calls" },
  { place: "crawl/safety/answer-checks.ts refuseBlanks", bound: "50 products" },
  { place: "crawl/learning/learning.ts readSchedules", bound: "50 products" },
  { place: "crawl/learning/learning.ts writeSchedules", bound: "50 products and their indexes" },
  { place: "crawl/learning/learning.ts writeShops", bound: "the shops of 50 products" },
  { place: "search/mirror/batch.ts insertBatch", bound: batch },
  { place: "catalog/shops.ts storeShops", bound: "the shops of 50 products" },
  { place: "catalog/observe.ts storeProducts", bound: "50 products and their indexes" },
  { place: "search/mirror/batch.ts readDueRows", bound: batch },
  { place: "search/mirror/batch.ts upsertRows", bound: batch },
  { place: "catalog/products.ts readStoredProducts", bound: batch },
];
