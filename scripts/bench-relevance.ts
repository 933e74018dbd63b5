/**
 * How well searches find what shoppers want, by a labelled set: Kurabe's product search, beside
 * Meilisearch with its default settings and BM25 (k1 1.2, b 0.75), over the same titles in the same
 * run, with what a search costs. BM25 reads lower-case words, and Japanese as pairs of characters;
 * `bm25+stems` folds English plurals, -ed and -ing too.
 *
 *   npx tsx scripts/bench-relevance.ts --products FILE --queries FILE --labels FILE
 *     [--gain exponential|linear] [--timed 400] [--json FILE]
 *
 * Files are JSON lines, a JSON array, CSV or tab-separated, gzip or not: products `item_id` (or `id`) and `title`,
 * queries `query_id` (or `id`), `query` and perhaps `kind`, labels `query_id`, `item_id` and `grade`
 * (0 is wrong, 3 exactly right). `scripts/relevance-sets.ts` writes such files.
 */
import { writeFile } from "node:fs/promises";
import { z } from "zod";
import { systemClock as clock } from "../src/lib/clock.ts";
import { must } from "../src/lib/must.ts";
import { toSandboxItem, type SandboxItem } from "../src/sandbox/catalogue/item.ts";
import type { Engine } from "../src/search/engine/engine.ts";
import { normalise } from "../src/search/index/normalise.ts";
import type { SearchProducts } from "../src/search/query/product-search.ts";
import { createSearch } from "../src/search/search.ts";
import { readArguments, needed } from "./support/arguments.ts";
import { spread, withBenchCatalogue, type BenchCatalogue } from "./support/bench-catalogue.ts";
import { createBm25, stemTokens, wordTokens } from "./relevance/bm25.ts";
import { judge, summarise, toReport, type Judged } from "./relevance/judge.ts";
import { quantileOf } from "../src/lib/quantile.ts";
import { toTable } from "./relevance/measures.ts";
import { readLabelledSet, type LabelledSet } from "./relevance/read-set.ts";
import { say } from "./support/servers.ts";
import { timed } from "./support/timed.ts";

const args = readArguments({
  products: needed,
  queries: needed,
  labels: needed,
  gain: "exponential",
  timed: 400,
  json: null,
});
const gain = z.enum(["exponential", "linear"]).parse(args.gain);
const depth = 100;
const pageSize = 20;
/** The most that the API allows. */
const maxQueryChars = 200;
const defaultsUid = "defaults";

/** Only the title: every system searches titles alone. */
function toItems(set: LabelledSet): SandboxItem[] {
  return set.products.map(({ title }, i) =>
    toSandboxItem({
      item_id: i + 1,
      title,
      price: 1000,
      stock: 1,
      visible: 1,
      list_order: 1,
      modified: 1_700_000_000,
      shop_id: "shop",
      shop_name: "",
      shop_url: "https://shop.example.com/",
    }),
  );
}

async function fillDefaults(engine: Engine, items: readonly SandboxItem[]): Promise<void> {
  await engine.awaitTask(await engine.createIndex(defaultsUid), 60_000);
  for (let from = 0; from < items.length; from += 10_000) {
    const lines = items
      .slice(from, from + 10_000)
      .map(({ item_id, title }) => JSON.stringify({ id: item_id, title }));
    await engine.awaitTask(await engine.addDocuments(defaultsUid, lines.join("\n")), 600_000);
  }
}

