import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import { createGenerator } from "../../src/sandbox/catalogue/generate.ts";
import { createSearch } from "../../src/search/search.ts";
import { storeGenerated } from "../support/generated.ts";
import { createTestMirror, drain } from "../support/mirror.ts";
import { openedForAll } from "../support/opened.ts";
import { judgedSearches, meanScore } from "../support/relevance.ts";
import { compareRelevance, type Compared } from "../support/relevance-run.ts";

const products = 600;
const items = createGenerator(7).catalog(products);
const searches = judgedSearches(items);
const test = openedForAll(createTestMirror);
let compared: Compared[];

beforeAll(async () => {
  await storeGenerated(test.db, "2026-01-01T00:00:00Z", products);
  // What is sold out comes last, however well it matches: here words alone decide.
  await test.db.execute(sql`update product set stock = 1 where stock <= 0`);
  await drain(test.db, test.start(), test.indexPrefix);
  const { search } = createSearch({ ...test, searchDb: test.db, clock: systemClock });
  const { client, prefix } = test.meili;
  compared = await compareRelevance(items, search, client.index(`${prefix}defaults`));
});

describe("searching the sandbox's catalogue", () => {
  it.each(searches.map(({ q, trait }) => ({ q, trait })))(
    "finds and puts first what is wanted by $q ($trait)",
    ({ q }) => {
      const { search, ours } = compared.find((one) => one.search.q === q) ?? {};
      expect(items.some((item) => (search?.grade(item) ?? 0) > 0)).toBe(true);
      expect(ours?.ndcg).toBeGreaterThan(0.95);
      expect(ours?.recall).toBe(1);
    },
  );

  it("control: Meilisearch's defaults do worse on the same products", () => {
    const ours = meanScore(compared.map((one) => one.ours));
    const defaults = meanScore(compared.map((one) => one.defaults));
    expect(defaults.ndcg).toBeLessThan(ours.ndcg - 0.1);
    expect(defaults.recall).toBeLessThan(ours.recall - 0.1);
  });
});
