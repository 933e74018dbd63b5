import { toGtin14 } from "../../catalog/gtin.ts";
import type { ProductFacts, SavedQuery } from "../../db/schema.ts";
import { isOnSale } from "../../search/index/document.ts";
import { fold } from "../../search/index/fold.ts";
import { titleForms, withLongVowels } from "../../search/index/japanese-forms.ts";
import { toWords } from "../../search/index/words.ts";
import { readQueryWords } from "../../search/query/words/query-words.ts";
import {
  createNumberTest,
  foldedPattern,
  isLatin,
  isShortNumber,
  lexemesOf,
  neededLexemes,
  sideBySide,
} from "../../search/query/words/word-sql.ts";

/** A product at one moment, with what a query needs of it. */
export interface Judged {
  facts: ProductFacts;
  itemId: number;
  /** The groups that it is in, and those that were merged into them. */
  groupIds: readonly number[];
  /** Title, categories, shop name and further forms of the title's words, as `product_text.body` has them, with ー for waves. */
  body: string;
  lexemes: ReadonlySet<string>;
  gtins: readonly string[];
}

/** `like`: the same product at another moment, whose words are taken over if its texts are the same. */
export function toJudged(
  facts: ProductFacts,
  product: { itemId: number; groupIds: readonly number[] },
  like?: Judged | null,
): Judged {
  const text = textOf(facts);
  const isSame = like !== null && like !== undefined && textOf(like.facts) === text;
  const body = isSame ? like.body : withLongVowels(fold(text));
  return {
    facts,
    ...product,
    body,
    lexemes: isSame ? like.lexemes : new Set(lexemesOf(body)),
    gtins: [...new Set(facts.barcodes.flatMap((code) => toGtin14(code) ?? []))],
  };
}

const textOf = ({ title, categories, shop_name }: ProductFacts) =>
  [title, ...(categories.length > 0 ? [categories.join(" / ")] : []), shop_name, formsOf(title)]
    .filter((part) => part !== null)
    .join(" / ");

function formsOf(title: string): string | null {
  const forms = titleForms(title);
  return forms.length === 0 ? null : forms.join(" ");
}

/**
 * Whether a product is one that the query asks for; pure. `slack` widens the price limits by that share.
 * Words: all of them, whole, in one of the forms that a search knows; no mistyped ones.
 */
export type Matcher = (product: Judged, slack?: number) => boolean;

export function createMatcher(query: SavedQuery): Matcher {
  const hasText = createTextTest(query.q ?? "");
  const isIn = (list: readonly string[] | undefined, values: readonly string[]) =>
    list === undefined || values.some((value) => list.includes(value));
  // The facts of a product have no more of the name of a category.
  const categories = query.category?.map((name) => Array.from(name).slice(0, 200).join(""));
  return (product, slack = 0) => {
    const { facts } = product;
    if (query.item_id !== undefined && query.item_id !== product.itemId) return false;
    if (query.group_id !== undefined && !product.groupIds.includes(query.group_id)) return false;
    if (!isIn(query.gtin, product.gtins)) return false;
    if (!isIn(query.shop_id, [facts.shop_id])) return false;
    if (query.exclude_shop_id?.includes(facts.shop_id)) return false;
    if (!isIn(categories, facts.categories)) return false;
    if (!isWithinLimits(facts.price, query, slack)) return false;
    if (query.in_stock !== undefined && query.in_stock !== facts.stock > 0) return false;
    const priced = { price: facts.price, properPrice: facts.proper_price };
    if (query.on_sale !== undefined && query.on_sale !== isOnSale(priced)) return false;
    return hasText(product);
  };
}

/** A price of 0 is none: it is within no limits, and not clearly beyond them either. */
function isWithinLimits(price: number, query: SavedQuery, slack: number): boolean {
  const { price_min: min, price_max: max } = query;
  if (min === undefined && max === undefined) return true;
  if (price <= 0) return slack > 0;
  return (
    price >= (min ?? 0) * (1 - slack) && price <= (max ?? Number.POSITIVE_INFINITY) * (1 + slack)
  );
}

type TextTest = (product: Pick<Judged, "body" | "lexemes">) => boolean;

function createTextTest(q: string): TextTest {
  const { plain, phrases, excluded } = toWords(q);
  const typed = readQueryWords(plain);
  const words = typed.map(({ forms }): TextTest[] => forms.map(hasForm));
  const measures = typed.flatMap(({ measures: own = [] }) =>
    own.map(({ pattern }) => new RegExp(pattern)),
  );
  const whole = phrases.map((phrase) => hasFolded(fold(phrase)));
  const without = excluded.map((word) => hasFolded(fold(word)));
  return (text) =>
    words.every((forms) => forms.some((has) => has(text))) &&
    measures.every((measure) => measure.test(text.body)) &&
    whole.every((has) => has(text)) &&
    !without.some((has) => has(text));
}

/** The entries of an index of words of which a text with this form has every one. */
export function lexemesOfForm(form: string): string[] {
  return (isLatin(form) ? form.split(" ") : neededLexemes(form)).filter((lexeme) => lexeme !== "");
}

function hasForm(form: string): TextTest {
  if (!isLatin(form)) return hasFolded(form);
  const lexemes = lexemesOfForm(form);
  const hasAll: TextTest = (text) => lexemes.every((lexeme) => text.lexemes.has(lexeme));
  if (isShortNumber(form)) {
    const hasNumber = createNumberTest(form);
    return (text) => hasAll(text) && hasNumber(text.body);
  }
  if (lexemes.length < 2) return hasAll;
  const together = new RegExp(sideBySide(form));
  return (text) => hasAll(text) && together.test(text.body);
}

function hasFolded(folded: string): TextTest {
  const lexemes = neededLexemes(folded);
  const source = foldedPattern(folded);
  const pattern = source === null ? null : new RegExp(source);
  return ({ body, lexemes: has }) =>
    lexemes.every((lexeme) => has.has(lexeme)) &&
    (pattern === null ? body.includes(folded) : pattern.test(body));
}
