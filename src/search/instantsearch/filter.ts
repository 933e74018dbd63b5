import { toGtin14 } from "../../catalog/gtin.ts";
import type { FilterAttribute } from "./filter-attributes.ts";

/** A parsed and checked Meilisearch filter. Values have the attribute's type. */
export type Filter =
  | { kind: "all" | "any"; parts: Filter[] }
  | { kind: "not"; part: Filter }
  | { kind: "empty"; attribute: FilterAttribute }
  | { kind: "in"; attribute: FilterAttribute; values: string[] }
  | { kind: "compare"; attribute: FilterAttribute; operator: Operator; value: number };

export type Operator = ">" | ">=" | "<" | "<=";

/** No product passes. Every product has every attribute, so `IS NULL` says the same. */
export const nothing: Filter = {
  kind: "in",
  attribute: { engine: "id", type: "id" },
  values: [],
};

export function isOperator(text: string): text is Operator {
  return text === ">" || text === ">=" || text === "<" || text === "<=";
}

/** Texts that are no value of the attribute's type equal nothing, as in Meilisearch. */
export function isIn(attribute: FilterAttribute, texts: readonly string[]): Filter {
  const values = texts.flatMap((text) => toValue(attribute, text) ?? []);
  return { kind: "in", attribute, values };
}

/** For attributes with numbers. */
export function compare(attribute: FilterAttribute, operator: Operator, text: string): Filter {
  const number = toNumber(text);
  if (number === null) return nothing;
  const value = Math.max(-greatest, Math.min(greatest, number));
  return { kind: "compare", attribute, operator, value };
}

function toValue({ type, engine }: FilterAttribute, text: string): string | null {
  switch (type) {
    case "name":
      return engine === "gtins" ? (toGtin14(text) ?? text) : text;
    case "boolean": {
      const value = text.toLowerCase();
      return value === "true" || value === "false" ? value : null;
    }
    case "number":
    case "id": {
      const value = toNumber(text);
      return value === null ? null : String(value);
    }
  }
}

const greatest = Number.MAX_SAFE_INTEGER;
const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

function toNumber(text: string): number | null {
  return decimal.test(text.trim()) ? Number(text) : null;
}
