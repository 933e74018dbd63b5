import { isDeepStrictEqual } from "node:util";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import { z } from "zod";
import type { Db } from "../../src/db/open.ts";
import { maxValuesPerFacet } from "../../src/search/index/settings.ts";
import { tellTruth, type OracleQuery, type Truth } from "./search-oracle.ts";

/** Words and values of a catalogue to search for. */
export interface Vocabulary {
  words: string[];
  shops: string[];
  categories: string[];
  gtins: string[];
  prices: number[];
  conditions: string[];
  colours: string[];
  sizes: string[];
}

/** Names, barcodes and prices of the catalogue; `words` beyond those of Latin letters in its titles. */
export async function readVocabulary(db: Db, words: string[] = []): Promise<Vocabulary> {
  const column = async (query: ReturnType<typeof sql>) =>
    (await db.execute<{ value: string }>(query)).map((row) => row.value);
  return {
    words: [
      ...words,
      // Both single words and two that stand beside each other.
      ...(await column(sql`
        select distinct word[1] as value from proof_text,
          regexp_matches(body, '(?<= )([a-z]{4,}|[a-z]{4,} [a-z]{4,})(?= )', 'g') word
        where item_id % 20 = 0 order by 1 limit 3000`)),
    ],
    shops: await column(sql`select shop_id as value from shop order by 1 limit 50`),
    categories: await column(sql`
      select distinct c as value from product, jsonb_array_elements_text(categories) c order by 1 limit 100`),
    gtins: await column(sql`
      select distinct gtin as value from variation where gtin is not null order by 1 limit 200`),
    conditions: await column(sql`
      select distinct split_part(condition, ' ', 1) as value from product_attribute where condition is not null`),
    colours: await column(sql`select distinct unnest(colours) as value from product_attribute`),
    sizes: await column(
      sql`select distinct size as value from product_attribute where size is not null`,
    ),
    prices: (
      await column(sql`
        select unnest(percentile_disc(array[0, 0.1, 0.3, 0.5, 0.7, 0.9, 1]) within group (order by price))::text as value
        from product`)
    ).map(Number),
  };
}

const facets = ["shop_id", "category", "condition", "colour", "size", "price", "in_stock"] as const;
const sorts = [
  "relevance",
  "price:asc",
  "price:desc",
  "unit_price:asc",
  "first_seen:desc",
  "modified:desc",
  "discount:desc",
  "popularity:desc",
] as const;

/** Searches over the whole parameter space; `maxAge`: the oldest check of the catalogue, in seconds. */
export function anyQuery(words: Vocabulary, maxAge: number): fc.Arbitrary<OracleQuery> {
  const none = fc.constant<string[]>([]);
  const some = (values: readonly string[], maxLength: number): fc.Arbitrary<string[]> =>
    values.length === 0
      ? none
      : fc.oneof(
          { weight: 3, arbitrary: none },
          { weight: 1, arbitrary: fc.uniqueArray(fc.constantFrom(...values), { maxLength }) },
        );
  const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 2 });
  const price = fc.oneof(fc.constantFrom(...words.prices), fc.nat(words.prices.at(-1) ?? 1000));
  return fc
    .record({
      phrases: fc.oneof(
        none,
        fc.uniqueArray(fc.constantFrom(...words.words), { minLength: 1, maxLength: 2 }),
      ),
      excluded: some(words.words, 2),
      shops: some(words.shops, 3),
      excludedShops: some(words.shops, 2),
      categories: some(words.categories, 3),
      gtins: fc.oneof(
        { weight: 4, arbitrary: none },
        { weight: 1, arbitrary: some(words.gtins, 20) },
      ),
      prices: maybe(fc.tuple(maybe(price), maybe(price))),
      inStock: maybe(fc.boolean()),
      onSale: maybe(fc.boolean()),
      conditions: some(words.conditions, 2),
      colours: some(words.colours, 2),
      sizes: some(words.sizes, 2),
      maxAgeSeconds: fc.option(fc.nat(maxAge), { freq: 5 }),
      sort: fc.constantFrom(...sorts),
      facets: fc.subarray([...facets]),
      group: fc.constantFrom(null, null, "gtin", "product"),
      page: fc.constantFrom(1, 1, 1, 2, 3, 50),
      perPage: fc.constantFrom(1, 7, 20, 100),
    })
    .map(({ prices, ...query }) => {
      const [one = null, other = null] = prices ?? [];
      const isSwapped = one !== null && other !== null && one > other;
      return {
        ...query,
        priceMin: isSwapped ? other : one,
        priceMax: isSwapped ? one : other,
        excluded: query.excluded.filter((word) => !query.phrases.includes(word)),
      };
    });
}

