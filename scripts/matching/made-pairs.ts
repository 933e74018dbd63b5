import { z } from "zod";
import { readLines } from "../../src/lib/files.ts";
import { createRandom, type Random } from "../../src/lib/random.ts";
import type { LabelledPair } from "../../src/matching/comparing/labelled-pairs.ts";
import { prepare } from "../../src/matching/titles/prepare.ts";

const row = z.object({
  title: z.string().min(1),
  detail: z.string().nullish(),
  price: z.number(),
  shop_id: z.string(),
  categories: z.array(z.string()),
  variations: z.array(z.object({ barcode: z.string().nullish() })),
});

interface Product {
  title: string;
  price: number;
  words: readonly string[];
  tokens: readonly string[];
}

const PRODUCTS = 2500;
const NEIGHBOURS = 4;
/** Tokens of more products do not make neighbours. */
const MAX_BLOCK = 150;

/**
 * Pairs made from a catalogue without any code: a product as two shops might name it (label 1), and beside
 * the products of its own shop that are named most alike (label 0), each rewritten in the same way. They
 * teach what clean titles with hard alternatives look like. Shops with barcodes are left out, so that
 * sets labelled by barcodes stay unseen.
 */
export async function makePairs(path: string): Promise<LabelledPair[]> {
  const shops = await readShops(path);
  const random = createRandom(17);
  const pairs: LabelledPair[] = [];
  const all = [...shops.values()].flatMap((products) => {
    const block = toBlocks(products);
    return products.map((product) => ({ product, products, block }));
  });
  for (let i = 0; i < PRODUCTS; i += 1) {
    const { product, products, block } = random.pick(all);
    const left = rewrite(product, random);
    if (random.chance(0.6)) {
      pairs.push({ label: 1, split: "train", left, right: rewrite(product, random) });
    }
    for (const other of neighbours(product, products, block)) {
      pairs.push({ label: 0, split: "train", left, right: rewrite(other, random) });
    }
  }
  return pairs;
}

async function readShops(path: string): Promise<Map<string, Product[]>> {
  const shops = new Map<string, Product[]>();
  const coded = new Set<string>();
  for await (const json of readLines(path)) {
    if (json === "") continue;
    const { title, detail, price, shop_id, categories, variations } = row.parse(JSON.parse(json));
    if (variations.some(({ barcode }) => barcode)) coded.add(shop_id);
    const whole = detail && !title.includes(detail) ? `${title}, ${detail}` : title;
    const products = shops.get(shop_id) ?? [];
    products.push({
      title: whole,
      price,
      words: categories.flatMap((name) => name.match(/\p{L}{4,}/gu) ?? []),
      tokens: prepare({ title: whole, price, categories }).tokens,
    });
    shops.set(shop_id, products);
  }
  for (const shop of coded) shops.delete(shop);
  return shops;
}

function toBlocks(products: readonly Product[]): Map<string, number[]> {
  const blocks = new Map<string, number[]>();
  for (const [i, { tokens }] of products.entries()) {
    for (const token of tokens)
      blocks.set(token, [...(blocks.get(token) ?? []).slice(0, MAX_BLOCK), i]);
  }
  return blocks;
}

function neighbours(
  product: Product,
  products: readonly Product[],
  blocks: ReadonlyMap<string, number[]>,
): Product[] {
  const shared = new Map<number, number>();
  for (const token of product.tokens) {
    const block = blocks.get(token) ?? [];
    if (block.length > MAX_BLOCK) continue;
    for (const i of block)
      shared.set(i, (shared.get(i) ?? 0) + Math.log(products.length / block.length));
  }
  return [...shared]
    .toSorted((a, b) => b[1] - a[1])
    .flatMap(([i]) => products[i] ?? [])
    .filter((other) => other.title !== product.title)
    .slice(0, NEIGHBOURS);
}

/** The product as another shop might write it: words left out, moved, added, joined, cut; another price. */
function rewrite({ title, price, words }: Product, random: Random): LabelledPair["left"] {
  const dropped = random.chance(0.3) ? 0 : random.next() * 0.35;
  let parts = title
    .split(/\s+/)
    .filter((word) => !random.chance(/\d/.test(word) ? dropped / 6 : dropped));
  if (parts.length === 0) parts = [title];
  if (random.chance(0.4) && parts.length > 2) {
    const from = random.integer(0, parts.length - 2);
    const moved = parts.splice(from, random.integer(1, 2));
    parts.splice(random.integer(0, parts.length), 0, ...moved);
  }
  if (words.length > 0 && random.chance(0.25)) {
    parts.splice(random.integer(0, parts.length), 0, random.pick(words));
  }
  parts = parts.map((word) => {
    if (random.chance(0.05) && /^\p{L}{6,}$/u.test(word)) return `${word.slice(0, 4)}.`;
    return random.chance(0.1) ? word.replaceAll("-", random.chance(0.5) ? " " : "") : word;
  });
  if (random.chance(0.15) && parts.length > 2) {
    const at = random.integer(0, parts.length - 2);
    parts.splice(at, 2, `${parts[at]}${parts[at + 1]?.toLowerCase()}`);
  }
  // Most titles of this kind begin with it.
  const [brand] = /^\p{Lu}\p{L}{2,}/u.exec(title) ?? [];
  return {
    title: parts.join(" "),
    ...(brand && random.chance(0.5) ? { brand } : {}),
    price: Math.max(1, Math.round(price * Math.exp(0.2 * random.normal()))),
  };
}
