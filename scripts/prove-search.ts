/**
 * Sends random searches with every parameter to `GET /v1/products` over a catalogue, and compares hits,
 * order, `found`, facets and offers with the results of its own plain SQL in Postgres. Exit code
 * 1 if anything differs.
 *
 *   npx tsx scripts/prove-search.ts [--catalog FILE | --products 20000] [--queries 500] [--seed 1]
 */
import { sql } from "drizzle-orm";
import fc from "fast-check";
import { systemClock } from "../src/lib/clock.ts";
import { janCheckDigit } from "../src/sandbox/catalogue/generate.ts";
import type { SandboxItem } from "../src/sandbox/catalogue/item.ts";
import { createSearch } from "../src/search/search.ts";
import { createTestApi } from "../test/support/api.ts";
import { prepareOracle } from "../test/support/search-oracle.ts";
import { anyQuery, differences, readVocabulary, toPath } from "../test/support/search-proof.ts";
import { withBenchCatalogue, type BenchCatalogue } from "./support/bench-catalogue.ts";
import { readArguments } from "./support/arguments.ts";
import { say } from "./support/servers.ts";

const args = readArguments({ catalog: null, products: 20_000, queries: 500, seed: 1 });
const oldestSeconds = 90_000;

/** Invents stock, reductions and barcodes if the file has none: filters need them. */
function seasoned(item: SandboxItem, index: number): SandboxItem {
  if (args.catalog === null) return item;
  const body = `49${String(Math.floor(index / 3)).padStart(10, "0")}`;
  const barcode = index % 4 === 0 ? `${body}${janCheckDigit(body)}` : null;
  return {
    ...item,
    stock: index % 7 === 0 ? 0 : (index % 5) + 1,
    proper_price: index % 6 === 0 ? item.price + (index % 900) : item.proper_price,
    order_count: index % 11 === 0 ? index : 0,
    variations: barcode
      ? [
          {
            variation_id: index + 1,
            variation: "size",
            variation_stock: 1,
            variation_identifier: null,
            barcode,
          },
        ]
      : item.variations,
  };
}

async function run({ db, engine, items }: BenchCatalogue): Promise<number> {
  await db.execute(sql`
    update product set checked_at = checked_at - (item_id % ${oldestSeconds}) * interval '1 second'`);
  await prepareOracle(db);
  const now = systemClock.now();
  const clock = { ...systemClock, now: () => now };
  const api = createTestApi(db, { clock, ...createSearch({ db, searchDb: db, engine, clock }) });
  const vocabulary = await readVocabulary(db, args.catalog ? [] : ["ピアス", "椅子", "万年筆"]);
  const queries = fc.sample(anyQuery(vocabulary, oldestSeconds + 3600), {
    numRuns: args.queries,
    seed: args.seed,
  });
  let wrong = 0;
  let rows = 0;
  for (const query of queries) {
    const path = toPath(query);
    const response = await api.get(path);
    const { found = 0 } = (await response.clone().json()) as { found?: number };
    rows += found;
    const faults = await differences(db, query, now, response);
    if (faults.length === 0) continue;
    wrong += 1;
    say(decodeURIComponent(path));
    for (const fault of faults) say(`  ${fault.slice(0, 600)}`);
  }
  say(
    `${queries.length} searches over ${items.length} products, ${rows} found in all: ${wrong} differ`,
  );
  return wrong;
}

const { catalog: file, products } = args;
const wrong = await withBenchCatalogue({ file, products, change: seasoned }, run);
process.exitCode = wrong === 0 ? 0 : 1;
