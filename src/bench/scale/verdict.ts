import type { Growth, Row } from "./report.ts";

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

/** Times as long, or as many pages, at N as at N/100. */
const mostGrowth = 2;
const mostRequestMs = 50;
const mostSliceMs = 1000;

export interface Verdict {
  row: Row;
  isHot: boolean;
  /** Which rules it breaks. */
  faults: string[];
  /** Why a hot statement may break them: what it costs at most, whatever the size. */
  bound: string | null;
}

/**
 * Hot are the statements of requests and of the steps of the crawl and the mirror: none grows, and none of a
 * request is slow, but for those with a bound. Nothing in the background takes long.
 *
 * A statement grows if it takes longer. If it reads no more pages, the time in which it waits for them does not count:
 * the small catalogue lies in the memory of Postgres, the large one does not. Nor then does the time in which the bench
 * itself is busy with other answers.
 */
export function judge(row: Row, known = bounds): Verdict {
  const p95Ms = row.sizes.at(-1)?.p95Ms ?? 0;
  const isHot = row.kind !== "background";
  const faults: string[] = [];
  const growth = growthOf(row);
  if (isHot && growth > mostGrowth) faults.push(`${growth.toFixed(1)} times as long`);
  if (row.kind === "request" && p95Ms > mostRequestMs) faults.push(`${p95Ms} ms in a request`);
  if (!isHot && p95Ms > mostSliceMs) faults.push(`${p95Ms} ms in the background`);
  return { row, isHot, faults, bound: (isHot && known[row.place]) || null };
}

/** 0: it was not met at both sizes. */
const growthOf = ({ growth }: Row): number =>
  growth === null ? 0 : growth.pages > mostGrowth ? growth.time : growth.inMemory;

/** Breaks a rule, and no bound allows it. */
export const isBeyond = ({ faults, bound }: Verdict): boolean =>
  faults.length > 0 && bound === null;

/** How many of the hot statements stay within the rules, and those that do not. */
export function* toSummary(verdicts: readonly Verdict[]): Generator<string> {
  const hot = verdicts.filter(({ isHot, row }) => isHot && row.growth !== null);
  const countOf = (is: (growth: Growth) => boolean) =>
    hot.filter(({ row }) => row.growth !== null && is(row.growth)).length;
  yield `hot statements met at the smallest and the largest size: ${hot.length}`;
  yield `  at most twice as long: ${countOf(({ time }) => time <= mostGrowth)}`;
  yield `  at most twice as many pages: ${countOf(({ pages }) => pages <= mostGrowth)}`;
  const withinRule = hot.filter(({ row }) => growthOf(row) <= mostGrowth);
  yield `  at most twice as long, or longer for no more pages because it waits for them: ${withinRule.length}`;
  const waited = hot.map(({ row }) => row.sizes.at(-1)?.waitedP95Ms ?? 0);
  yield `  longest wait for a connection, p95: ${Math.max(0, ...waited)} ms`;
  yield `background: ${verdicts.filter(({ isHot }) => !isHot).length}`;
  const broken = verdicts.filter(({ faults }) => faults.length > 0);
  yield* toList(
    "bounded",
    broken.filter((verdict) => !isBeyond(verdict)),
  );
  yield* toList("beyond", broken.filter(isBeyond));
}

function* toList(title: string, verdicts: readonly Verdict[]): Generator<string> {
  yield `${title}: ${verdicts.length}`;
  for (const { row, faults, bound } of verdicts) {
    const text = `${row.place} (${row.from}): ${faults.join(", ")}, ${(row.growth?.pages ?? 1).toFixed(1)} times the pages`;
    yield bound === null ? `  ${text}: ${row.statement.slice(0, 100)}` : `  ${text}; ${bound}`;
  }
}

/** The statements as a table, slowest first. */
export function* toTable(
  verdicts: readonly Verdict[],
  sizes: readonly number[],
): Generator<string> {
  yield `${sizes.map((size) => `p50/p95/pages, ${size}`.padStart(26)).join("")}   ratio  times  kind        statement`;
  const slowest = ({ row }: Verdict) => row.sizes.at(-1)?.p95Ms ?? 0;
  for (const verdict of verdicts.toSorted((a, b) => slowest(b) - slowest(a))) {
    const { row } = verdict;
    const costs = row.sizes.map((cost) =>
      (cost ? `${cost.p50Ms} / ${cost.p95Ms} / ${cost.pages}` : "-").padStart(26),
    );
    const ratio = row.growth === null ? "-" : row.growth.time.toFixed(1);
    const times = String(row.sizes.at(-1)?.times ?? 0);
    yield `${costs.join("")}${ratio.padStart(8)}${times.padStart(7)}  ${row.kind.padEnd(12)}${row.place} (${row.from}): ${row.statement.slice(0, 60)}`;
    yield `${" ".repeat(26 * sizes.length + 29)}${row.nodes.join(", ")}`;
  }
}