/** Both get each query in turn, and each is first equally often: the second one finds warm memory. */
async function timeSearches(
  queries: readonly string[],
  search: SearchProducts,
  ask: (q: string) => Promise<unknown>,
) {
  const times: { words: number; kurabeMs: number; engineMs: number }[] = [];
  for (const q of queries) {
    const words = normalise(q).split(/\s+/).length;
    const time = { words, kurabeMs: 0, engineMs: 0 };
    const inTurn = [
      async () => (time.engineMs = await timed(() => ask(q))),
      async () => (time.kurabeMs = await timed(() => search({ q, page: 1, perPage: pageSize }))),
    ];
    for (const work of times.length % 2 === 0 ? inTurn : inTurn.toReversed()) await work();
    times.push(time);
  }
  const summary = (name: string, part: typeof times) => {
    const quantile = (of: "kurabeMs" | "engineMs", share: number) =>
      quantileOf(
        part.map((time) => time[of]),
        share,
      );
    return {
      searches: name,
      queries: part.length,
      kurabe_p50_ms: quantile("kurabeMs", 0.5),
      kurabe_p95_ms: quantile("kurabeMs", 0.95),
      engine_p50_ms: quantile("engineMs", 0.5),
      engine_p95_ms: quantile("engineMs", 0.95),
    };
  };
  const [one, several] = [
    times.filter(({ words }) => words === 1),
    times.filter(({ words }) => words > 1),
  ];
  return [summary("one word", one), summary("several words", several)].filter(
    ({ queries }) => queries > 0,
  );
}

const set = await readLabelledSet(args);
const startedMs = clock.monotonicMs();
const seconds = () => `${((clock.monotonicMs() - startedMs) / 1000).toFixed(1)} s`;
say(`${set.products.length} products, ${set.queries.length} queries; gain ${gain}`);

async function run({ db, engine, items, titles, indexUid }: BenchCatalogue): Promise<void> {
  say(`${seconds()}: products stored and mirrored`);
  await fillDefaults(engine, items);
  say(`${seconds()}: Meilisearch with default settings filled`);
  const openSearch = () => createSearch({ db, searchDb: db, engine, clock }).search;
  const search = openSearch();
  const bm25 = createBm25(titles, wordTokens);
  const bm25Stems = createBm25(titles, stemTokens);
  const itemIds = (positions: readonly number[]) =>
    positions.map((position) => must(set.products[position], "a product").itemId);
  const judged: Judged[] = [];
  let degraded = 0;
  for (const [i, query] of set.queries.entries()) {
    const q = query.query.slice(0, maxQueryChars);
    const hits = await search({ q, page: 1, perPage: depth });
    degraded += Number(hits.degraded);
    const plain = await engine.search(defaultsUid, { q, limit: depth });
    const found = {
      kurabe: itemIds(hits.ids.map((id) => id - 1)),
      meilisearch: itemIds(plain.hits.map((hit) => Number(hit.id) - 1)),
      bm25: itemIds(bm25.find(q, depth)),
      "bm25+stems": itemIds(bm25Stems.find(q, depth)),
    };
    judged.push(...[judge(set, query, found, gain) ?? []].flat());
    if ((i + 1) % 250 === 0) say(`${seconds()}: ${i + 1} queries done`);
  }
  const unlabelled = set.queries.length - judged.length;
  if (unlabelled > 0) say(`left out: ${unlabelled} queries without a right product`);
  if (degraded > 0) say(`answered by Postgres instead of the engine: ${degraded} queries`);
  const summaries = summarise(judged, "kurabe");
  say(`\n${toReport(summaries, "kurabe", ["bm25", "bm25+stems"])}\n`);

  const texts = [...new Set(set.queries.map(({ query }) => query.slice(0, maxQueryChars)))];
  const timings = await timeSearches(spread(texts, args.timed), openSearch(), (q) =>
    engine.search(indexUid, {
      q: normalise(q),
      locales: ["jpn"],
      matchingStrategy: "all",
      page: 1,
      hitsPerPage: pageSize,
      attributesToRetrieve: ["id"],
    }),
  );
  const cells = timings.map(({ searches, queries, ...times }) => [
    searches,
    String(queries),
    ...Object.values(times).map((ms) => ms.toFixed(1)),
    (times.kurabe_p50_ms / times.engine_p50_ms).toFixed(2),
    (times.kurabe_p95_ms / times.engine_p95_ms).toFixed(2),
  ]);
  const heads = ["kurabe p50", "p95", "one all-words query p50", "p95", "p50 ratio", "p95 ratio"];
  say(toTable([[`ms, first ${pageSize}`, "queries", ...heads], ...cells]));
  if (args.json !== null) {
    await writeFile(
      args.json,
      JSON.stringify({ products: items.length, gain, degraded, summaries, timings, judged }),
    );
  }
  say(`\n${seconds()} in all`);
}

await withBenchCatalogue({ file: toItems(set), products: 0 }, run);
