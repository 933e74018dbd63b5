import { toGtin14 } from "../../catalog/gtin.ts";
import { filterAttributes, type FilterAttribute } from "./filter-attributes.ts";

/** A parsed and checked Meilisearch filter. Values have the attribute's type. */
export type Filter =
  | { kind: "all" | "any"; parts: Filter[] }
  | { kind: "not"; part: Filter }
  | { kind: "in"; name: string; attribute: FilterAttribute; values: string[] }
  | {
      kind: "compare";
      name: string;
      attribute: FilterAttribute;
      operator: Operator;
      value: number;
    };

export type Operator = ">" | ">=" | "<" | "<=";

/** The filter is wrong; the message is for its author. */
export class FilterFault extends Error {
  override readonly name = "FilterFault";
}

export const maxConditions = 200;
const maxDepth = 20;

interface Token {
  kind: "word" | "quoted" | "symbol";
  text: string;
}

const lexeme =
  /\s*(?:(?<symbol>!=|>=|<=|[=<>()[\],])|"(?<double>(?:[^"\\]|\\.)*)"|'(?<single>(?:[^'\\]|\\.)*)'|(?<word>[^\s"'()[\],=<>!]+))/suy;

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
    } else throw new FilterFault(`unreadable from character ${at + 1}`);
  }
  return tokens;
}

/**
 * Parses one filter expression: `=`, `!=`, `>`, `>=`, `<`, `<=`, `TO`, `IN`, `NOT IN`, `AND`, `OR`,
 * `NOT` and parentheses, over the allowed attributes. Throws FilterFault for anything else.
 */
export function parseFilter(text: string): Filter {
  const tokens = toTokens(text);
  let at = 0;
  let conditions = 0;

  const peek = (offset = 0) => tokens[at + offset];
  const isWord = (word: string, offset = 0) => {
    const token = peek(offset);
    return token?.kind === "word" && token.text === word;
  };
  const isSymbol = (symbol: string) => peek()?.kind === "symbol" && peek()?.text === symbol;
  const found = () => (peek() ? `\`${peek()?.text}\`` : "the end");
  function expectSymbol(symbol: string): void {
    if (!isSymbol(symbol)) throw new FilterFault(`\`${symbol}\` expected, found ${found()}`);
    at += 1;
  }
  function takeValue(): string {
    const token = peek();
    if (!token || token.kind === "symbol")
      throw new FilterFault(`a value expected, found ${found()}`);
    at += 1;
    conditions += 1;
    if (conditions > maxConditions) throw new FilterFault(`more than ${maxConditions} values`);
    return token.text;
  }

  function parseJoined(word: "OR" | "AND", depth: number): Filter {
    const next = () => (word === "OR" ? parseJoined("AND", depth) : parseNegation(depth));
    const parts = [next()];
    while (isWord(word)) {
      at += 1;
      parts.push(next());
    }
    const [only] = parts;
    return only && parts.length === 1 ? only : { kind: word === "OR" ? "any" : "all", parts };
  }

  function parseNegation(depth: number): Filter {
    if (depth > maxDepth) throw new FilterFault(`nested deeper than ${maxDepth}`);
    if (isWord("NOT")) {
      at += 1;
      return { kind: "not", part: parseNegation(depth + 1) };
    }
    if (!isSymbol("(")) return parseCondition();
    at += 1;
    const inner = parseJoined("OR", depth + 1);
    expectSymbol(")");
    return inner;
  }

  function parseCondition(): Filter {
    const token = peek();
    if (!token || token.kind === "symbol")
      throw new FilterFault(`an attribute expected, found ${found()}`);
    const name = token.text;
    const attribute = filterAttributes.get(name);
    if (!attribute) throw new FilterFault(notFilterable(name));
    at += 1;
    if (isWord("IN")) return { kind: "in", name, attribute, values: parseList(attribute) };
    if (isWord("NOT") && isWord("IN", 1)) {
      at += 1;
      const values = parseList(attribute);
      return { kind: "not", part: { kind: "in", name, attribute, values } };
    }
    const operator = peek()?.text;
    if (isSymbol("=") || isSymbol("!=")) {
      at += 1;
      const values = [toValue(attribute, takeValue())];
      const part: Filter = { kind: "in", name, attribute, values };
      return operator === "=" ? part : { kind: "not", part };
    }
    if (peek()?.kind === "symbol" && isOperator(operator)) {
      at += 1;
      return compare(name, attribute, operator, takeValue());
    }
    if (!isWord("TO", 1)) throw new FilterFault(`an operator expected, found ${found()}`);
    const from = compare(name, attribute, ">=", takeValue());
    at += 1;
    return { kind: "all", parts: [from, compare(name, attribute, "<=", takeValue())] };
  }

  function parseList(attribute: FilterAttribute): string[] {
    at += 1;
    expectSymbol("[");
    const values: string[] = [];
    while (!isSymbol("]")) {
      values.push(toValue(attribute, takeValue()));
      if (!isSymbol("]")) expectSymbol(",");
    }
    at += 1;
    return values;
  }

  const filter = parseJoined("OR", 0);
  if (peek()) throw new FilterFault(`\`AND\` or \`OR\` expected, found ${found()}`);
  return filter;
}

function notFilterable(name: string): string {
  return `\`${name}\` cannot be filtered by; these can: ${[...filterAttributes.keys()].join(", ")}`;
}

function isOperator(text: string | undefined): text is Operator {
  return text === ">" || text === ">=" || text === "<" || text === "<=";
}

function compare(
  name: string,
  attribute: FilterAttribute,
  operator: Operator,
  text: string,
): Filter {
  if (attribute.type !== "number") throw new FilterFault(`\`${name}\` has no order`);
  return { kind: "compare", name, attribute, operator, value: Number(toValue(attribute, text)) };
}

function toValue({ type, engine }: FilterAttribute, text: string): string {
  if (type === "name") return engine === "gtins" ? (toGtin14(text) ?? text) : text;
  if (type === "boolean") {
    if (text === "true" || text === "false") return text;
    throw new FilterFault(`\`${text}\` is neither true nor false`);
  }
  const value = Number(text);
  if (text.trim() === "" || !(Math.abs(value) <= Number.MAX_SAFE_INTEGER))
    throw new FilterFault(`\`${text}\` is not a number`);
  return String(value);
}
