import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import type { Engine } from "../../src/search/engine/engine.ts";
import type { ProductHits } from "../../src/search/query/query.ts";
import { createSearch } from "../../src/search/search.ts";
import { endGroup, storeGroup, type Member } from "../support/matches.ts";
import { ofTenWords, page, titled, titledSearchForAll, titles } from "../support/titled-search.ts";
import { until } from "../support/until.ts";
import { openPool } from "../support/postgres.ts";

const { test, openSearch, ask, silentEngine } = titledSearchForAll();
const sorted = (texts: readonly (string | undefined)[]) =>
  texts.toSorted((a = "", b = "") => (a < b ? -1 : 1));
/** Those with every word, and the others. */
function parted(hits: ProductHits): {
  all: (string | undefined)[];
  partial: (string | undefined)[];
} {
  return {
    all: titled(hits.ids.filter((id) => !hits.partial.has(id))),
    partial: titled(hits.ids.filter((id) => hits.partial.has(id))),
  };
}

describe("a search whose words no product or few products have together", () => {
  it("shows products with every word first, then those with most, which say what they lack", async () => {
    const hits = await ask({ q: "copper elbow" });
    expect(hits.found).toBe(1);
    const { all, partial } = parted(hits);
    expect(all).toEqual(["Copper Elbow 3/4 in."]);
    expect(sorted(partial)).toEqual(["Brass Elbow 1/2 in.", "Copper Tee 3/4 in."]);
    expect(hits.partial.get(2)).toEqual(["elbow"]);
    expect(hits.partial.get(3)).toEqual(["copper"]);
  });

  it("leaves out words that say nothing about a product, and says so", async () => {
    const wanted = await ask({ q: "elbow", facets: ["price"] });
    for (const q of ["elbow günstig", "best cheap Elbow"]) {
      const hits = await ask({ q, facets: ["price"] });
      expect([hits.ids, hits.found, hits.facets]).toEqual([wanted.ids, 2, wanted.facets]);
      expect(hits.corrected?.toLowerCase()).toBe("elbow");
    }
    expect(await ask({ q: "elbow günstig", match: "all" })).toMatchObject({ ids: [], found: 0 });
    expect((await ask({ q: 'elbow "günstig kaufen"' })).found).toBe(0);
    expect((await ask({ q: "günstig kaufen" })).found).toBe(0);
  });

  it("counts facets also of products that have other forms of the words", async () => {
    const facets = ["in_stock", "price"] as const;
    for (const q of ["kate", "ケイト 口紅"]) {
      for (const filter of [{}, { inStock: true }]) {
        const hits = await ask({ q, facets, ...filter });
        expect([hits.found, titled(hits.ids)[0]]).toEqual([1, "ケイト 口紅"]);
        expect(hits.facets.in_stock).toEqual([{ value: "true", count: 1 }]);
        expect(hits.facets.price?.min).toBe(1000 + titles.indexOf("ケイト 口紅"));
      }
    }
    const both = await ask({ q: "リーバイス", facets });
    expect([both.found, both.facets.in_stock]).toEqual([2, [{ value: "true", count: 2 }]]);
    const [first = 0, last = 0] = both.ids.map((id) => 999 + id);
    expect(both.facets.price).toEqual({ min: Math.min(first, last), max: Math.max(first, last) });
  });

  it("finds other forms of the words in the order asked for, and the same on pages of any size", async () => {
    const { ids } = await ask({ q: "リーバイス" });
    expect(ids).toHaveLength(2);
    const upwards = ids.toSorted((a, b) => a - b);
    for (const perPage of [1, 2, 20, 100]) {
      for (const [sort, wanted] of [
        ["relevance", ids],
        ["price:asc", upwards],
        ["price:desc", upwards.toReversed()],
      ] as const) {
        const hits = await ask({ q: "リーバイス", sort, perPage });
        const next = await ask({ q: "リーバイス", sort, perPage, page: 2 });
        expect([...hits.ids, ...next.ids]).toEqual(wanted);
        // Of other forms only the best are read.
        expect([hits.found, hits.foundExact, next.found]).toEqual([2, false, 2]);
      }
    }
  });

  it("asks for every word of a pasted title", async () => {
    const [long = "", shorter] = ofTenWords;
    const hits = await ask({ q: long });
    expect(hits.found).toBe(1);
    expect(titled(hits.ids).slice(0, 2)).toEqual([long, shorter]);
    expect([...hits.partial.values()][0]).toEqual(["sleeve", "green"]);
  });

  it("names what is lacking as it was typed", async () => {
    const { partial } = await ask({ q: "Cöpper ＥＬＢＯＷ" });
    expect([partial.get(2), partial.get(3)]).toEqual([["ＥＬＢＯＷ"], ["Cöpper"]]);
  });

  it("answers a word that no product has by the other words", async () => {
    const hits = await ask({ q: "where can i find a galvanized pipe zzyzx" });
    expect(hits.found).toBe(0);
    expect(titled(hits.ids)[0]).toBe("Galvanized Pipe 10 ft.");
  });

  it("of a compound that no product has finds what it is a kind of", async () => {
    for (const search of [openSearch(), openSearch(silentEngine())]) {
      const { found, ids, partial } = await search({ ...page, q: "Schmorbratpfanne" });
      expect([found, titled(ids), [...partial.values()]]).toEqual([
        0,
        ["Bratpfanne beschichtet 28 cm"],
        [["Schmorbratpfanne"]],
      ]);
    }
  });

  it("requires every word if all are requested, or in quotes", async () => {
    expect(titled((await ask({ q: "copper elbow", match: "all" })).ids)).toEqual([
      "Copper Elbow 3/4 in.",
    ]);
    expect((await ask({ q: '"copper" "garden"' })).ids).toEqual([]);
    expect(sorted(titled((await ask({ q: '"copper" garden' })).ids))).toEqual([
      "Copper Elbow 3/4 in.",
      "Copper Tee 3/4 in.",
    ]);
    expect(titled((await ask({ q: "copper elbow -tee" })).ids)).not.toContain("Copper Tee 3/4 in.");
  });

  it("keeps filters, and a requested order within each part", async () => {
    expect(titled((await ask({ q: "copper elbow", inStock: true })).ids)).toEqual([
      "Copper Elbow 3/4 in.",
      "Brass Elbow 1/2 in.",
    ]);
    expect(titled((await ask({ q: "copper elbow", sort: "price:desc" })).ids)).toEqual([
      "Copper Elbow 3/4 in.",
      "Brass Elbow 1/2 in.",
      "Copper Tee 3/4 in.",
    ]);
  });

  it("pages through all of them, none twice", async () => {
    const whole = (await ask({ q: "copper elbow" })).ids;
    const pages: number[] = [];
    for (const number of [1, 2, 3, 4]) {
      pages.push(...(await ask({ q: "copper elbow", page: number, perPage: 1 })).ids);
    }
    expect(pages).toEqual(whole);
    const inTwos = [
      ...(await ask({ q: "copper elbow", page: 1, perPage: 2 })).ids,
      ...(await ask({ q: "copper elbow", page: 2, perPage: 2 })).ids,
    ];
    expect(inTwos).toEqual(whole);
  });

  it("gives groups of offers too", async () => {
    const hits = await ask({ q: "copper elbow", group: "gtin" });
    expect(hits.ids).toHaveLength(3);
    expect(hits.ids.every((id) => hits.groups.has(id))).toBe(true);
  });

  it("shows no member of a group that is a row already", async () => {
    const { ids } = await ask({ q: "copper elbow" });
    const groupId = await storeGroup(
      test.db,
      ids.slice(0, 2).map((id): Member => [id]),
    );
    const hits = await ask({ q: "copper elbow", group: "product" });
    await endGroup(test.db, groupId, null);
    expect(hits.ids).toEqual([ids[0], ...ids.slice(2)]);
    expect(hits.groups.get(ids[0] ?? 0)).toMatchObject({ key: `group ${groupId}`, count: 1 });
  });

  it("asks the engine once, unless a word has to be corrected", async () => {
    let asked = 0;
    const counting: Engine = {
      ...test.engine,
      search: (uid, query) => {
        asked += 1;
        return test.engine.search(uid, query);
      },
      multiSearch: (queries) => {
        asked += 1;
        return test.engine.multiSearch(queries);
      },
    };
    await openSearch(counting)({ ...page, q: "copper elbow" });
    expect(asked).toBe(1);
  });
});

