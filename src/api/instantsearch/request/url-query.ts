import { z } from "@hono/zod-openapi";
import { searchCode, toBodyFault } from "./request-fault.ts";
import { meiliSearch, type MeiliSearchBody } from "./request-schema.ts";
import { QueryFault } from "../../../search/instantsearch/query-fault.ts";

type Kind = "text" | "texts" | "numbers" | "whole" | "flag" | "ratio" | "filter";

/** The parameters of a search in an address, in Meilisearch's order. */
const kinds: ReadonlyMap<string, Kind> = new Map([
  ["q", "text"],
  ["vector", "numbers"],
  ["offset", "whole"],
  ["limit", "whole"],
  ["page", "whole"],
  ["hitsPerPage", "whole"],
  ["attributesToRetrieve", "texts"],
  ["retrieveVectors", "flag"],
  ["attributesToCrop", "texts"],
  ["cropLength", "whole"],
  ["attributesToHighlight", "texts"],
  ["filter", "filter"],
  ["sort", "texts"],
  ["distinct", "text"],
  ["showMatchesPosition", "flag"],
  ["showRankingScore", "flag"],
  ["showRankingScoreDetails", "flag"],
  ["facets", "texts"],
  ["highlightPreTag", "text"],
  ["highlightPostTag", "text"],
  ["cropMarker", "text"],
  ["matchingStrategy", "text"],
  ["attributesToSearchOn", "texts"],
  ["hybridEmbedder", "text"],
  ["hybridSemanticRatio", "ratio"],
  ["rankingScoreThreshold", "ratio"],
  ["locales", "texts"],
]);

const schemas: Record<Kind, object> = {
  text: { type: "string" },
  texts: { type: "string", description: "several are separated by commas" },
  numbers: { type: "string", description: "several are separated by commas" },
  whole: { type: "integer", minimum: 0 },
  flag: { type: "boolean" },
  ratio: { type: "number", minimum: 0, maximum: 1 },
  filter: { type: "string", description: "an expression, or the JSON of a list" },
};

/** For the description alone: `readUrlQuery` tells faults as Meilisearch does. */
export const urlQuery = z.object(
  Object.fromEntries(
    [...kinds].map(([name, kind]) => [
      name,
      z
        .unknown()
        .optional()
        .openapi({ ...schemas[kind] }),
    ]),
  ),
);

/** The body that says the same. Of a repeated parameter the last one counts. */
export function readUrlQuery(params: URLSearchParams): MeiliSearchBody {
  const values = new Map(params);
  const body: Record<string, unknown> = {};
  for (const [name, text] of values) {
    const kind = kinds.get(name);
    if (!kind) {
      const known = [...kinds.keys()].map((each) => `\`${each}\``).join(", ");
      throw new QueryFault(
        "bad_request",
        `Unknown parameter \`${name.slice(0, 100)}\`: expected one of ${known}`,
      );
    }
    body[name] = toValue(name, kind, text);
  }
  const { hybridEmbedder: embedder, hybridSemanticRatio: semanticRatio, ...search } = body;
  if (embedder !== undefined) {
    search.hybrid = { embedder, ...(semanticRatio === undefined ? {} : { semanticRatio }) };
  } else if (semanticRatio !== undefined) {
    throw mandatory("invalid_search_hybrid_query", "hybridSemanticRatio");
  } else if (search.vector !== undefined) throw mandatory("missing_search_hybrid", "vector");
  const result = meiliSearch.safeParse(search);
  if (!result.success) throw toBodyFault(result.error, search);
  return result.data;
}

function toValue(name: string, kind: Kind, text: string): unknown {
  switch (kind) {
    case "text":
      return text;
    case "texts":
      return text === "" && name !== "sort" ? [] : text.split(",");
    case "numbers": {
      const numbers = text.split(",").map(Number);
      if (text !== "" && numbers.every(Number.isFinite)) return numbers;
      throw invalid(name, "invalid float literal");
    }
    case "whole": {
      const value = /^\+?\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
      if (Number.isSafeInteger(value)) return value;
      throw invalid(name, `could not parse \`${cut(text)}\` as a positive integer`);
    }
    case "flag":
      if (text === "true" || text === "false") return text === "true";
      throw invalid(
        name,
        `could not parse \`${cut(text)}\` as a boolean, expected either \`true\` or \`false\``,
      );
    case "ratio": {
      const value = text.trim() === "" ? Number.NaN : Number(text);
      if (value >= 0 && value <= 1) return value;
      const field = name === "hybridSemanticRatio" ? "semanticRatio" : name;
      throw invalid(
        name,
        `the value of \`${field}\` is invalid, expected a float between \`0.0\` and \`1.0\`.`,
        field,
      );
    }
    case "filter":
      return toFilter(text);
  }
}

/** JSON if it is some, as in Meilisearch: `1` is a number and no expression. */
function toFilter(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function invalid(name: string, fault: string, field = name): QueryFault {
  return new QueryFault(searchCode(field), `Invalid value in parameter \`${name}\`: ${fault}`);
}

function mandatory(code: string, name: string): QueryFault {
  return new QueryFault(code, `\`hybridEmbedder\` is mandatory when \`${name}\` is present`);
}

function cut(text: string): string {
  return text.slice(0, 100).toWellFormed();
}
