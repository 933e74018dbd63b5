import type { ZodError } from "zod";
import { isRecord } from "../../../lib/is-record.ts";
import { jsonExcerpt, textExcerpt } from "../../../lib/json-excerpt.ts";
import { toSnakeCase } from "../../http/to-members.ts";
import { wholeNumber } from "./request-schema.ts";
import { QueryFault } from "../../../search/instantsearch/query-fault.ts";

const maxExcerpt = 200;

type Issue = ZodError["issues"][number];

/** Meilisearch tells the first fault of a body, in the order in which it was written. */
export function toBodyFault(error: ZodError, body: unknown): QueryFault {
  const places = error.issues.map((issue) => ({ issue, place: placeOf(issue, body) }));
  const [first] = places.toSorted((a, b) => compared(a.place, b.place));
  if (!first) return new QueryFault("bad_request", "The body cannot be read.");
  return toFault(first.issue, body);
}

/** The position of the faulty member within each object or list around it; missing members come last. */
function placeOf(issue: Issue, body: unknown): number[] {
  const path =
    issue.code === "unrecognized_keys" ? [...issue.path, issue.keys[0] ?? ""] : issue.path;
  let value: unknown = body;
  return path.map((key) => {
    const at = isRecord(value) ? Object.keys(value).indexOf(String(key)) : Number(key);
    value = memberOf(value, key);
    return at < 0 ? Infinity : at;
  });
}

function compared(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((place, i) => place !== b[i]);
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}

function memberOf(value: unknown, key: PropertyKey): unknown {
  if (Array.isArray(value)) return value[Number(key)];
  return isRecord(value) ? value[String(key)] : undefined;
}

function toFault(issue: Issue, body: unknown): QueryFault {
  const { path } = issue;
  const found = path.reduce(memberOf, body);
  const code = codeOf(path);
  if (issue.code === "unrecognized_keys") {
    const field = (issue.keys[0] ?? "").slice(0, 100).toWellFormed();
    const inside = path.length === 0 ? "" : ` inside \`${pathText(path)}\``;
    return new QueryFault(
      code,
      `Unknown field \`${field}\`${inside}: expected one of ${issue.message}`,
    );
  }
  if (found === undefined && path.length > 0) {
    const parent = path.slice(0, -1);
    const inside = parent.length === 0 ? "" : ` inside \`${pathText(parent)}\``;
    const field = String(path.at(-1));
    return new QueryFault(
      missingCodes.get(field) ?? codeOf(parent),
      `Missing field \`${field}\`${inside}`,
    );
  }
  const at = path.length === 0 ? "" : ` at \`${pathText(path)}\``;
  const wrongType = (expected: string) =>
    new QueryFault(
      code,
      `Invalid value type${at}: expected ${expected}, but found ${described(found)}`,
    );
  if (issue.message === wholeNumber) return wrongType(wholeNumber);
  if (issue.code === "invalid_type") {
    return wrongType(typeNames.get(issue.expected) ?? issue.expected);
  }
  if (issue.code !== "invalid_value")
    return new QueryFault(code, `Invalid value${at}: ${issue.message}`);
  if (typeof found !== "string") return wrongType("a string");
  const values = issue.values.map((value) => `\`${String(value)}\``).join(", ");
  return new QueryFault(
    code,
    `Unknown value \`${textExcerpt(found, maxExcerpt)}\`${at}: expected one of ${values}`,
  );
}

const typeNames: ReadonlyMap<string, string> = new Map([
  ["string", "a string"],
  ["number", "a number"],
  ["boolean", "a boolean"],
  ["array", "an array"],
  ["object", "an object"],
  ["record", "an object"],
]);

function described(value: unknown): string {
  if (value === null) return "null";
  const text = jsonExcerpt(value, maxExcerpt);
  if (Array.isArray(value)) return `an array: \`${text}\``;
  if (typeof value === "string") return `a string: \`${text}\``;
  if (typeof value === "boolean") return `a boolean: \`${text}\``;
  if (typeof value !== "number") return `an object: \`${text}\``;
  if (!Number.isSafeInteger(value)) return `a number: \`${text}\``;
  return `a ${value < 0 ? "negative" : "positive"} integer: \`${text}\``;
}

function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((key) =>
      typeof key === "number" ? `[${key}]` : `.${textExcerpt(String(key), maxExcerpt)}`,
    )
    .join("");
}

const missingCodes: ReadonlyMap<string, string> = new Map([
  ["indexUid", "missing_index_uid"],
  ["facetName", "missing_facet_search_facet_name"],
]);

const ownCodes: ReadonlyMap<string, string> = new Map([
  ["queries", "bad_request"],
  ["federation", "bad_request"],
  ["federationOptions", "bad_request"],
  ["indexUid", "invalid_index_uid"],
  ["facetName", "invalid_facet_search_facet_name"],
  ["facetQuery", "invalid_facet_search_query"],
  ["exhaustiveFacetCount", "invalid_facet_search_exhaustive_facet_count"],
  ["hybrid", "invalid_search_hybrid_query"],
  ["weight", "invalid_multi_search_weight"],
  ["remote", "invalid_multi_search_remote"],
  ["queryPosition", "invalid_multi_search_query_position"],
  ["facetsByIndex", "invalid_multi_search_facets_by_index"],
  ["mergeFacets", "invalid_multi_search_merge_facets"],
  ["maxValuesPerFacet", "invalid_multi_search_max_values_per_facet"],
]);

/** The code of the innermost field of the path; the names of indexes are no fields. */
function codeOf(path: readonly PropertyKey[]): string {
  const names = path.filter((key) => typeof key === "string");
  const facets = names.indexOf("facetsByIndex");
  const name = facets < 0 ? names.at(-1) : names[facets];
  return name === undefined ? "bad_request" : searchCode(name);
}

/** `invalid_search_hits_per_page` for `hitsPerPage`. */
export function searchCode(name: string): string {
  return ownCodes.get(name) ?? `invalid_search_${toSnakeCase(name)}`;
}