describe("a database that is slow", () => {
  it.each(["copper elbow", "elbow"])(
    "B20: costs %j the partial matches, and no search and no suggestions their answer",
    async (q) => {
      const { db: searchDb, close } = openPool(test.url, {
        maxConnections: 2,
        statementTimeoutMs: 200,
      });
      const { search, suggest } = createSearch({ ...test, searchDb, clock: systemClock });
      try {
        const [hits, suggested] = await test.db.transaction(async (tx) => {
          await tx.execute(sql`lock table product_text in access exclusive mode`);
          return Promise.all([search({ ...page, q }), suggest("まんねんひ", 5)]);
        });
        expect(suggested).toEqual({ items: [], degraded: false });
        expect(titled(hits.ids)).toContain("Copper Elbow 3/4 in.");
        expect([hits.engine, hits.partial.size, hits.warnings.length]).toEqual([
          "meilisearch",
          0,
          1,
        ]);
        await until(async () => (await search({ ...page, q })).warnings.length === 0, {
          what: "an answer with all there is",
        });
      } finally {
        await close();
      }
    },
  );
});

describe("products with every word", () => {
  it.each([
    ["the engine", () => openSearch()],
    ["Postgres", () => openSearch(silentEngine())],
  ])("of %s stand in this order: available ones, then the shorter title", async (_, open) => {
    const titlesOf = async (q: string) => (await open()({ ...page, q })).ids;
    expect(titled(await titlesOf("ハッサム"))).toEqual([
      "ハッサム 062/055",
      "ハッサムGX SR 061/055",
    ]);
    expect(await titlesOf("スミレ")).toEqual([24, 23]);
  });

  it("begin with the thing itself, before what is made for it", async () => {
    expect(titled((await ask({ q: "galax x20" })).ids)).toEqual([
      "Galax X20 128GB SIMフリー",
      "Galax X20 ケース",
    ]);
  });
});