/** The address of the search. */
export function toPath(query: OracleQuery): string {
  const parameters: [string, string | number | boolean | null][] = [
    ["q", toQ(query)],
    ...query.shops.map((value): [string, string] => ["shop_id", value]),
    ...query.excludedShops.map((value): [string, string] => ["exclude_shop_id", value]),
    ...query.categories.map((value): [string, string] => ["category", value]),
    ...query.gtins.map((value): [string, string] => ["gtin", value]),
    ["price_min", query.priceMin],
    ["price_max", query.priceMax],
    ["in_stock", query.inStock],
    ["on_sale", query.onSale],
    ...query.conditions.map((value): [string, string] => ["condition", value]),
    ...query.colours.map((value): [string, string] => ["colour", value]),
    ...query.sizes.map((value): [string, string] => ["size", value.toUpperCase()]),
    ["max_age_s", query.maxAgeSeconds],
    ["sort", query.sort],
    ["facets", query.facets.length > 0 ? query.facets.join(",") : null],
    ["group", query.group],
    ["page", query.page],
    ["per_page", query.perPage],
  ];
  const given = parameters.flatMap(([name, value]): [string, string][] =>
    value === null ? [] : [[name, String(value)]],
  );
  return `/v1/products?${new URLSearchParams(given).toString()}`;
}

function toQ({ phrases, excluded }: OracleQuery): string | null {
  const parts = [
    ...phrases.map((words) => `"${words}"`),
    ...excluded.map((words) => `-"${words}"`),
  ];
  return parts.length > 0 ? parts.join(" ") : null;
}

const answerSchema = z.object({
  found: z.number(),
  found_exact: z.boolean(),
  items: z.array(
    z.object({
      item_id: z.number(),
      in_stock: z.boolean(),
      offers: z.record(z.string(), z.unknown()).optional(),
    }),
  ),
  facets: z.record(z.string(), z.unknown()),
  facets_exact: z.record(z.string(), z.boolean()),
  warnings: z.array(z.string()),
});

