import { quoted } from "../query/engine-query.ts";
import { filterKeysOf } from "../index/facet-key.ts";
import type { Filter, Operator } from "./filter.ts";

/** Writes the parsed filter in the engine's language; no text of the caller is copied. */
export function toEngineFilter(filter: Filter): string {
  switch (filter.kind) {
    case "all":
      return `(${filter.parts.map(toEngineFilter).join(" AND ")})`;
    case "any":
      return `(${filter.parts.map(toEngineFilter).join(" OR ")})`;
    case "not":
      return `NOT (${toEngineFilter(filter.part)})`;
    case "compare":
      return `${filter.attribute.engine} ${filter.operator} ${filter.value}`;
    case "empty":
      return `${filter.attribute.engine} IS EMPTY`;
    case "in": {
      const isKey =
        filter.attribute.engine === "shop_id" || filter.attribute.engine === "categories";
      const values = isKey ? filter.values.flatMap(filterKeysOf) : filter.values;
      return `${filter.attribute.engine} IN [${values.map(quoted).join(", ")}]`;
    }
  }
}

/** Whether a product with these values passes. `valuesOf` gets the index's name of an attribute. */
export function passes(
  filter: Filter,
  valuesOf: (engineName: string) => readonly string[],
): boolean {
  switch (filter.kind) {
    case "all":
      return filter.parts.every((part) => passes(part, valuesOf));
    case "any":
      return filter.parts.some((part) => passes(part, valuesOf));
    case "not":
      return !passes(filter.part, valuesOf);
    case "in":
      return valuesOf(filter.attribute.engine).some((value) => filter.values.includes(value));
    case "empty":
      // A number that is not known is null to the engine, and so not empty.
      return (
        filter.attribute.type !== "number" &&
        valuesOf(filter.attribute.engine).every((value) => value === "")
      );
    case "compare":
      return valuesOf(filter.attribute.engine).some((value) =>
        compares(Number(value), filter.operator, filter.value),
      );
  }
}

function compares(left: number, operator: Operator, right: number): boolean {
  switch (operator) {
    case ">":
      return left > right;
    case ">=":
      return left >= right;
    case "<":
      return left < right;
    case "<=":
      return left <= right;
  }
}
