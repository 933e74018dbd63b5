import type { Random } from "../../src/lib/random.ts";
import type { Concept, SetProduct, Spelling } from "./concepts.ts";

export interface InventedQuery {
  text: string;
  kind: string;
  /** What the shopper wants, without other typed words. */
  wanted: readonly Concept[];
  /** The normalised title, if the whole title is meant: other titles are graded lower. */
  title?: string;
}

export interface QueryRules {
  spellings: readonly Spelling[];
  /** Queries around the wanted product, # in its place. */
  verbose: readonly string[];
  /** Words that are in no title. */
  unknown: readonly string[];
  /** The most further attributes that a query names, if several. */
  mostOthers: number;
  /** Queries without spaces between words are possible. */
  joins: boolean;
  toTypo(text: string, random: Random): string | null;
  /** The number of products in the set that have a concept. */
  frequencyOf(key: string): number;
  /** Other concepts that products have. */
  anyConcept(random: Random): Concept;
}

type Maker = (product: SetProduct, random: Random) => InventedQuery | null;

/** The queries about a product, by what makes them hard, with their share in percent. */
export function createMakers(rules: QueryRules): { share: number; make: Maker }[] {
  const typed = (texts: readonly string[]) => texts.join(" ").replaceAll(/[()]|,(?!\d)/g, "");
  const query = (kind: string, wanted: readonly Concept[], texts: readonly string[]) => ({
    kind,
    wanted,
    text: typed(texts),
  });
  const plainTexts = (concepts: readonly Concept[]) =>
    concepts.map((concept) => concept.text.toLowerCase());

  const words: Maker = (product, random) => {
    const wanted = random.shuffled(
      chosen(product, random, random.integer(1, rules.mostOthers + 1), rules),
    );
    return wanted.length < 2 ? null : query("words, any order", wanted, plainTexts(wanted));
  };
  const oneThing: Maker = (product, random) => {
    const wanted = chosen(product, random, 0, rules).slice(0, 1);
    return wanted.length === 0 ? null : query("one thing", wanted, plainTexts(wanted));
  };
  const nearlyAll: Maker = (product, random) => {
    if (product.concepts.length < 4) return null;
    const left = random.integer(0, product.concepts.length - 1);
    const wanted = product.concepts.filter(
      ({ role }, i) => role === "type" || (i !== left && role !== "model"),
    );
    return query("title but one word", wanted, plainTexts(wanted));
  };
  const wholeTitle: Maker = (product, random) => {
    // Other titles begin with short titles or contain them.
    if (product.concepts.length > 3 && random.chance(0.7)) return null;
    const title = titleKey(product.title);
    return { kind: "whole title", wanted: product.concepts, text: product.title, title };
  };
  const extraWord = (kind: string, pick: (random: Random) => Concept | string): Maker => {
    return (product, random) => {
      const wanted = chosen(product, random, random.integer(1, 2), rules);
      const extra = pick(random);
      if (wanted.length < 2) return null;
      if (typeof extra === "object") {
        if (product.concepts.some(({ key }) => key === extra.key)) return null;
      }
      const text = typeof extra === "string" ? extra : extra.text.toLowerCase();
      const texts = plainTexts(wanted);
      texts.splice(random.integer(0, texts.length), 0, text);
      // A word of other products asks for something that these lack; an unknown word says nothing.
      return query(kind, typeof extra === "string" ? wanted : [...wanted, extra], texts);
    };
  };
  const verbose: Maker = (product, random) => {
    const wanted = chosen(product, random, random.integer(1, 2), rules);
    if (wanted.length < 2) return null;
    const text = typed(plainTexts(wanted));
    return { ...query("verbose", wanted, []), text: random.pick(rules.verbose).replace("#", text) };
  };
  const joined: Maker = (product, random) => {
    const wanted = chosen(product, random, 1, rules);
    if (wanted.length !== 2) return null;
    return { ...query("no space", wanted, []), text: plainTexts(wanted).join("") };
  };
  const typo: Maker = (product, random) => {
    const wanted = chosen(product, random, random.integer(0, rules.mostOthers), rules);
    const texts = plainTexts(wanted);
    const at = texts.findIndex((_, i) => wanted[i]?.role !== "model");
    const slip = rules.toTypo(texts[at] ?? "", random);
    return slip === null ? null : query("typo", wanted, texts.with(at, slip));
  };
  const spelt = (spelling: Spelling): Maker => {
    return (product, random) => {
      const able = product.concepts.filter(({ others }) => others[spelling]);
      if (able.length === 0) return null;
      const one = random.pick(able);
      const rest = chosen(product, random, random.integer(0, 2), rules);
      const others = rest
        .filter(({ key }) => key !== one.key)
        .slice(0, one.role === "type" ? 2 : 3);
      if (others.length === 0 && (spelling === "unit" || spelling === "pack")) return null;
      const wanted = random.shuffled([one, ...others]);
      const texts = wanted.map((concept) =>
        concept === one
          ? random.pick(one.others[spelling] ?? [one.text])
          : concept.text.toLowerCase(),
      );
      return query(`spelling: ${spelling}`, wanted, texts);
    };
  };

  return [
    { share: 12, make: words },
    { share: 6, make: oneThing },
    { share: 8, make: nearlyAll },
    { share: 6, make: wholeTitle },
    { share: 12, make: extraWord("a word of other products", rules.anyConcept) },
    {
      share: 8,
      make: extraWord("a word of no product", (random) => random.pick(rules.unknown)),
    },
    { share: 8, make: verbose },
    ...(rules.joins ? [{ share: 6, make: joined }] : []),
    { share: 6, make: typo },
    ...rules.spellings.map((spelling) => ({
      share: 36 / rules.spellings.length,
      make: spelt(spelling),
    })),
  ];
}

/** A title without case, width and punctuation. */
export function titleKey(title: string): string {
  return (
    title
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).join(" ");
}

/** The type, if known, and so many other concepts; without a type, the rarer words of the title. */
function chosen(product: SetProduct, random: Random, count: number, rules: QueryRules): Concept[] {
  const type = product.concepts.filter(({ role }) => role === "type");
  const others = product.concepts.filter(({ role }) => role !== "type");
  if (type.length > 0) {
    const picked = new Set(random.shuffled(others).slice(0, count));
    return product.concepts.filter((concept) => type.includes(concept) || picked.has(concept));
  }
  const rarer = others
    .toSorted((a, b) => rules.frequencyOf(a.key) - rules.frequencyOf(b.key))
    .slice(0, Math.max(3, Math.ceil(others.length * 0.6)));
  const picked = new Set(random.shuffled(rarer).slice(0, count + 1));
  return others.filter((concept) => picked.has(concept));
}