/** The differences between an answer and the catalogue, one line each. */
export async function differences(
  db: Db,
  query: OracleQuery,
  now: Date,
  response: Response,
): Promise<string[]> {
  if (response.status !== 200) return [`status ${response.status}: ${await response.text()}`];
  const answer = answerSchema.parse(await response.json());
  const truth = await tellTruth(db, query, now);
  const faults: string[] = [];
  const same = (what: string, given: unknown, expected: unknown) => {
    if (isDeepStrictEqual(given, expected)) return;
    faults.push(`${what}: ${JSON.stringify(given)} instead of ${JSON.stringify(expected)}`);
  };
  const ids = answer.items.map((item) => item.item_id);
  const cut = query.facets.filter((facet) => isCut(answer.facets[facet]));
  const isBounded =
    !answer.found_exact ||
    query.facets.some((facet) => !answer.facets_exact[facet] && !cut.includes(facet));
  if (isBounded || cut.length === 0 || !mayBeInexact(query))
    same("warnings", answer.warnings.length, isBounded ? 1 : 0);
  same("found_exact", isBounded && !mayBeInexact(query), false);
  for (const facet of query.facets) {
    if (cut.includes(facet) && answer.warnings.length === 0) {
      const values = valuesSchema.parse(answer.facets[facet]);
      const all = valuesSchema.parse(truth.facets[facet]);
      same(`counts of ${facet}`, countsOf(values), countsOf(all.slice(0, maxValuesPerFacet)));
      const right = new Map(all.map(({ value, count }) => [value, count]));
      const wrong = values.filter(({ value, count }) => right.get(value) !== count);
      same(`values of ${facet}`, wrong, []);
    }
    if (!answer.facets_exact[facet]) continue;
    const { given, histogram } = withoutHistogram(answer.facets[facet]);
    same(facet, given, truth.facets[facet]);
    if (histogram) same("histogram", histogram, countRanges(histogram, truth));
  }
  if (!answer.found_exact) {
    same("too many found", answer.found > truth.found, false);
    same("strangers", strangers(ids, truth), []);
    return faults;
  }
  same("found", answer.found, truth.found);
  const from = (query.page - 1) * query.perPage;
  const expected = truth.ids.slice(from, from + query.perPage);
  if (truth.isOrdered) same("items", ids, expected);
  else same("items", strangers(ids, truth).concat(ids.length), [expected.length]);
  if (query.sort === "relevance") {
    const inStock = answer.items.map((item) => item.in_stock);
    same(
      "available first",
      inStock,
      inStock.toSorted((a, b) => Number(b) - Number(a)),
    );
  }
  for (const { item_id: id, offers } of answer.items) {
    if (!offers) continue;
    const { gtin: _, ...counted } = offers;
    same(`offers of ${id}`, counted, truth.offers.get(truth.keys.get(id) ?? ""));
  }
  return faults;
}

const valuesSchema = z.array(z.object({ value: z.string(), count: z.number() }));
const countsOf = (values: z.infer<typeof valuesSchema>) => values.map(({ count }) => count);

/** As many values as are counted at most: rarer ones may be left out. */
const isCut = (values: unknown) => Array.isArray(values) && values.length === maxValuesPerFacet;

const rangesSchema = z.array(z.object({ from: z.number(), to: z.number(), count: z.number() }));
type Ranges = z.infer<typeof rangesSchema>;

function withoutHistogram(facet: unknown): { given: unknown; histogram?: Ranges } {
  if (typeof facet !== "object" || facet === null || !("histogram" in facet)) {
    return { given: facet };
  }
  const { histogram, ...given } = facet;
  return { given, histogram: rangesSchema.parse(histogram) };
}

/** The same ranges as the catalogue fills them: every price is in one of them, and they adjoin. */
function countRanges(ranges: Ranges, { prices }: Truth): Ranges {
  return ranges.map(({ from, to }, i) => {
    const isFirst = i === 0;
    const isLast = i === ranges.length - 1;
    const inside = prices.filter(
      ({ price }) => price !== null && (isFirst || price >= from) && (isLast || price <= to),
    );
    const end = ranges[i + 1]?.from ?? to + 1;
    return { from, to: end - 1, count: new Set(inside.map(({ key }) => key)).size };
  });
}

/** The address of the values of one facet under the filters of the search. */
export function toFacetPath(
  query: OracleQuery,
  { facet, prefix, limit }: { facet: string; prefix: string; limit: number },
): string {
  const parameters = new URL(toPath(query), "http://localhost").searchParams;
  for (const name of ["page", "per_page", "facets"]) parameters.delete(name);
  const words = parameters.get("q");
  if (words !== null) parameters.set("query", words);
  parameters.set("q", prefix);
  parameters.set("facet_limit", String(limit));
  return `/v1/facets/${facet}?${parameters.toString()}`;
}

/** The engine finds the words and Postgres applies the filter; with too many hits not all are examined. */
function mayBeInexact({ phrases, excluded, group, maxAgeSeconds }: OracleQuery): boolean {
  return phrases.length + excluded.length > 0 && (group !== null || maxAgeSeconds !== null);
}

/** Products that do not match, and second ones of one row. */
function strangers(ids: readonly number[], truth: Truth): number[] {
  const keys = ids.map((id) => truth.keys.get(id));
  return ids.filter((_, i) => keys[i] === undefined || keys.indexOf(keys[i]) !== i);
}
