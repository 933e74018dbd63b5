import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import type { Tx } from "../../src/db/open.ts";
import { createLogger } from "../../src/lib/logger.ts";
import { toDocument } from "../../src/search/index/document.ts";
import { markIndexLost, resetSlice } from "../../src/search/mirror/writes/reset.ts";
import { readLagSeconds, readMirrorStatus } from "../../src/search/mirror/status.ts";
import { verifyIndex } from "../../src/search/mirror/proof/verify.ts";
import {
  drain,
  fillProducts,
  followRenames,
  createTestMirror,
  setDeleted,
  setPrice,
  step,
} from "../support/mirror.ts";
import { openedForEach } from "../support/opened.ts";
import { until } from "../support/until.ts";

const test = openedForEach(createTestMirror);

const progress = async () => {
  const [row] = await test.db.execute<{ reset_after: number | null }>(sql`
    select reset_after from mirror_index where index_uid = ${test.indexUid}`);
  return row?.reset_after ?? null;
};

/** Rows of an up-to-date index for all products, without the time to send them. */
async function fillLevel(products: number, version: number): Promise<void> {
  await test.db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await fillProducts(tx, 1, products);
    await tx.execute(sql`
      insert into mirror_index (index_uid, state, epoch, settings_hash, created_at)
      values (${test.indexUid}, 'serving', gen_random_uuid(), '', now())`);
    await tx.execute(sql`
      insert into mirror (index_uid, item_id, desired_version, indexed_version, dirty_since, next_at)
      select ${test.indexUid}, item_id, ${version}, 1, now() - interval '1 minute' - item_id * interval '1 ms', now()
      from product`);
  });
  await test.db.execute(sql`analyze mirror`);
}

/** Fails if it has to wait for a lock. */
async function changeAtOnce(itemId: number): Promise<void> {
  await test.db.transaction(async (tx) => {
    await tx.execute(sql`set local lock_timeout = '300ms'`);
    await tx.execute(sql`update product set price = 5, ver = ver + 1 where item_id = ${itemId}`);
  });
}

/** Rows of the mirror that `work` writes. */
async function countWritten(tx: Tx, work: () => Promise<void>): Promise<number> {
  const read = async () => {
    const [row] = await tx.execute<{ written: number }>(sql`
      select n_tup_upd as written from pg_stat_xact_user_tables where relname = 'mirror'`);
    return row?.written ?? -1;
  };
  const before = await read();
  await work();
  return (await read()) - before;
}

describe("an index that the engine has lost", () => {
  it("B17: keeps no change of a product waiting, but for those of the slice that is being marked", async () => {
    await fillLevel(20_000, 1);
    await test.db.transaction(async (tx) => {
      expect(await countWritten(tx, () => markIndexLost(tx, test.indexUid))).toBe(0);
      for (const itemId of [1, 10_000, 20_000]) await changeAtOnce(itemId);
    });
    await test.db.transaction(async (tx) => {
      expect(await countWritten(tx, () => resetSlice(tx, test.indexUid, 2000))).toBe(2000);
      for (const itemId of [2001, 10_000, 20_000]) await changeAtOnce(itemId);
      await expect(changeAtOnce(2)).rejects.toThrow();
    });
    await changeAtOnce(2);
    expect(await progress()).toBe(2000);
    while ((await progress()) !== null) {
      await test.db.transaction((tx) => resetSlice(tx, test.indexUid, 2000));
    }
    expect(await test.db.execute(sql`select from mirror where indexed_version > 0`)).toHaveLength(
      0,
    );
  });

  it("B17: is filled anew under changes and through a crash between slices, and is proven equal", async () => {
    const told: string[] = [];
    const logger = createLogger(
      { level: "info", format: "json" },
      { write: (line: string) => void told.push(line) },
    );
    const small = { maxRows: 40, checkEveryMs: 0, logger };
    let mirror = test.start(small);
    await fillProducts(test.db, 1, 300);
    await drain(test.db, mirror, test.indexPrefix);
    const tellsOfLoss = expect.stringMatching(/"level":40.*lost this index/);
    expect(told).not.toContainEqual(tellsOfLoss);
    await test.meili.client.index(test.indexUid).delete().waitTask();
    await until(
      async () => {
        await step(mirror);
        return ((await progress()) ?? 0) >= 80;
      },
      { what: "the marking to be under way" },
    );
    expect(await progress()).toBeLessThan(300);
    expect(told).toContainEqual(tellsOfLoss);
    // Rows that are marked as lost count as missing until they are sent again.
    const { serving } = await readMirrorStatus(test.db, test.indexPrefix);
    expect(serving).toMatchObject({ clean: 0, dirty: 300 });
    expect(serving?.lagSeconds).toBeGreaterThan(0);
    await mirror.release();
    for (const itemId of [10, 200, 299]) await setPrice(test.db, itemId, 7);
    await setDeleted(test.db, 20);
    await setDeleted(test.db, 280);
    await fillProducts(test.db, 301, 303);

    mirror = test.start(small);
    await drain(test.db, mirror, test.indexPrefix);
    expect(await progress()).toBeNull();
    expect(await verifyIndex({ ...test, toDocument }, test.indexUid)).toMatchObject({
      documents: 301,
      missing: 0,
      stale: 0,
      stray: 0,
    });
    expect((await test.documents()).get(200)).toMatchObject({ price: 7 });
  });

  it("B2: products that have yet to follow their shop's new name are pending, and not a fault of the index", async () => {
    const mirror = test.start();
    await fillProducts(test.db, 1, 5);
    await drain(test.db, mirror, test.indexPrefix);
    await test.db.execute(sql`update shop set shop_name = '新しい店'`);
    const proof = { documents: 5, missing: 0, stale: 0, stray: 0 };
    expect(await verifyIndex({ ...test, toDocument }, test.indexUid)).toMatchObject(proof);
    expect(await readLagSeconds(test.db, test.indexUid)).toBeGreaterThan(0);
    await followRenames(test.db);
    await drain(test.db, mirror, test.indexPrefix);
    expect(await verifyIndex({ ...test, toDocument }, test.indexUid)).toMatchObject(proof);
    expect((await test.documents()).get(1)).toMatchObject({ shop_name: "新しい店" });
    expect(await readLagSeconds(test.db, test.indexUid)).toBe(0);
  });

  it("B29: the lag is read from one entry of an index while every row waits", async () => {
    await fillLevel(20_000, 2);
    const { lag, rows } = await test.db.transaction(async (tx) => {
      const count = async () => {
        const [row] = await tx.execute<{ rows: number }>(sql`
          select seq_tup_read + idx_tup_fetch as rows from pg_stat_xact_user_tables where relname = 'mirror'`);
        return row?.rows ?? -1;
      };
      const before = await count();
      const seconds = await readLagSeconds(tx, test.indexUid);
      return { lag: seconds, rows: (await count()) - before };
    });
    expect(lag).toBeGreaterThan(79);
    expect(rows).toBeLessThanOrEqual(2);
  });
});
