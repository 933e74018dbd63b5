import { z } from "@hono/zod-openapi";
import { mostWork } from "./bounds.ts";

/** Bounds of this API; Meilisearch has none for them. */
const maxListed = 50;
/** As much as the search box of InstantSearch takes. */
const maxQueryChars = 512;
const maxNameChars = 200;

/** The fields that an object may have besides those of Meilisearch are none; the fault names those that it may have. */
function known<T extends z.ZodRawShape>(shape: T) {
  const names = Object.keys(shape).map((name) => `\`${name}\``);
  return z.strictObject(shape, {
    error: (issue) => (issue.code === "unrecognized_keys" ? names.join(", ") : undefined),
  });
}

function atMost(limit: number, unit: string) {
  return { error: `at most ${limit} ${unit} are allowed` };
}

function text(maxChars: number) {
  return z
    .string()
    .refine((value) => Array.from(value).length <= maxChars, atMost(maxChars, "characters"))
    .openapi({ maxLength: maxChars });
}

const list = z.array(text(maxNameChars)).max(maxListed, atMost(maxListed, "entries")).nullish();
/** What a fault says that a whole number was expected to be. */
export const wholeNumber = "a positive integer";
const wholeValue = z.int(wholeNumber).min(0, wholeNumber);
const whole = wholeValue.optional();
const wholeOrNull = wholeValue.nullish();
const flag = z.boolean().optional();
const tag = text(100).optional();

function ratio(name: string) {
  return z
    .number()
    .refine(
      (value) => value >= 0 && value <= 1,
      `the value of \`${name}\` is invalid, expected a float between \`0.0\` and \`1.0\`.`,
    )
    .openapi({ minimum: 0, maximum: 1 });
}

const filter = z
  .unknown()
  .optional()
  .openapi({
    description:
      "an expression of Meilisearch's filter language, or a list: all entries of it must hold, and one entry of each inner list",
    example: ["in_stock = true", ["categories = バッグ", "categories = 財布"]],
  });

const unused = z
  .unknown()
  .optional()
  .transform(() => undefined)
  .openapi({ description: "has no effect here" });

/** In Meilisearch's order, in which faults name them. */
const search = {
  q: text(maxQueryChars).nullish().openapi({ example: "革財布" }),
  vector: z.array(z.number()).max(10_000, atMost(10_000, "entries")).nullish(),
  media: z.unknown().optional(),
  hybrid: known({
    semanticRatio: ratio("semanticRatio").optional(),
    embedder: z.string().describe("there is none: searches here go by words"),
  }).nullish(),
  offset: whole,
  limit: whole,
  page: wholeOrNull,
  hitsPerPage: wholeOrNull,
  attributesToRetrieve: list,
  retrieveVectors: flag,
  attributesToCrop: list,
  cropLength: whole,
  attributesToHighlight: list,
  showMatchesPosition: flag,
  showRankingScore: flag,
  showRankingScoreDetails: flag,
  filter,
  sort: z.array(text(100)).max(3, atMost(3, "entries")).nullish(),
  distinct: text(maxNameChars).nullish(),
  facets: list,
  highlightPreTag: tag,
  highlightPostTag: tag,
  cropMarker: tag,
  matchingStrategy: z.enum(["last", "all", "frequency"]).optional(),
  attributesToSearchOn: list,
  rankingScoreThreshold: ratio("rankingScoreThreshold").nullish(),
  locales: z
    .array(z.enum(["ja", "jpn"]))
    .max(maxListed, atMost(maxListed, "entries"))
    .nullish()
    .describe("texts are Japanese"),
};

/** Other members of Meilisearch's protocol are refused as unknown, not ignored. */
export const meiliSearch = known(search).openapi("MeilisearchQuery", {
  example: { q: "革財布", facets: ["categories"], filter: "price < 5000", limit: 10 },
});

const indexUid = text(512)
  .refine((uid) => isIndexUid(uid), { error: (issue) => invalidIndexUid(String(issue.input)) })
  .openapi({ example: "products" });

const multiQuery = known({
  indexUid,
  ...search,
  limit: wholeOrNull,
  offset: wholeOrNull,
  federationOptions: known({
    weight: z
      .number()
      .refine((value) => value >= 0, {
        error: "the value of `weight` is invalid, expected a positive float (>= 0.0).",
      })
      .optional()
      .openapi({ minimum: 0 }),
    remote: z.string().nullish(),
    queryPosition: wholeOrNull,
  }).nullish(),
});

const federation = known({
  limit: whole,
  offset: whole,
  facetsByIndex: z.record(z.string(), list).optional(),
  mergeFacets: known({ maxValuesPerFacet: wholeOrNull }).nullish(),
});

export const meiliMultiSearch = known({
  queries: z.array(multiQuery).max(mostWork.queries, atMost(mostWork.queries, "queries")),
  federation: federation
    .nullish()
    .describe("the hits of all queries in one list, weighted by the queries' `federationOptions`"),
}).openapi("MeilisearchMultiQuery", {
  example: { queries: [{ indexUid: "products", q: "革財布", facets: ["categories"] }] },
});

/** A front end sends the fields of its search too; those that choose no products have no effect here. */
export const meiliFacetSearch = known({
  ...search,
  offset: unused,
  limit: unused,
  page: unused,
  hitsPerPage: unused,
  attributesToRetrieve: unused,
  retrieveVectors: unused,
  attributesToCrop: unused,
  cropLength: unused,
  attributesToHighlight: unused,
  showMatchesPosition: unused,
  showRankingScore: unused,
  showRankingScoreDetails: unused,
  sort: unused,
  distinct: unused,
  facets: unused,
  highlightPreTag: unused,
  highlightPostTag: unused,
  cropMarker: unused,
  facetName: text(maxNameChars),
  facetQuery: text(maxNameChars).nullish(),
  exhaustiveFacetCount: z.boolean().nullish(),
}).openapi("MeilisearchFacetQuery", { example: { facetName: "categories", facetQuery: "バ" } });

export type MeiliSearchBody = z.output<typeof meiliSearch>;
export type MeiliMultiQuery = z.output<typeof multiQuery>;
export type MeiliFederation = z.output<typeof federation>;

/** Our only index, or with an order: `products:price:asc`. */
export function isIndexUid(uid: string): boolean {
  return /^[A-Za-z0-9_-]{1,512}$/.test(uid) || uid.startsWith("products:");
}

export function invalidIndexUid(uid: string): string {
  return `\`${uid.slice(0, 512).toWellFormed()}\` is not a valid index uid. Index uid can be an integer or a string containing only alphanumeric characters, hyphens (-) and underscores (_), and can not be more than 512 bytes.`;
}
