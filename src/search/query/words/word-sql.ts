import { sql, type SQL } from "drizzle-orm";
import { fold, latinToken, latinTokens } from "../../index/fold.ts";
import { measuredDecimals } from "../../index/number-edges.ts";
import { waves } from "../../index/japanese-forms.ts";
import { isWholeSet, patternOf } from "../../index/numerals.ts";
import { withUmlauts } from "../../index/word-forms.ts";
import type { QueryWord } from "./query-words.ts";

/** Of letters and digits: few texts have a word that begins so, and it is long enough that the engine forgives one letter. */
export const isCode = /^(?=\d*[a-z])(?=[a-z]*\d)[a-z0-9]{5,}$/;

/** Finds by their words the texts that have every one of these, each in any of its forms: a `tsquery`. */
export function toTsquery(words: readonly QueryWord[]): string {
  return words
    .map(({ forms, loose, kindOf = "", begun = "" }) => {
      const [text = ""] = forms;
      const beginnings = [begun, isCode.test(text) ? text : ""].filter((start) => start !== "");
      return anyOf([
        ...[...forms, ...loose, kindOf].map(allOf),
        ...beginnings.map((start) => `${quoted(start)}:*`),
      ]);
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

/** The lexemes of which a text with the form has every one: with 全23巻 for 全巻 it has no such pair. */
export function neededLexemes(form: string): string[] {
  return lexemesOf(form).filter((lexeme) => !isWholeSet(lexeme));
}

/** Conditions on `product_text t`. */
export interface TextTest {
  has: SQL;
  /** What the index of words can tell: that holds for every text that passes, and for some others; null: nothing. */
  mayHave: SQL | null;
}

/** Has the word as a reader would say, a unit beside its numbers. */
export function testWord(word: QueryWord): TextTest {
  const { has, mayHave } = testForms(word);
  const measures = (word.measures ?? []).map(({ pattern }) => sql`t.body ~ ${pattern}`);
  return { has: sql`(${sql.join([has, ...measures], sql` and `)})`, mayHave };
}

/** In one of its forms, or as the beginning of a longer one; other than Latin letters in this order. */
function testForms({ forms, begun }: QueryWord): TextTest {
  const [first = "", ...others] = forms;
  const beginnings = [
    ...[first, withUmlauts(first)].filter((text) => /^[a-z0-9]{3,}$/.test(text)),
    ...(begun === undefined ? [] : [begun]),
  ];
  const latin = [
    ...beginnings.map((text) => `${quoted(text)}:*`),
    ...[first, ...others]
      .filter((form) => isLatin(form) && !form.includes(" ") && !isShortNumber(form))
      .map(allOf),
  ];
  const inLatin = latin.length > 0 ? [matches(anyOf(latin))] : [];
  const tests = forms.flatMap((form) => {
    if (!isLatin(form)) return [testFolded(form)];
    if (form.includes(" ")) return [testNeighbours(form)];
    return isShortNumber(form) ? [testNumber(form)] : [];
  });
  const has = sql`(${sql.join([...inLatin, ...tests.map((test) => test.has)], sql` or `)})`;
  if (tests.length === 0 || tests.some(({ lexemes }) => lexemes === ""))
    return { has, mayHave: tests.length === 0 ? has : sql`true` };
  // One condition, which an index can answer.
  const mayHave = matches(anyOf([...latin, ...tests.map(({ lexemes }) => lexemes)]));
  return { has: sql`(${mayHave} and ${has})`, mayHave };
}

/** Has all words of a phrase, in this order. */
export function testPhrase(phrase: string): TextTest {
  const { has, lexemes } = testFolded(fold(phrase));
  return { has, mayHave: lexemes === "" ? sql`true` : matches(lexemes) };
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

/** A folded form of Latin letters and digits, which stands between other signs as a word. */
export const isLatin = (form: string) => /^[a-z0-9./ ]+$/.test(form);

/** `lexemes`: a `tsquery` that every text matches which has it; empty: none. */
interface FormTest {
  has: SQL;
  lexemes: string;
}

/** A5 is not in A6 5 個: words of one form stand side by side. For an operator the planner would try each pattern. */
function testNeighbours(form: string): FormTest {
  const lexemes = allOf(form);
  return { has: sql`(${matches(lexemes)} and regexp_like(t.body, ${sideBySide(form)}))`, lexemes };
}

/** A number that may be a part of a decimal one, of which 0 is also the half-typed beginning. */
export const isShortNumber = (form: string) => /^(?:[1-9]|[0-9]{2})$/.test(form);
const asWhole = (number: string) => `(?<![0-9])${number}(?![0-9])`;
const anyMeasured = new RegExp(measuredDecimals, "g");

/** The same test as a search by Postgres makes, of a folded text. */
export function createNumberTest(number: string): (body: string) => boolean {
  const whole = new RegExp(asWhole(number));
  return (body) => whole.test(body.replaceAll(anyMeasured, " "));
}

/** 1 is not in 1.5m. */
function testNumber(number: string): FormTest {
  const lexemes = quoted(number);
  const inDecimal = [`${number}.`, `.${number}`].map(
    (part) => sql`position(${part} in t.body) > 0`,
  );
  const rest = sql`regexp_replace(t.body, ${measuredDecimals}, ' ', 'g')`;
  const isWhole = sql`(not (${sql.join(inDecimal, sql` or `)}) or ${rest} ~ ${asWhole(number)})`;
  return { has: sql`(${matches(lexemes)} and ${isWhole})`, lexemes };
}

/** Where a folded text has the words of a form, with no other word or part of one between them: a regular expression. */
export function sideBySide(form: string): string {
  const words = form
    .replaceAll(/[./]/g, String.raw`\$&`)
    .replaceAll(" ", "[^a-z0-9ぁ-ヿ一-鿿]{0,3}");
  const before = /^\d/.test(form) ? "(?<![0-9]|[0-9][.])" : "(?<![a-z])";
  const after = /\d$/.test(form) ? "(?![0-9]|[.][0-9])" : "(?![a-z])";
  return before + words + after;
}

/** Between the words of a name in katakana, where some write nothing: ハリー・ポッター. */
export const nameDot = "・";
/** Folded katakana. */
export const isName = (folded: string) => /^[ぁ-ゖー]{4,12}$/.test(folded);

/** Inside folded kana. */
const longVowel = /(?<=[ぁ-ゖ])ー(?=[ぁ-ゖ])/;

const anyKanji = "[々㐀-䶿一-鿿]";

/**
 * What a text has for a folded form: a regular expression; null: the form itself. A single kanji begins or ends a run of kanji,
 * or is one: 茶 in 煎茶, not in 宇治茶器.
 */
export function foldedPattern(folded: string): string | null {
  const ofNumber = patternOf(folded);
  return ofNumber !== null || !/^[㐀-䶿一-鿿]$/.test(folded)
    ? ofNumber
    : `(?<!${anyKanji})${folded}|${folded}(?!${anyKanji})`;
}

function testFolded(folded: string): FormTest {
  const pattern = foldedPattern(folded);
  const isThere =
    pattern === null ? sql`position(${folded} in t.body) > 0` : sql`t.body ~ ${pattern}`;
  const lexemes = allOf(folded);
  if (lexemes === "") return { has: isThere, lexemes };
  const others = otherTexts(folded);
  const tests = [
    sql`(${matches(lexemes)} and ${isThere})`,
    ...others.map(
      (other) => sql`(${matches(other.lexemes)} and position(${folded} in ${other.body}) > 0)`,
    ),
  ];
  return {
    has: sql`(${sql.join(tests, sql` or `)})`,
    lexemes: anyOf([lexemes, ...others.map((other) => other.lexemes)]),
  };
}

/** What a text may have in place of a form, and the text without it: ・ inside a name, a wave for a long vowel. */
function otherTexts(folded: string): { lexemes: string; body: SQL }[] {
  const dotted = Array.from(folded.slice(1), (after, i) =>
    [`${folded.charAt(i)}${nameDot}`, `${nameDot}${after}`].map(quoted).join(" & "),
  );
  const aroundVowels = folded.split(longVowel);
  return [
    ...(isName(folded)
      ? [{ lexemes: anyOf(dotted), body: sql`replace(t.body, ${nameDot}, '')` }]
      : []),
    ...(aroundVowels.length > 1
      ? [
          {
            lexemes: `(${aroundVowels.map(allOf).join(" & ")})`,
            body: sql`translate(t.body, ${waves}, ${"ー".repeat(waves.length)})`,
          },
        ]
      : []),
  ];
}

function matches(query: string): SQL {
  return sql`t.words @@ ${query}::tsquery`;
}

function anyOf(queries: readonly string[]): string {
  const given = new Set(queries.filter((query) => query !== ""));
  return `(${[...given].join(" | ")})`;
}

function allOf(form: string): string {
  const lexemes = isLatin(form) ? (form.match(latinToken) ?? []) : neededLexemes(form);
  return lexemes.length === 0 ? "" : `(${lexemes.map(quoted).join(" & ")})`;
}

/** A lexeme as a `tsquery` has it. */
export function quoted(lexeme: string): string {
  return `'${lexeme.replaceAll(/['\\]/g, String.raw`\$&`)}'`;
}
