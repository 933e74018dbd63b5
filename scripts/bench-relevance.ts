/**
 * NDCG@10 and recall of the labelled searches over the sandbox's catalogue, ours beside Meilisearch
 * with its own defaults over the same products, so that a change in ranking is seen.
 *
 *   npx tsx scripts/bench-relevance.ts [--products 2000]
 */
import { systemClock as clock } from "../src/lib/clock.ts";
import { createSearch } from "../src/search/search.ts";
import { meanOf, type Score } from "../test/support/relevance.ts";
import { compareRelevance } from "../test/support/relevance-run.ts";
import { readNumbers } from "./arguments.ts";
import { openBenchCatalogue } from "./bench-catalogue.ts";
import { withServers } from "./servers.ts";

const { products } = readNumbers({ products: 2000 });
const say = (name: string, ours: Score, defaults: Score) => {
  const figures = [ours.ndcg, defaults.ndcg, ours.recall, defaults.recall];
  process.stdout.write(`${figures.map((n) => n.toFixed(3).padStart(8)).join("")}  ${name}\n`);
};

async function run(databaseUrl: string, meili: { host: string; apiKey: string }): Promise<void> {
  const { db, engine, items, close } = await openBenchCatalogue({
    databaseUrl,
    meili,
    file: null,
    products,
  });
  const { search } = createSearch({ db, searchDb: db, engine, clock });
  const visible = items.filter((item) => item.visible === 1);
  const compared = await compareRelevance({ items: visible, search, meili, uid: "defaults" });
  process.stdout.write("  NDCG@10 default  recall default\n");
  for (const { search: judged, ours, defaults } of compared) {
    say(`${judged.q}  (${judged.trait})`, ours, defaults);
  }
  say(
    "mean",
    meanOf(compared.map(({ ours }) => ours)),
    meanOf(compared.map(({ defaults }) => defaults)),
  );
  await close();
}

await withServers(({ databaseUrl, meili }) => run(databaseUrl, meili));
