import { sql } from "drizzle-orm";
import pino from "pino";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import type { Embedder } from "../../src/search/index/embedder.ts";
import type { Mirror } from "../../src/search/mirror/mirror.ts";
import { readServingIndex } from "../../src/search/mirror/indexes/serving-index.ts";
import { readMirrorStatus } from "../../src/search/mirror/status.ts";
import type { ProductQuery } from "../../src/search/query/query.ts";
import { createSearch } from "../../src/search/search.ts";
import { storeItems } from "../support/catalog.ts";
import { openEmbeddingServer, type EmbeddingServer } from "../support/embedding-server.ts";
import { createTestMirror, drain, step, type TestMirror } from "../support/mirror.ts";
import { searchItem } from "../support/products.ts";
import { until } from "../support/until.ts";
import { itLong } from "../support/it-long.ts";

const titles = ["銅の燭台", "革の長財布", "白い珈琲カップ", "銅の鍋"];
/** Each line is one direction of meaning. */
const meanings = [
  ["燭台", "蝋燭立て", "キャンドルホルダー"],
  ["財布", "ウォレット", "小銭入れ"],
  ["カップ", "湯呑み", "マグ"],
  ["鍋", "ポット"],
];

let test: TestMirror;
let server: EmbeddingServer;
let embedder: Embedder;
beforeEach(async () => {
  test = await createTestMirror();
  server = await openEmbeddingServer(meanings);
  embedder = { options: server.options, semanticRatio: 0.3 };
  const items = titles.map((title, i) =>
    searchItem(i + 1, { title, detail: "", identifier: null, categories: [], shopName: "-" }),
  );
  await storeItems(test.db, "2026-01-01T00:00:00Z", items);
});
afterEach(async () => {
  await test.close();
  await server.close();
});

const search = (query: Partial<ProductQuery>, by: Embedder | null = embedder) =>
  createSearch({ ...test, searchDb: test.db, clock: systemClock, embedder: by }).search({
    page: 1,
    perPage: 20,
    ...query,
  });
const titled = (ids: readonly number[]) => ids.map((id) => titles[id - 1]);
async function fill(by: Embedder | null = embedder): Promise<Mirror> {
  const mirror = test.start({ embedder: by, checkEveryMs: 0 });
  await drain(test.db, mirror, test.indexPrefix);
  return mirror;
}

