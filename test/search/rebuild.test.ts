import { sql } from "drizzle-orm";
import { describe, expect, inject, it } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import { silentLogger } from "../../src/lib/logger.ts";
import type { Engine } from "../../src/search/engine/engine.ts";
import { toDocument } from "../../src/search/index/document.ts";
import { startRebuild } from "../../src/search/mirror/rebuild.ts";
import { createSearch } from "../../src/search/search.ts";
import { readServingIndex } from "../../src/search/mirror/indexes/serving-index.ts";
import { verifyIndex, verifyMirror } from "../../src/search/mirror/proof/verify.ts";
import {
  drain,
  fillProducts,
  createTestMirror,
  setDeleted,
  setPrice,
  step,
} from "../support/mirror.ts";
import { itLong } from "../support/it-long.ts";
import { openedForEach } from "../support/opened.ts";
import { until } from "../support/until.ts";

const test = openedForEach(createTestMirror);
const isLong = inject("long");
const PRODUCTS = isLong ? 500 : 150;
/** Rounds in which products change. */
const WRITTEN = isLong ? 60 : 24;

const serving = () => readServingIndex(test.db, test.indexPrefix);

describe("rebuilding the index", () => {
  it("M16: builds a new one beside the old, writes going on to both, and switches when it is proven", async () => {
    let mirror = test.start();
    await fillProducts(test.db, 1, PRODUCTS);
    await drain(test.db, mirror, test.indexPrefix);
    const search = createSearch({ ...test, searchDb: test.db, clock: systemClock });
    const newUid = await startRebuild(test.db, test.indexPrefix);
    expect(newUid).toBe(`${test.indexPrefix}2`);
    expect(await startRebuild(test.db, test.indexPrefix)).toBe(newUid);

    let rounds = 0;
    await until(
      async () => {
        rounds += 1;
        await step(mirror);
        if (rounds < WRITTEN) {
          await setPrice(test.db, rounds, rounds);
          if (rounds % 10 === 0) await setDeleted(test.db, 100 + rounds);
          if (rounds % 15 === 0) await fillProducts(test.db, 1000 + rounds, 1000 + rounds);
        }
        if (rounds === WRITTEN / 3) {
          // Stopped in the middle: the next process continues with the same index.
          await mirror.release();
          mirror = test.start();
        }
        expect((await search.search({ q: "革財布", page: 1, perPage: 1 })).found).toBeGreaterThan(
          PRODUCTS - 10,
        );
        return (await serving()) === newUid;
      },
      { what: "the new index to serve" },
    );
    await drain(test.db, mirror, test.indexPrefix);
    expect(await verifyIndex({ ...test, toDocument }, newUid)).toMatchObject({
      documents:
        PRODUCTS -
        Math.floor(Math.min(rounds, WRITTEN - 1) / 10) +
        Math.floor(Math.min(rounds, WRITTEN - 1) / 15),
      missing: 0,
      stale: 0,
      stray: 0,
    });
  });

  itLong(
    "switches although products come and change all the time and the engine is slow",
    async () => {
      const mirror = test.start();
      await fillProducts(test.db, 1, 20);
      await drain(test.db, mirror, test.indexPrefix);
      const newUid = await startRebuild(test.db, test.indexPrefix);
      let rounds = 0;
      await until(
        async () => {
          rounds += 1;
          await fillProducts(test.db, 100 + rounds, 100 + rounds);
          await setPrice(test.db, 1 + (rounds % 20), rounds);
          await step(mirror);
          return (await serving()) === newUid;
        },
        { what: "the new index to serve", timeoutMs: 30_000 },
      );
      await drain(test.db, mirror, test.indexPrefix);
      expect((await test.documents(newUid)).size).toBe(20 + rounds);
    },
  );

  it("misses no product of a transaction that was open when it began", async () => {
    const mirror = test.start();
    await fillProducts(test.db, 1, 5);
    await drain(test.db, mirror, test.indexPrefix);
    let started: Promise<string> | undefined;
    await test.db.transaction(async (tx) => {
      await tx.execute(sql`update product set price = 7, ver = ver + 1 where item_id = 2`);
      started = startRebuild(test.db, test.indexPrefix);
      await systemClock.sleep(100);
    });
    const newUid = await started;
    await until(async () => (await step(mirror), (await serving()) === newUid), {
      what: "the new index to serve",
    });
    expect((await test.documents(newUid)).get(2)).toMatchObject({ price: 7 });
  });

  it("rebuilds by itself when documents or settings have another shape than those the index was built with, and compares nothing before", async () => {
    const verified = () => verifyMirror({ ...test, clock: systemClock, logger: silentLogger });
    const mirror = test.start();
    await fillProducts(test.db, 1, 5);
    await drain(test.db, mirror, test.indexPrefix);
    await test.db.execute(sql`update mirror_index set settings_hash = 'of an older version'`);
    expect(await verified()).toBe("outdated");
    await until(async () => (await step(mirror), (await serving()) === `${test.indexPrefix}2`), {
      what: "the new index to serve",
    });
    expect(await verified()).toMatchObject({ documents: 5, missing: 0, stale: 0, stray: 0 });
  });

  it("fills it anew where a process of another version began it, so that no document has that one's form", async () => {
    const other = test.start({
      maxRows: 10,
      toDocument: (...of) => ({ ...toDocument(...of), detail: "of another version" }),
    });
    await fillProducts(test.db, 1, 30);
    await drain(test.db, other, test.indexPrefix);
    const newUid = await startRebuild(test.db, test.indexPrefix);
    await until(async () => (await step(other), (await sentTo(newUid)) > 0), {
      what: "a part of the new index",
    });
    await other.release();
    await test.db.execute(sql`
      update mirror_index set settings_hash = 'of another version' where index_uid = ${newUid}`);
    const mirror = test.start();
    await until(async () => (await step(mirror), (await serving()) === newUid), {
      what: "the new index to serve",
    });
    const details = [...(await test.documents(newUid)).values()].map(({ detail }) => detail);
    expect(new Set(details)).toEqual(new Set(["牛革"]));
  });

  it("forgets the old one's rows at once and its documents after a day", async () => {
    const mirror = test.start();
    await fillProducts(test.db, 1, 5);
    await drain(test.db, mirror, test.indexPrefix);
    await rebuildWith(mirror);
    await until(async () => (await step(mirror), (await rowsOf(test.indexUid)) === 0), {
      what: "its rows to be forgotten",
    });
    expect(await test.engine.readIndex(test.indexUid)).not.toBeNull();
    await test.db.execute(sql`
      update mirror_index set switched_at = now() - interval '25 hours' where state = 'retired'`);
    await until(async () => (await step(mirror), (await retired()) === 0), {
      what: "the index to be deleted",
    });
    expect(await test.engine.readIndex(test.indexUid)).toBeNull();
  });

  itLong(
    "a check of the old one that is under way finds nothing wrong with it, and begins anew with the new one",
    async () => {
      const mirror = test.start();
      await fillProducts(test.db, 1, 1500);
      await drain(test.db, mirror, test.indexPrefix);
      const read = new Set<string>();
      const engine: Engine = {
        ...test.engine,
        async fetchDocuments(uid, request) {
          if (!read.has(uid) && uid === test.indexUid) {
            await rebuildWith(mirror);
            await until(async () => (await step(mirror), (await rowsOf(uid)) === 0), {
              what: "its rows to be forgotten",
            });
          }
          read.add(uid);
          return test.engine.fetchDocuments(uid, request);
        },
      };
      const checked = { ...test, engine, clock: systemClock, logger: silentLogger };
      expect(await verifyMirror(checked)).toMatchObject({
        documents: 1500,
        missing: 0,
        repaired: 0,
      });
      expect([...read]).toEqual([test.indexUid, `${test.indexPrefix}2`]);
      expect(await rowsOf(test.indexUid)).toBe(0);
    },
  );

  itLong(
    "forgets the old one although somebody deleted its documents, and brings changes meanwhile",
    async () => {
      const mirror = test.start();
      await fillProducts(test.db, 1, 5);
      await drain(test.db, mirror, test.indexPrefix);
      const newUid = await rebuildWith(mirror);
      await test.engine.awaitTask(await test.engine.deleteIndex(test.indexUid), 10_000);
      await test.db.execute(sql`
      update mirror_index set switched_at = now() - interval '25 hours' where state = 'retired'`);
      await setPrice(test.db, 2, 77);
      await until(
        async () => {
          await step(mirror);
          const price = (await test.documents(newUid)).get(2)?.price;
          return price === 77 && (await retired()) === 0;
        },
        { what: "the change to be found and the old index to be forgotten" },
      );
    },
  );
});

/** The index that serves afterwards. */
async function rebuildWith(mirror: Parameters<typeof step>[0]): Promise<string> {
  const newUid = await startRebuild(test.db, test.indexPrefix);
  await until(async () => (await step(mirror), (await serving()) === newUid), {
    what: "the new index to serve",
  });
  return newUid;
}

async function sentTo(indexUid: string): Promise<number> {
  const rows = await test.db.execute(sql`
    select 1 from mirror where index_uid = ${indexUid} and indexed_version > 0`);
  return rows.length;
}

async function retired(): Promise<number> {
  const rows = await test.db.execute(sql`select 1 from mirror_index where state = 'retired'`);
  return rows.length;
}

async function rowsOf(indexUid: string): Promise<number> {
  const rows = await test.db.execute(sql`select 1 from mirror where index_uid = ${indexUid}`);
  return rows.length;
}
