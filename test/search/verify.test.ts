import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import { silentLogger } from "../../src/lib/logger.ts";
import { toDocument } from "../../src/search/index/document.ts";
import { readMirrorStatus } from "../../src/search/mirror/status.ts";
import { beforeAll, verifyAfter } from "../../src/search/mirror/proof/reconcile.ts";
import { verifyIndex, verifyMirror, verifyShare } from "../../src/search/mirror/proof/verify.ts";
import {
  dirtyIds,
  drain,
  fillProducts,
  createTestMirror,
  setDeleted,
  setPrice,
} from "../support/mirror.ts";
import { openedForEach } from "../support/opened.ts";
import { itLong } from "../support/it-long.ts";

const test = openedForEach(createTestMirror);

const nothing = { missing: 0, stale: 0, stray: 0, repaired: 0 };
const verify = () => verifyMirror({ ...test, clock: systemClock, logger: silentLogger });

async function tamper(work: () => Promise<{ taskUid: number }>): Promise<void> {
  await test.meili.client.tasks.waitForTask((await work()).taskUid, { timeout: 60_000 });
}

describe("verifying the mirror", () => {
  it("finds nothing in an up-to-date index, and stores the result for the status", async () => {
    await fillProducts(test.db, 1, 300);
    await setDeleted(test.db, 5);
    await drain(test.db, test.start(), test.indexPrefix);
    expect(await verify()).toEqual({ buckets: 1, documents: 299, ...nothing });
    const { lastVerify } = await readMirrorStatus(test.db, test.indexPrefix);
    expect(lastVerify).toMatchObject({ indexUid: test.indexUid, documents: 299, ...nothing });
  });

  it("finds and repairs exactly what is missing, stale or stray, though the counts agree", async () => {
    await fillProducts(test.db, 1, 40);
    await setDeleted(test.db, 40);
    const mirror = test.start();
    await drain(test.db, mirror, test.indexPrefix);
    const before = await test.documents();
    const index = test.meili.client.index(test.indexUid);
    const tampered = before.get(11) ?? {};
    await tamper(() => index.deleteDocuments([3, 4]));
    await tamper(() => index.updateDocuments([{ id: 11, price: 1 }]));
    await tamper(() => index.addDocuments([{ ...tampered, id: 12, _ver: 0 }]));
    await tamper(() => index.addDocuments([{ ...tampered, id: 40 }]));
    await tamper(() => index.addDocuments([{ id: 777 }, { id: "stranger" }]));
    await tamper(() => index.addDocuments([{ id: 13, title: "no version" }]));

    expect(await verify()).toMatchObject({ missing: 2, stale: 3, stray: 3, repaired: 8 });
    expect(await dirtyIds(test.db, test.indexUid)).toEqual([3, 4, 11, 12, 13, 40, 777]);
    await drain(test.db, mirror, test.indexPrefix);
    expect(await verify()).toMatchObject(nothing);
    const after = await test.documents();
    const content = (documents: typeof after) =>
      new Map([...documents].map(([id, document]) => [id, { ...document, _ver: 0 }]));
    expect(content(after)).toEqual(content(before));
  });

  it("leaves out pending rows", async () => {
    await fillProducts(test.db, 1, 10);
    await drain(test.db, test.start(), test.indexPrefix);
    await setPrice(test.db, 1, 5);
    await setDeleted(test.db, 2);
    await fillProducts(test.db, 11, 12);
    expect(await verify()).toMatchObject(nothing);
  });

  it("enters a product that no trigger saw", async () => {
    await fillProducts(test.db, 1, 10);
    const mirror = test.start();
    await drain(test.db, mirror, test.indexPrefix);
    await test.db.execute(sql`delete from mirror where item_id = 4`);
    await tamper(() => test.meili.client.index(test.indexUid).deleteDocument(4));
    expect(await verify()).toMatchObject({ missing: 1, repaired: 1 });
    await drain(test.db, mirror, test.indexPrefix);
    expect((await test.documents()).size).toBe(10);
  });

  it("limits how much it repairs at once", async () => {
    await fillProducts(test.db, 1, 30);
    await drain(test.db, test.start(), test.indexPrefix);
    await tamper(() => test.meili.client.index(test.indexUid).deleteAllDocuments());
    const report = await verifyIndex({ ...test, toDocument, maxRepairs: 10 }, test.indexUid);
    expect(report).toMatchObject({ missing: 30, repaired: 10 });
    expect(await dirtyIds(test.db, test.indexUid)).toHaveLength(10);
  });

  itLong(
    "finds missing, stale and stray documents by versions alone, in slices, and goes on after a stop",
    async () => {
      await fillProducts(test.db, 1, 2500);
      const mirror = test.start();
      await drain(test.db, mirror, test.indexPrefix);
      const index = test.meili.client.index(test.indexUid);
      await tamper(() => index.deleteDocuments([3, 1500, 2500]));
      await tamper(() => index.addDocuments([{ id: 12, title: "x" }, { id: 90_000 }, { id: "x" }]));
      const options = { db: test.db, engine: test.engine, toDocument: null };
      const reports = [];
      for (let after: number | null = beforeAll; after !== null;) {
        const { report, next } = await verifyAfter(options, test.indexUid, after);
        reports.push(report);
        after = next;
      }
      expect(reports.map(({ documents }) => documents)).toEqual([999, 999, 501]);
      expect(reports.map(({ missing, stale, stray }) => [missing, stale, stray])).toEqual([
        [1, 1, 0],
        [1, 0, 0],
        [1, 0, 2],
      ]);
      await drain(test.db, mirror, test.indexPrefix);
      const stop = new AbortController();
      const stopping = {
        ...test.engine,
        fetchDocuments: (...request: Parameters<typeof test.engine.fetchDocuments>) => {
          stop.abort();
          return test.engine.fetchDocuments(...request);
        },
      };
      const share = { ...test, clock: systemClock, logger: silentLogger };
      await verifyShare({ ...share, engine: stopping }, stop.signal);
      const { lastVerify } = await readMirrorStatus(test.db, test.indexPrefix);
      expect(lastVerify).toBeNull();
      await verifyShare(share);
      const after = await readMirrorStatus(test.db, test.indexPrefix);
      expect(after.lastVerify).toMatchObject({ buckets: 3, documents: 2500, missing: 0, stale: 0 });
      expect(after.lastVerify).toMatchObject({ stray: 0, repaired: 0 });
      expect((await test.documents()).size).toBe(2500);
    },
  );

  itLong(
    "control: comparing counts sees nothing if one document is missing and another is an orphan",
    async () => {
      await fillProducts(test.db, 1, 10);
      await drain(test.db, test.start(), test.indexPrefix);
      const index = test.meili.client.index(test.indexUid);
      await tamper(() => index.deleteDocument(3));
      await tamper(() => index.addDocuments([{ id: 999 }]));
      expect(await test.engine.countDocuments(test.indexUid)).toBe(10);
      expect(await verify()).toMatchObject({ missing: 1, stray: 1, repaired: 2 });
    },
  );
});
