import { sql } from "drizzle-orm";
import type { SavedQuery } from "../../db/schema.ts";
import { fold } from "../../search/index/fold.ts";
import { toWords } from "../../search/index/words.ts";
import { readQueryWords } from "../../search/query/words/query-words.ts";
import { lexemesOfForm, type Judged } from "./matches.ts";
import type { Tx, Db } from "../../db/open.ts";
import type { Waiting } from "./waiting-changes.ts";
import { readCountsOf } from "../../catalog/counts.ts";
import type { WordFrequencies } from "../../search/query/words/word-frequencies.ts";

export type AnchorKind = "item" | "group" | "gtin" | "word" | "shop" | "category" | "price";

export interface Anchor {
  kind: AnchorKind;
  key: string;
  /** Other keys of which the product must have one as well, as `nameOf` gives them; null: none is asked for. */
  also: string[] | null;
}

/** About how many products have a key. */
export type Frequency = (kind: "word" | "shop" | "category" | "price", key: string) => number;

/** A product with one of these keys may match; one without any cannot. */
interface Choice {
  anchors: { kind: AnchorKind; key: string }[];
  products: number;
}

/** Raised whenever `anchorsOf` or the words of products give something else for the same query or title: stored anchors are then found anew. */
export const anchorsVersion = 5;

/**
 * The anchors of the most selective predicate, with the keys of the next one: every product that matches has
 * one of both. None: the query restricts nothing that products can be found by.
 */
export function anchorsOf(query: SavedQuery, frequency: Frequency): Anchor[] {
  const few = (kind: AnchorKind, keys: readonly (string | number)[] | undefined): Choice[] =>
    keys?.length ? [{ anchors: keys.map((key) => ({ kind, key: String(key) })), products: 0 }] : [];
  const many = (kind: "word" | "shop" | "category" | "price", keys: readonly string[]): Choice[] =>
    keys.length === 0
      ? []
      : [
          {
            anchors: [...new Set(keys)].map((key) => ({ kind, key })),
            products: keys.reduce((sum, key) => sum + frequency(kind, key), 0),
          },
        ];
  const choices = [
    ...few("item", query.item_id === undefined ? [] : [query.item_id]),
    ...few("gtin", query.gtin),
    ...few("group", query.group_id === undefined ? [] : [query.group_id]),
    ...wordChoices(query.q ?? "", frequency).flatMap((keys) => many("word", keys)),
    ...many("shop", query.shop_id ?? []),
    ...many("category", query.category ?? []),
    ...many("price", bandsOf(query)),
  ];
  const [best, ...others] = choices.toSorted((a, b) => a.products - b.products);
  const next = others.find(({ anchors }) => anchors.length <= mostAlso);
  const also = next ? next.anchors.map(({ kind, key }) => nameOf(kind, key)) : null;
  const anchors = new Map(
    best?.anchors.map(({ kind, key }) => [nameOf(kind, key), { kind, key: toKey(key), also }]),
  );
  return [...anchors.values()];
}

/** A predicate with more keys is not looked at a second time: its keys would be read with every anchor. */
const mostAlso = 16;

/** For each word: the rarest lexeme of each of its forms. */
function wordChoices(q: string, frequency: Frequency): string[][] {
  const { plain, phrases } = toWords(q);
  const words = [
    ...readQueryWords(plain).map(({ forms }) => forms),
    ...phrases.map((phrase) => [fold(phrase)]),
  ];
  return words
    .map((forms) => forms.map((form) => rarestOf(lexemesOfForm(form), frequency)))
    .filter((lexemes): lexemes is string[] => lexemes.every((lexeme) => lexeme !== null));
}

function rarestOf(lexemes: readonly string[], frequency: Frequency): string | null {
  const counted = lexemes.map((lexeme) => ({ lexeme, products: frequency("word", lexeme) }));
  const [rarest] = counted.toSorted(
    (a, b) => a.products - b.products || b.lexeme.length - a.lexeme.length,
  );
  return rarest?.lexeme ?? null;
}

