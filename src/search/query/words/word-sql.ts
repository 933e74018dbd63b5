import { sql, type SQL } from "drizzle-orm";
import { fold, latinToken, latinTokens } from "../../index/fold.ts";
import { withUmlauts } from "../../index/word-forms.ts";
import type { QueryWord } from "./query-words.ts";

/** Of letters and digits: few texts have a word that begins so, and it is long enough that the engine forgives one letter. */
export const isCode = /^(?=\d*[a-z])(?=[a-z]*\d)[a-z0-9]{5,}$/;

/** Finds by their words the texts that have every one of these, each in any of its forms: a `tsquery`. */
export function toTsquery(words: readonly QueryWord[]): string {
  return words
    .map(({ forms, loose, kindOf = "" }) => {
      const [text = ""] = forms;
      const begun = isCode.test(text) ? [`${quoted(text)}:*`] : [];
      return anyOf([...[...forms, ...loose, kindOf].map(allOf), ...begun]);
    })
    .join(" & ");
}

/** Texts that have these letters anywhere, all or all but one. */
export function lettersTsquery(letters: readonly string[]): string {
  return anyOf(
    letters.map((left) =>
      letters
        .filter((letter) => letter !== left)
        .map(quoted)
        .join(" & "),
    ),
  );
}

/** The same for all words of a phrase; empty where it has none. */
export function phraseTsquery(phrase: string): string {
  return allOf(fold(phrase));
}

/**
 * That the `product_text t` has the word as a reader would say: in one of its forms, or as the beginning of a longer one;
 * other than Latin letters in this order.
 */
export function hasWordSql(word: QueryWord): SQL {
  return wordSql(word, hasFolded);
}

/** What the index of words can tell of it: that holds for every text with the word, and for some without. */
export function mayHaveWordSql(word: QueryWord): SQL {
  return wordSql(word, mayHaveFolded);
}

function wordSql({ forms }: QueryWord, has: (folded: string) => SQL): SQL {
  const [first = "", ...others] = forms;
  const beginnings = [...new Set([first, withUmlauts(first)])].filter((text) =>
    /^[a-z0-9]{3,}$/.test(text),
  );
  const latin = [
    ...beginnings.map((text) => `${quoted(text)}:*`),
    ...[first, ...others].filter(isLatin).map(allOf),
  ];
  const conditions = [
    ...(latin.length > 0 ? [matches(anyOf(latin))] : []),
    ...forms.filter((form) => !isLatin(form)).map(has),
  ];
  return sql`(${sql.join(conditions, sql` or `)})`;
}

/** The condition that a text has all words of a phrase, in this order. */
export function hasPhraseSql(phrase: string): SQL {
  return hasFolded(fold(phrase));
}

/** As `mayHaveWordSql`. */
export function mayHavePhraseSql(phrase: string): SQL {
  return mayHaveFolded(fold(phrase));
}

/** The words by which a folded text is found: `text_words` in the database is the same function. */
export function lexemesOf(folded: string): string[] {
  if (/^(?:[a-z]+|[0-9]+)$/.test(folded)) return [folded];
  const chars = Array.from(folded);
  const isOther = (char = "") => (char.codePointAt(0) ?? 0) > 127;
  const pairs = chars.flatMap((char, i) =>
    isOther(char) && isOther(chars[i + 1]) ? [`${char}${chars[i + 1]}`] : [],
  );
  return [...new Set([...latinTokens(folded), ...chars.filter(isOther), ...pairs])];
}

const isLatin = (form: string) => /^[a-z0-9./ ]+$/.test(form);

function hasFolded(folded: string): SQL {
  const isThere = sql`position(${folded} in t.body) > 0`;
  return lexemesOf(folded).length === 0 ? isThere : sql`(${matches(allOf(folded))} and ${isThere})`;
}

function mayHaveFolded(folded: string): SQL {
  return lexemesOf(folded).length === 0 ? sql`true` : matches(allOf(folded));
}

function matches(query: string): SQL {
  return sql`t.words @@ ${query}::tsquery`;
}

function anyOf(queries: readonly string[]): string {
  const given = new Set(queries.filter((query) => query !== ""));
  return `(${[...given].join(" | ")})`;
}

function allOf(form: string): string {
  const lexemes = isLatin(form) ? (form.match(latinToken) ?? []) : lexemesOf(form);
  return lexemes.length === 0 ? "" : `(${lexemes.map(quoted).join(" & ")})`;
}

/** A lexeme as a `tsquery` has it. */
export function quoted(lexeme: string): string {
  return `'${lexeme.replaceAll(/['\\]/g, String.raw`\$&`)}'`;
}
