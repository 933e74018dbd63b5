import { sql, type SQL } from "drizzle-orm";
import { fold, latinToken, latinTokens } from "../../index/fold.ts";
import { notBefore } from "../../index/numerals.ts";
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

/** Conditions on `product_text t`. */
export interface TextTest {
  has: SQL;
  /** What the index of words can tell: that holds for every text that passes, and for some others; null: nothing. */
  mayHave: SQL | null;
}

/** Has the word as a reader would say: in one of its forms, or as the beginning of a longer one; other than Latin letters in this order. */
export function testWord({ forms }: QueryWord): TextTest {
  const [first = "", ...others] = forms;
  const beginnings = [...new Set([first, withUmlauts(first)])].filter((text) =>
    /^[a-z0-9]{3,}$/.test(text),
  );
  const latin = [
    ...beginnings.map((text) => `${quoted(text)}:*`),
    ...[first, ...others].filter(isLatin).map(allOf),
  ];
  const inLatin = latin.length > 0 ? [matches(anyOf(latin))] : [];
  const tests = forms.filter((form) => !isLatin(form)).map(testFolded);
  const any = (conditions: readonly SQL[]) =>
    sql`(${sql.join([...inLatin, ...conditions], sql` or `)})`;
  return {
    has: any(tests.map(({ has }) => has)),
    mayHave: any(tests.map(({ mayHave }) => mayHave)),
  };
}

/** Has all words of a phrase, in this order. */
export function testPhrase(phrase: string): TextTest {
  return testFolded(fold(phrase));
}

/** Has none of these words. */
export function testExcluded(phrase: string): TextTest {
  return { has: sql`not ${testPhrase(phrase).has}`, mayHave: null };
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

function testFolded(folded: string): { has: SQL; mayHave: SQL } {
  const before = notBefore(folded);
  const isThere =
    before === ""
      ? sql`position(${folded} in t.body) > 0`
      : sql`t.body ~ ${before + folded.replaceAll(/[^\p{L}\p{N} ]/gu, String.raw`\$&`)}`;
  if (lexemesOf(folded).length === 0) return { has: isThere, mayHave: sql`true` };
  const mayHave = matches(allOf(folded));
  return { has: sql`(${mayHave} and ${isThere})`, mayHave };
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
