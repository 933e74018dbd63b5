import { jsonExcerpt } from "../../lib/json-excerpt.ts";
import { type Filter, compare, isIn, isOperator, nothing, type Operator } from "./filter.ts";
import { filterAttributes, type FilterAttribute } from "./filter-attributes.ts";
import { indexName, QueryFault } from "./query-fault.ts";

export const maxConditions = 200;
const maxDepth = 100;

const expected =
  "Was expecting an operation `=`, `!=`, `>=`, `>`, `<=`, `<`, `IN`, `NOT IN`, `TO`, `EXISTS`, `NOT EXISTS`, `IS NULL`, `IS NOT NULL`, `IS EMPTY` or `IS NOT EMPTY`";

const geo = /^_geo(?:Radius|BoundingBox|Polygon|Distance|Point)?$/;

/** Texts that are words of the language unless they stand in quotes. */
const reserved = new Set(["AND", "OR", "NOT", "IN", "TO", "EXISTS", "IS", "NULL", "EMPTY"]);

/** Parses one expression of Meilisearch's filter language. Throws QueryFault for anything else. */
export function parseFilter(text: string): Filter {
  const { peek, isWord, isSymbol, found, skip, expectSymbol, takeWord, takeValue } =
    readTokens(text);

  function parseJoined(word: "OR" | "AND", depth: number): Filter {
    const next = () => (word === "OR" ? parseJoined("AND", depth) : parseNegation(depth));
    const parts = [next()];
    while (takeWord(word)) parts.push(next());
    const [only] = parts;
    return only && parts.length === 1 ? only : { kind: word === "OR" ? "any" : "all", parts };
  }

  function parseNegation(depth: number): Filter {
    if (depth > maxDepth) throw fault(`The filter is nested deeper than ${maxDepth} levels.`);
    if (takeWord("NOT")) return { kind: "not", part: parseNegation(depth + 1) };
    if (!isSymbol("(")) return parseCondition();
    skip();
    const inner = parseJoined("OR", depth + 1);
    expectSymbol(")");
    return inner;
  }

  function parseCondition(): Filter {
    const token = peek();
    if (!token || token.kind === "symbol") throw fault(`${expected}, but ${found()}.`);
    const { text: name } = token;
    if (token.kind === "word" && reserved.has(name)) throw keyword(name);
    if (geo.test(name)) throw notFilterable("_geo");
    skip();
    const condition = parseOperation(name);
    return condition(attributeOf(name));
  }

  /** The operation is read before the attribute is looked up, because faults of the language come first. */
  function parseOperation(name: string): (attribute: FilterAttribute) => Filter {
    const symbol = peek()?.kind === "symbol" ? (peek()?.text ?? "") : "";
    if (symbol === "=" || symbol === "!=") {
      skip();
      const value = takeValue();
      return (attribute) => negatedIf(symbol === "!=", isIn(attribute, [value]));
    }
    if (isOperator(symbol)) {
      skip();
      const value = takeValue();
      return (attribute) => compared(name, attribute, symbol, value);
    }
    if (takeWord("EXISTS")) return () => negatedIf(true, nothing);
    if (takeWord("IS")) {
      const negated = takeWord("NOT");
      if (takeWord("NULL")) return () => negatedIf(negated, nothing);
      if (!takeWord("EMPTY")) throw fault(`${expected}, but ${found()}.`);
      return (attribute) => negatedIf(negated, { kind: "empty", attribute });
    }
    if (isWord("TO", 1)) {
      const from = takeValue();
      skip();
      const to = takeValue();
      return (attribute) => ({
        kind: "all",
        parts: [
          compared(name, attribute, ">=", from, "TO"),
          compared(name, attribute, "<=", to, "TO"),
        ],
      });
    }
    const negated = takeWord("NOT");
    if (negated && takeWord("EXISTS")) return () => nothing;
    if (takeWord("IN")) {
      const values = parseList();
      return (attribute) => negatedIf(negated, isIn(attribute, values));
    }
    if (isWord("CONTAINS")) {
      throw new QueryFault(
        "feature_not_enabled",
        "Using `CONTAINS` in a filter requires enabling the `contains filter` experimental feature.",
      );
    }
    if (isWord("STARTS") && isWord("WITH", 1)) {
      return () => {
        throw notAllowed(name, "STARTS WITH");
      };
    }
    throw fault(`${expected}, but ${found()}.`);
  }

  function parseList(): string[] {
    expectSymbol("[");
    const values: string[] = [];
    while (!isSymbol("]")) {
      values.push(takeValue());
      if (!isSymbol("]")) expectSymbol(",");
    }
    skip();
    return values;
  }

  const filter = parseJoined("OR", 0);
  const rest = peek();
  if (rest) {
    throw fault(
      `Found unexpected characters at the end of the filter: \`${rest.text}\`. You probably forgot an \`OR\` or an \`AND\` rule.`,
    );
  }
  return filter;
}

function attributeOf(name: string): FilterAttribute {
  const attribute = filterAttributes.get(name);
  if (!attribute) throw notFilterable(name);
  return attribute;
}

function compared(
  name: string,
  attribute: FilterAttribute,
  operator: Operator,
  value: string,
  written: string = operator,
): Filter {
  if (attribute.type !== "number") throw notAllowed(name, written);
  return compare(attribute, operator, value);
}

