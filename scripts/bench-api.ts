/**
 * Throughput and latency of `GET /v1/products` in one run, on one machine, beside (a) Meilisearch
 * with the same searches and whole documents, and (b) Hono with a fixed body of the same size. Each
 * server is a process of its own; the load comes from `--connections` keep-alive clients in this one,
 * whose cost is part of every figure. `zipf` searches for the words of the catalogue's titles as often
 * as they occur there: on a server that has answered each of them since its index last changed, on one
 * whose index changes as often as 10,000 calls a day make it, and on one without cache. `once` searches
 * for every word and every two adjacent words once.
 *
 * With `--base` the API of another checkout is measured too, each target directly after the same
 * target of the other, in so many rounds; the figures are those of the median round.
 *
 *   npx tsx scripts/bench-api.ts [--catalog FILE | --products 20000] [--seconds 8] [--connections 8]
 *     [--cache-mb 64] [--base FOLDER] [--rounds 1]
 */
import { must } from "../src/lib/must.ts";
import { createRandom } from "../src/lib/random.ts";
import { readArguments } from "./support/arguments.ts";
import { startBenchApi } from "./support/bench-api-process.ts";
import { withBenchCatalogue, type BenchCatalogue } from "./support/bench-catalogue.ts";
import { print } from "./support/servers.ts";
import {
  measure,
  toApiTarget,
  toRawTarget,
  wordsOf,
  zipfMix,
  type Figures,
  type Target,
} from "./support/search-load.ts";

const args = readArguments({
  catalog: null,
  products: 20_000,
  seconds: 8,
  connections: 8,
  "cache-mb": 64,
  base: null,
  rounds: 1,
});
const { seconds, connections, rounds } = args;
const load = { connections, seconds };

/** Every word and every two adjacent words of a title once, so that no cache helps: most find little. */
function everySearchOnce(titles: readonly string[]): string[] {
  const searches = new Set<string>();
  for (const title of titles) {
    const words = wordsOf(title);
    for (const [i, word] of words.entries()) {
      searches.add(word);
      if (i > 0) searches.add(`${words[i - 1]} ${word}`);
    }
  }
  return createRandom(3).shuffled([...searches]);
}

async function run(catalogue: BenchCatalogue): Promise<void> {
  const zipf = zipfMix(catalogue.titles, 200_000);
  const once = everySearchOnce(catalogue.titles);
  print({
    products: catalogue.titles.length,
    words_in_zipf: new Set(zipf).size,
    different_searches: once.length,
    connections,
    seconds,
  });
  const raw = toRawTarget(catalogue);
  const api = await openApi("kurabe", catalogue);
  const base = args.base === null ? null : await openApi("base", catalogue, args.base);
  const apis = base === null ? [api] : [base, api];
  for (const target of [raw, ...apis.flatMap(({ uncached, changing }) => [uncached, changing])]) {
    await measure(target, zipf.slice(-5000), load);
  }
  // The rarest first.
  const words = [...new Set(zipf)].toReversed();
  for (const { remembering } of apis)
    await measure(remembering, words, { ...load, most: words.length });
  const { bytes } = await measure(api.uncached, zipf, load);
  const plain = await startBenchApi(catalogue, { BENCH_FIXED_BYTES: String(bytes) });
  const fixed = toApiTarget("hono, fixed body", plain.url);
  const runs = [
    ...[
      raw,
      ...apis.map(({ uncached }) => uncached),
      ...apis.map(({ changing }) => changing),
      ...apis.map(({ remembering }) => remembering),
      fixed,
    ].map((target) => ({ mix: "zipf", list: zipf, target })),
    ...[raw, ...apis.map(({ uncached }) => uncached)].map((target) => ({
      mix: "once",
      list: once,
      target,
    })),
  ];
  const figures = new Map<string, Figures[]>();
  for (let round = 0; round < rounds; round += 1) {
    for (const { mix, list, target } of runs) {
      const figure = await measure(target, list, load);
      const key = `${mix} ${target.name}`;
      figures.set(key, [...(figures.get(key) ?? []), figure]);
      print({ mix, target: target.name, ...figure });
    }
  }
  const of = (mix: string, target: Target) => {
    const all = must(figures.get(`${mix} ${target.name}`), target.name);
    const middle = all.toSorted((a, b) => a.requests_per_s - b.requests_per_s);
    return must(middle[Math.floor(rounds / 2)], target.name);
  };
  const over = (mix: string, one: Target, other: Target) =>
    Number((of(mix, one).requests_per_s / of(mix, other).requests_per_s).toFixed(2));
  for (const { name, uncached, changing, remembering } of apis) {
    print({
      name,
      uncached_over_raw: over("zipf", uncached, raw),
      uncached_p50_ms_above_raw: Number(
        (of("zipf", uncached).p50_ms - of("zipf", raw).p50_ms).toFixed(2),
      ),
      zipf_over_raw: over("zipf", remembering, raw),
      zipf_changing_over_raw: over("zipf", changing, raw),
      zipf_over_plain_hono: over("zipf", remembering, fixed),
      once_over_raw: over("once", uncached, raw),
    });
  }
  for (const child of [...apis.flatMap(({ children }) => children), plain.child]) child.kill();
}

/** The servers of one checkout: with cache, with a changing index, and without cache. */
async function openApi(name: string, catalogue: BenchCatalogue, checkout?: string) {
  const size = { BENCH_CACHE_MB: String(args["cache-mb"]) };
  const start = (more: Record<string, string>) =>
    startBenchApi(catalogue, { ...size, ...more }, checkout);
  const remembering = await start({});
  const changing = await start({ BENCH_CHANGE_EVERY_MS: String(86_400_000 / 10_000) });
  const uncached = await start({ BENCH_FORGETFUL: "1" });
  return {
    name,
    remembering: toApiTarget(name, remembering.url),
    changing: toApiTarget(`${name}, index changing`, changing.url),
    uncached: toApiTarget(`${name}, nothing remembered`, uncached.url),
    children: [remembering, changing, uncached].map(({ child }) => child),
  };
}

await withBenchCatalogue({ file: args.catalog, products: args.products }, run);
