import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import { createSearch } from "../../src/search/search.ts";
import {
  dirtyIds,
  drain,
  fillProducts,
  createTestMirror,
  setDeleted,
  setPrice,
} from "../support/mirror.ts";
import { openedForEach } from "../support/opened.ts";
import { until } from "../support/until.ts";
import { itLong } from "../support/it-long.ts";

const test = openedForEach(createTestMirror);
const PRODUCTS = 120;
const running = new AbortController().signal;

/** What a product is found by for a search that nobody made before: no memory answers it. */
function createFind() {
  const { search } = createSearch({ ...test, searchDb: test.db, clock: systemClock });
  let asked = 0;
  return async () => {
    asked += 1;
    const query = { q: "革財布", priceMax: 1_000_000 + asked, page: 1, perPage: 1 };
    const { found, degraded } = await search(query);
    return { found, degraded };
  };
}

/** Steps until the engine answers again after Postgres did; what was answered meanwhile. */
async function refill(mirror: ReturnType<typeof test.start>) {
  const find = createFind();
  const answers = new Set<string>();
  await until(
    async () => {
      await systemClock.sleep(Math.min(20, await mirror.step(running)));
      const answer = await find();
      answers.add(JSON.stringify(answer));
      return answers.size > 1 && !answer.degraded;
    },
    { what: "the engine to answer again" },
  );
  return [...answers].map((answer) => JSON.parse(answer) as unknown);
}

const fromBoth = [
  { found: PRODUCTS, degraded: true },
  { found: PRODUCTS, degraded: false },
];

describe("an index that is filled anew is not searched until it is proven to have everything", () => {
  it("M6: after somebody deleted it", async () => {
    const mirror = test.start({ maxRows: 40 });
    await fillProducts(test.db, 1, PRODUCTS);
    await drain(test.db, mirror, test.indexPrefix);
    expect(await createFind()()).toEqual({ found: PRODUCTS, degraded: false });
    await test.meili.client.index(test.indexUid).delete().waitTask();
    expect(await refill(mirror)).toEqual(fromBoth);
  });

  itLong("M6: after somebody deleted its documents", async () => {
    const mirror = test.start({ maxRows: 40 });
    await fillProducts(test.db, 1, PRODUCTS);
    await drain(test.db, mirror, test.indexPrefix);
    await test.meili.client.index(test.indexUid).deleteAllDocuments().waitTask();
    await until(async () => (await mirror.step(running), (await createFind()()).degraded), {
      what: "the loss to be noticed",
    });
    expect(await refill(mirror)).toEqual(fromBoth);
  });

  it("M7: but goes on being searched where only its settings were changed", async () => {
    const mirror = test.start({ maxRows: 40 });
    await fillProducts(test.db, 1, PRODUCTS);
    await drain(test.db, mirror, test.indexPrefix);
    const index = test.meili.client.index(test.indexUid);
    await index.updateSynonyms({ another: ["word"] }).waitTask();
    const find = createFind();
    await until(
      async () => {
        await mirror.step(running);
        expect(await find()).toEqual({ found: PRODUCTS, degraded: false });
        return (await dirtyIds(test.db, test.indexUid)).length > 0;
      },
      { what: "the documents to be sent again" },
    );
    await drain(test.db, mirror, test.indexPrefix);
    expect(await find()).toEqual({ found: PRODUCTS, degraded: false });
  });

  itLong("where the catalogue had products before it", async () => {
    await fillProducts(test.db, 1, PRODUCTS);
    expect(await refill(test.start({ maxRows: 40 }))).toEqual(fromBoth);
  });

  itLong(
    "M12: after the engine went back to an older state, with documents that are deleted since",
    async () => {
      const mirror = test.start();
      await fillProducts(test.db, 1, PRODUCTS + 1);
      await drain(test.db, mirror, test.indexPrefix);
      const older = [...(await test.documents()).values()];
      await setDeleted(test.db, 7);
      await setPrice(test.db, 8, 1);
      await drain(test.db, mirror, test.indexPrefix);
      // What a folder or a dump of yesterday has: these documents, and no task of today.
      await test.meili.client.index(test.indexUid).addDocuments(older).waitTask();
      await test.db.execute(sql`update mirror_batch set task_uid = task_uid + 1000000000`);
      await until(async () => (await mirror.step(running), (await createFind()()).degraded), {
        what: "the older state to be noticed",
      });
      expect(await refill(mirror)).toEqual(fromBoth);
      const documents = await test.documents();
      expect(documents.has(7)).toBe(false);
      expect(documents.get(8)).toMatchObject({ price: 1 });
    },
  );
});