function negatedIf(negated: boolean, part: Filter): Filter {
  return negated ? { kind: "not", part } : part;
}

export function fault(message: string): QueryFault {
  return new QueryFault("invalid_search_filter", message);
}

function keyword(word: string): QueryFault {
  return fault(
    `Was expecting a value but instead got \`${word}\`, which is a reserved keyword. To use \`${word}\` as a field name or a value, surround it by quotes.`,
  );
}

function notFilterable(name: string): QueryFault {
  const known = [...filterAttributes.keys()].toSorted().map((each) => `\`${each}\``);
  return fault(
    `Index \`${indexName}\`: Attribute \`${name}\` is not filterable. Available filterable attribute patterns are: ${known.join(", ")}.`,
  );
}

function notAllowed(name: string, operator: string): QueryFault {
  const orders = filterAttributes.get(name)?.type === "number" ? " <, <=, >, >=, TO," : "";
  return fault(
    `Index \`${indexName}\`: Filter operator \`${operator}\` is not allowed for the attribute \`${name}\`.\n  - Note: allowed operators: OR, AND, NOT, =, !=,${orders} IN, IS EMPTY, IS NULL, EXISTS.`,
  );
}

/** The tokens of a filter, read from first to last. Throws QueryFault where others were needed. */
function readTokens(text: string) {
  const tokens = toTokens(text);
  let at = 0;
  let conditions = 0;

  const peek = (offset = 0): Token | undefined => tokens[at + offset];
  const isWord = (word: string, offset = 0) => {
    const token = peek(offset);
    return token?.kind === "word" && token.text === word;
  };
  const isSymbol = (symbol: string) => peek()?.kind === "symbol" && peek()?.text === symbol;
  const found = () => (peek() ? `instead got \`${peek()?.text}\`` : "instead got nothing");
  const skip = () => void (at += 1);
  function expectSymbol(symbol: string): void {
    if (!isSymbol(symbol)) throw fault(`Was expecting \`${symbol}\` but ${found()}.`);
    at += 1;
  }
  function takeWord(word: string): boolean {
    if (!isWord(word)) return false;
    at += 1;
    return true;
  }
  function takeValue(): string {
    const token = peek();
    if (!token || token.kind === "symbol") throw fault(`Was expecting a value but ${found()}.`);
    if (token.kind === "word" && reserved.has(token.text)) throw keyword(token.text);
    at += 1;
    conditions += 1;
    if (conditions > maxConditions) {
      throw fault(`A filter may have at most ${maxConditions} values.`);
    }
    return token.text;
  }
  return { peek, isWord, isSymbol, found, skip, expectSymbol, takeWord, takeValue };
}

interface Token {
  kind: "word" | "quoted" | "symbol";
  text: string;
}

const lexeme =
  /\s*(?:(?<symbol>!=|>=|<=|[=<>()[\],])|"(?<double>(?:[^"\\]|\\.)*)"|'(?<single>(?:[^'\\]|\\.)*)'|(?<word>[\p{Alphabetic}\p{N}_.-]+))/suy;

/** The symbols, words and quoted texts of a filter. */
function toTokens(text: string): Token[] {
  const tokens: Token[] = [];
  const end = text.trimEnd().length;
  lexeme.lastIndex = 0;
  while (lexeme.lastIndex < end) {
    const at = lexeme.lastIndex;
    const { symbol, double, single, word } = lexeme.exec(text)?.groups ?? {};
    const quoted = double ?? single;
    if (symbol !== undefined) tokens.push({ kind: "symbol", text: symbol });
    else if (word !== undefined) tokens.push({ kind: "word", text: word });
    else if (quoted !== undefined) {
      tokens.push({ kind: "quoted", text: quoted.replaceAll(/\\(.)/gsu, "$1") });
    } else {
      throw fault(
        `Found unexpected characters in the filter: \`${text
          .slice(at, at + 50)
          .toWellFormed()
          .trim()}\`.`,
      );
    }
  }
  return tokens;
}

const maxEntries = 200;

/**
 * A filter as sent: one expression, or a list. All entries of the list must hold, and one entry of each
 * inner list. Empty expressions and lists restrict nothing.
 */
export function readFilter(source: unknown): Filter {
  if (typeof source === "string") return readFilter([source]);
  if (!Array.isArray(source)) throw unreadable("String, Array", source);
  return {
    kind: "all",
    parts: bounded(source).flatMap((entry): Filter[] => {
      if (typeof entry === "string") return expressions([entry]);
      if (!Array.isArray(entry)) throw unreadable("String, [String]", entry);
      const texts = bounded(entry).map((inner) => {
        if (typeof inner === "string") return inner;
        throw unreadable("String", inner);
      });
      const parts = expressions(texts);
      return parts.length === 0 ? [] : [{ kind: "any", parts }];
    }),
  };
}

function expressions(texts: readonly string[]): Filter[] {
  return texts.filter((text) => text.trim() !== "").map(parseFilter);
}

function bounded(entries: readonly unknown[]): readonly unknown[] {
  if (entries.length <= maxEntries) return entries;
  throw fault(`A list of filters may have at most ${maxEntries} entries.`);
}

function unreadable(expected: string, value: unknown): Error {
  return fault(
    `Invalid syntax for the filter parameter: \`expected ${expected}, found: ${jsonExcerpt(value, 100)}\`.`,
  );
}
