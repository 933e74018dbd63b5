import type { Random } from "../../src/lib/random.ts";

/** What makes a query differ from the words of a title. */
export type Spelling =
  | "plural"
  | "unit"
  | "pack"
  | "compound"
  | "model"
  | "letters"
  | "kana"
  | "long vowel"
  | "small kana"
  | "width"
  | "okurigana"
  | "ヴ"
  | "old kanji"
  | "short form"
  | "Latin";

export interface Concept {
  /** The meaning, whatever the spelling. */
  key: string;
  role: "type" | "attribute" | "model";
  /** The spelling of the title. */
  text: string;
  /** Other ways to write it. */
  others: Partial<Record<Spelling, readonly string[]>>;
}

export interface SetProduct {
  itemId: number;
  title: string;
  /** In the order of the title; without a `type` if only the title's words are known. */
  concepts: Concept[];
}

/** Merges lists of spellings, leaving out the text itself. */
export function withOthers(
  text: string,
  ...lists: Partial<Record<Spelling, readonly string[]>>[]
): Concept["others"] {
  const others: Concept["others"] = {};
  for (const list of lists) {
    for (const [name, texts] of Object.entries(list) as [Spelling, readonly string[]][]) {
      const different = [...(others[name] ?? []), ...texts].filter((other) => other !== text);
      if (different.length > 0) others[name] = [...new Set(different)];
    }
  }
  return others;
}

/** `text|compound:one,other|kana:…`: a text and its other spellings. */
export function parseSpellings(entry: string): {
  text: string;
  others: Partial<Record<Spelling, string[]>>;
} {
  const [text = "", ...rest] = entry.split("|");
  const others = Object.fromEntries(
    rest.map((part) => {
      const [name = "", list = ""] = part.split(":");
      return [name, list.split(",")];
    }),
  );
  return { text, others };
}

/** The entries of a vocabulary: one in each line, or separated by semicolons. */
export function entriesOf(text: string): string[] {
  return text
    .split(/[;\n]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
}

/** The same with its other spellings. */
export function withForms(
  concept: Omit<Concept, "others">,
  ...lists: Partial<Record<Spelling, readonly string[]>>[]
): Concept {
  return { ...concept, others: withOthers(concept.text, ...lists) };
}

/** So many products, each of random goods; the goods list their types. */
export function inventProducts<Goods extends { types: string }>(
  all: readonly Goods[],
  count: number,
  {
    random,
    invent,
  }: { random: Random; invent(goods: Goods, type: string): Omit<SetProduct, "itemId"> },
): SetProduct[] {
  const shelves = all.flatMap((goods) => entriesOf(goods.types).map((type) => ({ goods, type })));
  return Array.from({ length: count }, (_, i) => {
    const { goods, type } = random.pick(shelves);
    return { itemId: i + 1, ...invent(goods, type) };
  });
}
