/** What a hot statement that grows with the catalogue costs at most, whatever its size. */
export interface Bound {
  /** File and function. */
  place: string;
  bound: string;
}

const found = "500 products that Postgres found, or 10,000 that the engine did";
const keywords = "4,000 keywords, or those of the console";
const answer = "the products of a call, 50 at most, and their indexes";

export const bounds: readonly Bound[] = [
  {
    place: "search/query/pool.ts readCandidates",
    bound: "501 products of an index, of words that at most 50,000 have",
  },
  {
    place: "search/query/sql-search.ts readPage",
    bound: found,
  },
  {
    place: "search/query/sql-search.ts readFacets",
    bound: found,
  },
  {
    place: "search/query/word-frequencies.ts readSample",
    bound: "a sample of 5,000 texts, once in ten minutes",
  },
  {
    place: "search/query/partial-matches.ts readRows",
    bound: "the first 10,000 texts, and 2,000 products of the index",
  },
  { place: "catalog/products.ts readVersionedProducts", bound: "the products of a page" },
  { place: "catalog/offer-batches.ts readOffers", bound: "the offers of 25 products" },
  { place: "catalog/lows.ts readPart", bound: "the history of 25 products" },
  { place: "catalog/price-drops.ts read", bound: "500 drops, or 5,000 if few of these fit" },
  { place: "catalog/categories.ts countCategories", bound: "one index entry of each category" },
  { place: "matching/upkeep/due.ts readMatchingStatus", bound: "10,000 rows of the list" },
  {
    place: "crawl/budget/failure-report.ts readFailures",
    bound: "the calls of three days, which the budget bounds",
  },
  {
    place: "api/status/state.ts countCalls",
    bound: "the calls of a day, which the budget bounds",
  },
  {
    place: "crawl/learning/statistics.ts readSample",
    bound: "a sample of 4,000 products, remembered",
  },
  { place: "crawl/learning/statistics.ts readPart", bound: "200 products of the sample" },
  { place: "crawl/learning/trait-factors.ts readPart", bound: "200 products of the sample" },
  {
    place: "crawl/learning/trait-factors.ts readFactors",
    bound: "the traits of 3,000 combinations",
  },
  {
    place: "crawl/learning/trait-factors.ts fitTraits",
    bound: "3,000 combinations of traits, every hour or two",
  },
  {
    place: "crawl/learning/due-shops.ts",
    bound: "the 120 most overdue products of each of a few shops",
  },
  { place: "crawl/learning/statistics.ts lockShops", bound: "the shops of 300 products" },
  { place: "crawl/learning/due-times.ts setItemDue", bound: "120 products of each of a few shops" },
  { place: "crawl/keywords/proposals.ts draw", bound: "a sample of 3,000 products" },
  { place: "crawl/keywords/proposals.ts add", bound: "the proposals of one drawing" },
  { place: "crawl/keywords/proposals.ts readEnded", bound: keywords },
  { place: "crawl/keywords/proposals.ts readTrialYields", bound: keywords },
  { place: "crawl/keywords/coverage.ts readCoverage", bound: keywords },
  { place: "crawl/learning/keywords.ts readKeywords", bound: keywords },
  { place: "crawl/learning/keywords.ts listQueries", bound: keywords },
  { place: "crawl/keywords/top-sellers.ts openFirstPages", bound: keywords },
  {
    place: "catalog/zero-results.ts readZeroResultQueries",
    bound: "20,000 searches, and the keywords",
  },
  {
    place: "crawl/budget/call-search.ts findCalls",
    bound: "the newest 20,000 calls",
  },
  { place: "catalog/demand.ts writePart", bound: "250 products" },
  { place: "catalog/observe.ts storeProducts", bound: answer },
  { place: "catalog/unit-prices.ts storeUnitPrices", bound: answer },
  { place: "catalog/shops.ts storeShops", bound: answer },
  { place: "crawl/learning/schedules.ts readSchedules", bound: answer },
  { place: "crawl/learning/learning.ts writeSchedules", bound: answer },
  { place: "crawl/learning/learning.ts writeShops", bound: answer },
  { place: "search/mirror/batch.ts upsertRows", bound: "a batch of documents" },
];
