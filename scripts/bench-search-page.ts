/**
 * Server time of the search page beside the JSON answer to the same query, in one process, without
 * a network: both are requested in turn, with the words of an invented catalogue's titles.
 *
 *   npx tsx scripts/bench-search-page.ts [--products 5000] [--searches 400]
 */
import { systemClock as clock } from "../src/lib/clock.ts";
import { createSearch } from "../src/search/search.ts";
import { createTestApi, type TestApi } from "../test/support/api.ts";
import { readArguments } from "./support/arguments.ts";
import { quantileOf } from "../src/lib/quantile.ts";
import { withBenchCatalogue, type BenchCatalogue } from "./support/bench-catalogue.ts";
import { print } from "./support/servers.ts";
import { timed } from "./support/timed.ts";

const { products, searches } = readArguments({ products: 5000, searches: 400 });
const facets = "category,shop_id,in_stock,price";
const rounds = 3;

async function compare(catalogue: BenchCatalogue, isForgetful: boolean): Promise<void> {
  const { db, engine, titles } = catalogue;
  let versions = 0;
  const indexVersion = async () => String((versions += 1));
  const search = createSearch({
    db,
    searchDb: db,
    engine,
    clock,
    ...(isForgetful ? { indexVersion } : {}),
  });
  const site = createTestApi(db, search);
  const words = titles.slice(0, searches).map((title) => title.slice(0, 3));
  const times = { json: [] as number[], page: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, q] of words.entries()) {
      const query = new URLSearchParams({ q, per_page: "24" }).toString();
      const askJson = () => timed(() => load(site.get, `/v1/products?${query}&facets=${facets}`));
      const askPage = () => timed(() => load(site.get, `/?${query}`));
      // In turn, since the second request finds the engine warm.
      const isPageFirst = (index + round) % 2 === 1;
      const first = isPageFirst ? await askPage() : 0;
      const json = await askJson();
      const page = isPageFirst ? first : await askPage();
      // The first round only warms up.
      if (round > 0) {
        times.json.push(json);
        times.page.push(page);
      }
    }
  }
  const [json, page] = [quantileOf(times.json, 0.5), quantileOf(times.page, 0.5)];
  print({
    remembered: !isForgetful,
    searches: times.json.length,
    json_p50_ms: json,
    page_p50_ms: page,
    page_over_json: Number((page / json).toFixed(2)),
  });
}

async function load(get: TestApi["get"], path: string): Promise<void> {
  const answer = await get(path);
  await answer.arrayBuffer();
  if (answer.status !== 200) throw new Error(`${answer.status} for ${path}`);
}

await withBenchCatalogue({ file: null, products }, async (catalogue) => {
  await compare(catalogue, true);
  await compare(catalogue, false);
});
