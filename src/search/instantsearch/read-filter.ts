import { jsonExcerpt } from "../../lib/json-excerpt.ts";
import type { Filter } from "./filter.ts";
import { fault, parseFilter } from "./filter-grammar.ts";

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