describe("search by meaning", () => {
  it("finds what is nearest in meaning where no title has the words, marked as lacking them", async () => {
    await fill();
    const hits = await search({ q: "キャンドルホルダー" });
    expect(hits.found).toBe(0);
    expect(titled(hits.ids)[0]).toBe("銅の燭台");
    expect(hits.partial.get(1)).toEqual(["キャンドル", "ホルダー"]);
    expect(hits.degraded).toBe(false);
  });

  it.each(inject("long") ? (["openAi", "ollama"] as const) : (["openAi"] as const))(
    "passes an embedder of %s through",
    async (provider) => {
      const by: Embedder = { options: server.providers[provider], semanticRatio: 0.3 };
      await fill(by);
      expect(titled((await search({ q: "キャンドルホルダー" }, by)).ids)[0]).toBe("銅の燭台");
    },
  );

  it("shows products with every word first, and only those on request", async () => {
    await fill();
    const hits = await search({ q: "鍋" });
    expect([hits.found, titled(hits.ids)[0]]).toEqual([1, "銅の鍋"]);
    expect(hits.partial.has(4)).toBe(false);
    for (const strict of [
      { q: "キャンドルホルダー", match: "all" },
      { q: '"キャンドルホルダー"' },
    ] as const) {
      expect((await search(strict)).ids).toEqual([]);
    }
    expect(titled((await search({ q: "ウォレット -革" })).ids)).not.toContain("革の長財布");
  });

  it("keeps to filters", async () => {
    await fill();
    const hits = await search({ q: "キャンドルホルダー", priceMin: 10_000_000 });
    expect(hits.ids).toEqual([]);
  });

  it("is off by default: nothing is embedded, and only words find", async () => {
    await fill(null);
    expect((await search({ q: "キャンドルホルダー" }, null)).ids).toEqual([]);
    expect((await test.engine.readSettings(test.indexUid)).embedders).toEqual({});
    expect(server.asked()).toBe(0);
  });

  it("answers by words while the embedder is away, and does not ask it at every search", async () => {
    await fill();
    await server.close();
    const { search: ask } = createSearch({
      ...test,
      searchDb: test.db,
      clock: systemClock,
      embedder,
    });
    const found = async (q: string) => {
      const hits = await ask({ q, page: 1, perPage: 20 });
      return [titled(hits.ids), hits.degraded];
    };
    expect(await found("鍋")).toEqual([["銅の鍋"], false]);
    const startedMs = performance.now();
    expect(await found("燭台")).toEqual([["銅の燭台"], false]);
    expect(await found("長財布")).toEqual([["革の長財布"], false]);
    expect(performance.now() - startedMs).toBeLessThan(2000);
  });

  itLong(
    "leaves an index alone that has the embedder, though the engine masks its key and adds defaults",
    async () => {
      const mirror = await fill();
      const asked = server.asked();
      for (let i = 0; i < 10; i += 1) await step(mirror);
      expect(server.asked()).toBe(asked);
      const { results } = await test.meili.client.tasks.getTasks({
        indexUids: [test.indexUid],
        types: ["settingsUpdate"],
      });
      expect(results).toHaveLength(1);
    },
  );

  itLong(
    "keeps documents for later while the embedder refuses them, and its key to itself",
    async () => {
      const lines: string[] = [];
      const logger = pino({ level: "trace" }, { write: (line) => lines.push(line) });
      const mirror = test.start({ embedder, logger });
      await drain(test.db, mirror, test.indexPrefix);
      server.refuse(true);
      await storeItems(test.db, "2026-01-02T00:00:00Z", [searchItem(9, { title: "蝋燭立て" })]);
      const errors = async () =>
        test.db.execute<{ error: string }>(
          sql`select error from mirror_batch where error is not null`,
        );
      await until(async () => (await step(mirror), (await errors()).length > 0), {
        what: "a write to fail",
      });
      const status = await readMirrorStatus(test.db, test.indexPrefix);
      expect(status.serving).toMatchObject({ deadLettered: 0, dirty: 1 });
      expect((await errors())[0]?.error).toContain("vector_embedding_error: the embedder fails");
      expect([...lines, JSON.stringify(await errors())].join("")).not.toContain("canary");
      server.refuse(false);
      await drain(test.db, mirror, test.indexPrefix);
      expect((await search({ q: "キャンドルホルダー" })).ids).toContain(9);
    },
  );

  it("dead-letters the one product whose text the embedder refuses, and brings the others", async () => {
    const mirror = await fill();
    server.refuseWord("禁句");
    await storeItems(test.db, "2026-01-02T00:00:00Z", [
      searchItem(8, { title: "禁句の燭台" }),
      searchItem(9, { title: "真鍮の燭台" }),
    ]);
    await drain(test.db, mirror, test.indexPrefix);
    const { serving } = await readMirrorStatus(test.db, test.indexPrefix);
    expect(serving?.deadLetters.map(({ itemId }) => itemId)).toEqual([8]);
    const { ids } = await search({ q: "キャンドルホルダー" });
    expect(ids).toContain(9);
    expect(ids).not.toContain(8);
  });

  itLong(
    "goes on answering from the index in service while a new embedder refuses its key",
    async () => {
      await (await fill(null)).release();
      server.refuse(true);
      const lines: string[] = [];
      const logger = pino({ level: "trace" }, { write: (line) => lines.push(line) });
      const mirror = test.start({ embedder, logger });
      const failures = () => lines.filter((line) => line.includes("index task failed"));
      await until(async () => (await step(mirror), failures().length > 0), { what: "a failure" });
      await storeItems(test.db, "2026-01-02T00:00:00Z", [searchItem(9, { title: "真鍮の燭台" })]);
      await drain(test.db, mirror, test.indexPrefix);
      expect(await search({ q: "燭台" })).toMatchObject({ found: 2, degraded: false });
      for (let i = 0; i < 20; i += 1) await step(mirror);
      expect(failures().length).toBeLessThan(4);
      expect(lines.join("")).not.toContain("canary");
    },
  );

  itLong(
    "rebuilds the index beside the old one when the embedder comes, changes or goes",
    async () => {
      await (await fill(null)).release();
      const other = {
        ...embedder,
        options: { ...server.options, documentTemplate: "{{doc.title}}" },
      };
      for (const [version, by] of [embedder, other, null].entries()) {
        const mirror = test.start({ embedder: by });
        await until(
          async () => (
            await step(mirror),
            (await readServingIndex(test.db, test.indexPrefix)) ===
              `${test.indexPrefix}${version + 2}`
          ),
          { what: "the new index to serve" },
        );
        await mirror.release();
        expect(titled((await search({ q: "小銭入れ" }, by)).ids)[0]).toBe(
          by ? "革の長財布" : undefined,
        );
      }
    },
  );
});
