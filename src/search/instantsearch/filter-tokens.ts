import { QueryFault } from "./query-fault.ts";

export interface Token {
  kind: "word" | "quoted" | "symbol";
  text: string;
}

const lexeme =
  /\s*(?:(?<symbol>!=|>=|<=|[=<>()[\],])|"(?<double>(?:[^"\\]|\\.)*)"|'(?<single>(?:[^'\\]|\\.)*)'|(?<word>[\p{Alphabetic}\p{N}_.-]+))/suy;

/** The symbols, words and quoted texts of a filter. */
export function toTokens(text: string): Token[] {
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
      throw new QueryFault(
        "invalid_search_filter",
        `Found unexpected characters in the filter: \`${text
          .slice(at, at + 50)
          .toWellFormed()
          .trim()}\`.`,
      );
    }
  }
  return tokens;
}
