/**
 * Writes a labelled set for `scripts/bench-relevance.ts` by rule, the same on every run with the same
 * seed: invented titles of hardware and home goods (en) or of small shops (ja), or the titles of a file
 * (`--catalog`, JSON lines with `title`, or with pairs of offers), and what shoppers may type about
 * them, with one difficulty each, which is the query's kind.
 *
 *   npx tsx scripts/relevance-sets.ts --out FOLDER --language en|ja|de [--catalog FILE]
 *     [--products 5000] [--queries 600] [--seed 1]
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { readArguments, needed } from "./support/arguments.ts";
import { readTitles } from "./relevance/catalogue-titles.ts";
import { inventSet } from "./relevance/invent-set.ts";
import { inventEnglish } from "./relevance/english.ts";
import { inventJapanese } from "./relevance/japanese.ts";
import { readRows, readText } from "./relevance/read-set.ts";
import { createRandom } from "../src/lib/random.ts";

const args = readArguments({
  out: needed,
  language: "en",
  catalog: null,
  products: 5000,
  queries: 600,
  seed: 1,
});
const language = z.enum(["en", "de", "ja"]).parse(args.language);
const random = createRandom(args.seed);
const offer = z.object({ title: z.string() });
const row = z.union([
  offer.transform(({ title }) => [title]),
  z
    .object({ left: offer, right: offer })
    .transform(({ left, right }) => [left, right].map(({ title }) => withoutMarks(title))),
]);

/** Quotes and language tags around the parts of an offer's title: "Case"@en-US; inch signs stay. */
function withoutMarks(title: string): string {
  const plain = title.replaceAll(/@[a-z]{2}(?:-[a-z]{2})?\b/gi, " ");
  return plain
    .replaceAll(/(?<!\d)"|\bNull\b/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}

async function readCatalogue(file: string) {
  const titles = new Set(readRows(await readText(file)).flatMap((value) => row.parse(value)));
  const all = [...titles].map((title, i) => ({ itemId: i + 1, title }));
  const most = args.products;
  const step = Math.max(1, all.length / most);
  return all.filter((_, i) => Math.floor(i / step) !== Math.floor((i - 1) / step)).slice(0, most);
}

async function productsOf() {
  if (args.catalog !== null) return readTitles(await readCatalogue(args.catalog), language);
  if (language === "de") throw new Error("--language de needs --catalog FILE");
  return (language === "en" ? inventEnglish : inventJapanese)(args.products, random);
}

const products = await productsOf();
const { queries, labels } = inventSet({
  products,
  language,
  queries: args.queries,
  random,
});
const { out } = args;
await mkdir(out, { recursive: true });
const write = (name: string, rows: readonly object[]) =>
  writeFile(join(out, name), rows.map((one) => `${JSON.stringify(one)}\n`).join(""));
await write(
  "products.jsonl",
  products.map(({ itemId, title }) => ({ item_id: itemId, title })),
);
await write("queries.jsonl", queries);
await write("labels.jsonl", labels);
process.stdout.write(
  `${products.length} products, ${queries.length} queries, ${labels.length} labels in ${out}\n`,
);