/** Two bands to each doubling of the price. */
const bandOf = (price: number) => (price < 1 ? 0 : 1 + Math.floor(2 * Math.log2(price)));
const lastBand = bandOf(Number.MAX_SAFE_INTEGER);

function bandsOf({ price_min: min, price_max: max }: SavedQuery): string[] {
  if (min === undefined && max === undefined) return [];
  const first = bandOf(min ?? 0);
  const last = max === undefined ? lastBand : bandOf(max);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => String(first + i));
}

/** All keys by which saved searches may be anchored at this product; each as `nameOf` gives it. */
export function keysOf({ facts, itemId, groupIds, lexemes, gtins }: Judged): string[] {
  return [
    nameOf("item", itemId),
    ...groupIds.map((id) => nameOf("group", id)),
    ...gtins.map((gtin) => nameOf("gtin", gtin)),
    ...[...lexemes].map((lexeme) => nameOf("word", lexeme)),
    nameOf("shop", facts.shop_id),
    ...facts.categories.map((category) => nameOf("category", category)),
    nameOf("price", bandOf(facts.price)),
  ];
}

export const nameOf = (kind: AnchorKind, key: string | number) => `${kind} ${toKey(String(key))}`;

/** Longer keys are cut, because an index refuses long texts: such an anchor only finds more products to judge. */
const maxKeyChars = 200;
const toKey = (key: string) =>
  key.length <= maxKeyChars ? key : Array.from(key).slice(0, maxKeyChars).join("");

/** The saved searches that each change may concern by what the product was or is, found by one index. */
export type Anchored = ReadonlyMap<Waiting, readonly number[]>;

export async function findAnchored(tx: Tx, changes: readonly Waiting[]): Promise<Anchored> {
  const keys = new Map(changes.map((change) => [change, keysOfChange(change)]));
  const wanted = new Set([...keys.values()].flat());
  const rows = await tx.execute<{ name: string; ids: number[]; also: (string[] | null)[] }>(sql`
    select k.name, json_agg(a.saved_search_id) as ids, json_agg(to_json(a.also)) as also
    from json_array_elements_text(${JSON.stringify([...wanted])}::text::json) k(name)
    join saved_search_anchor a
      on a.kind = split_part(k.name, ' ', 1) and a.key = substr(k.name, strpos(k.name, ' ') + 1)
    group by 1`);
  const byName = new Map(rows.map((row) => [row.name, row]));
  const find = (change: Waiting): number[] => {
    if (change.only !== undefined) return [change.only];
    const own = new Set(keys.get(change));
    return [...own].flatMap((key) => {
      const { ids = [], also = [] } = byName.get(key) ?? {};
      return ids.filter((_, i) => {
        const others = also[i] ?? null;
        return others === null || others.some((other) => own.has(other));
      });
    });
  };
  return new Map(changes.map((change) => [change, find(change)]));
}

function keysOfChange({ before, after, only }: Waiting): string[] {
  if (only !== undefined) return [];
  return [...new Set([...(before ? keysOf(before) : []), ...(after ? keysOf(after) : [])])];
}

/** The share of the catalogue that one band of prices is taken for. */
const shareOfBand = 0.1;

/** About how many products have what the query names. */
export async function readFrequency(
  db: Db | Tx,
  words: WordFrequencies,
  { shop_id: shops = [], category: categories = [] }: Pick<SavedQuery, "shop_id" | "category">,
): Promise<Frequency> {
  const [byShop, byCategory] = await Promise.all([
    readCountsOf(db, "shop", shops),
    readCountsOf(db, "category", categories),
  ]);
  return (kind, key) => {
    switch (kind) {
      case "word":
        return words.countOf({ text: key, forms: [key], loose: [] });
      case "shop":
        return byShop.get(key) ?? 0;
      case "category":
        return byCategory.get(key) ?? 0;
      case "price":
        return words.products * shareOfBand;
    }
  };
}
