import { z } from "zod";
import { countEach } from "../../lib/collect.ts";
import { readLines } from "../../lib/files.ts";
import { UsageError } from "../../lib/arguments.ts";
import { compare, type Comparison } from "./features.ts";
import type { Context } from "./model.ts";
import { prepare, type Prepared } from "../titles/prepare.ts";
import { createIdf, type Idf } from "./words-compared.ts";

const text = z.string().nullish();
const item = z.object({
  title: z.string().min(1),
  detail: text,
  price: z.coerce.number().nullish(),
  brand: text,
  category: text,
});
const line = z.object({
  label: z.union([z.literal(0), z.literal(1)]),
  split: text,
  left: item,
  right: item,
});

type Item = z.infer<typeof item>;
export type LabelledPair = z.infer<typeof line>;

export interface ComparedPair {
  label: 0 | 1;
  split: string | null;
  comparison: Comparison;
  context: Context;
}

/** JSON lines, plain or gz. Throws UsageError that names the first bad line by its number, and if it is aborted. */
export async function readLabelledPairs(
  path: string,
  signal?: AbortSignal,
): Promise<LabelledPair[]> {
  const pairs: LabelledPair[] = [];
  let number = 0;
  try {
    for await (const json of readLines(path)) {
      signal?.throwIfAborted();
      number += 1;
      if (json.trim() !== "") pairs.push(parseLine(json, `${path}:${number}`));
    }
  } catch (error) {
    if (error instanceof UsageError || signal?.aborted) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${path} cannot be read: ${reason}`, { cause: error });
  }
  if (pairs.length === 0) throw new UsageError(`${path} has no pairs`);
  return pairs;
}

function parseLine(json: string, place: string): LabelledPair {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw new UsageError(`${place} is no JSON`, { cause: error });
  }
  const parsed = line.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new UsageError(`${place}: ${issue?.path.join(".") || "the line"}: ${issue?.message}`);
}

/** Compares all pairs; the frequencies of words and each item's best partner come from the pairs themselves. */
export function comparePairs(pairs: readonly LabelledPair[]): ComparedPair[] {
  const prepared = new Map<string, Prepared>();
  const prepareOnce = (of: Item) => {
    const key = keyOf(of);
    const known = prepared.get(key);
    if (known) return known;
    const fresh = prepareItem(of);
    prepared.set(key, fresh);
    return fresh;
  };
  const sides = pairs.map(({ left, right }) => [prepareOnce(left), prepareOnce(right)] as const);
  const idf = idfOf([...prepared.values()]);
  const best = { left: new Map<Prepared, number>(), right: new Map<Prepared, number>() };
  const compared = sides.map(([left, right]) => {
    const comparison = compare(left, right, idf);
    best.left.set(left, Math.max(best.left.get(left) ?? 0, comparison.cosine));
    best.right.set(right, Math.max(best.right.get(right) ?? 0, comparison.cosine));
    return comparison;
  });
  return compared.map((comparison, i) => {
    const [left, right] = sides[i] ?? [];
    const share = (most: number | undefined) => (most ? comparison.cosine / most : 1);
    return {
      label: pairs[i]?.label ?? 0,
      split: pairs[i]?.split ?? null,
      comparison,
      context: {
        left: share(left && best.left.get(left)),
        right: share(right && best.right.get(right)),
      },
    };
  });
}

function keyOf({ title, price, brand, category, detail }: Item): string {
  return JSON.stringify([title, price, brand, category, detail]);
}

function prepareItem({ title, detail, price, brand, category }: Item): Prepared {
  return prepare({
    title,
    detail: detail ?? "",
    price: price ?? null,
    brand: brand ?? "",
    categories: category ? [category] : [],
  });
}

function idfOf(products: readonly Prepared[]): Idf {
  const frequencies = countEach(products.flatMap(({ tokens }) => tokens));
  return createIdf(products.length, (token) => frequencies.get(token) ?? 0);
}
