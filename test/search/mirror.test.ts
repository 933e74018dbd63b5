import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { readProducts } from "../../src/catalog/products.ts";
import { toDocument } from "../../src/search/index/document.ts";
import { EngineUnavailable, type Engine } from "../../src/search/engine/engine.ts";
import { readMirrorStatus } from "../../src/search/mirror/status.ts";
import {
  dirtyIds,
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
import { itLong } from "../support/it-long.ts";

const test = openedForEach(createTestMirror);

/** Every document equals what the builder says of the row, and there is none besides. */
async function expectLevel(): Promise<void> {
  const rows = await test.db.execute<{ item_id: number; indexed_version: number }>(sql`
    select item_id, m.indexed_version from product p join mirror m using (item_id)
    where p.state <> 'gone' and m.index_uid = ${test.indexUid}`);
  const products = await readProducts(
    test.db,
    rows.map((row) => row.item_id),
  );
  const expected = new Map(
    rows.flatMap(({ item_id, indexed_version }) => {
      const product = products.get(item_id);
      return product ? [[item_id, toDocument(product, indexed_version)] as const] : [];
    }),
  );
  expect(await test.documents()).toEqual(expected);
}

describe("the mirror", () => {
  it("M15: brings new, changed and deleted products into the index, whole documents each time", async () => {
    const mirror = test.start();
    await fillProducts(test.db, 1, 30);
    await drain(test.db, mirror, test.indexPrefix);
    await expectLevel();
    await setPrice(test.db, 3, 99);
    await test.db.execute(
      sql`update product set identifier = 'X', ver = ver + 1 where item_id = 5`,
    );
    await setDeleted(test.db, 7);
    await fillProducts(test.db, 31, 32);
    await drain(test.db, mirror, test.indexPrefix);
    await test.db.execute(
      sql`update product set identifier = null, ver = ver + 1 where item_id = 5`,
    );
    await drain(test.db, mirror, test.indexPrefix);
    await expectLevel();
    expect((await test.documents()).has(7)).toBe(false);
  });

  it("catches up with products that were stored before the first index existed", async () => {
    await fillProducts(test.db, 1, 5);
    await drain(test.db, test.start(), test.indexPrefix);
    await expectLevel();
  });

  it("follows a shop's new name, and a check that changed nothing sends nothing", async () => {
    const mirror = test.start();
    await fillProducts(test.db, 1, 3);
    await drain(test.db, mirror, test.indexPrefix);
    await test.db.execute(sql`update product set checked_at = now()`);
    expect(await dirtyIds(test.db, test.indexUid)).toEqual([]);
    await test.db.execute(sql`update shop set shop_name = '新しい店'`);
    await followRenames(test.db);
    await drain(test.db, mirror, test.indexPrefix);
    await expectLevel();
  });

  it("M14: keeps add and delete of one product in order", async () => {
    const mirror = test.start();
    await fillProducts(test.db, 1, 2);
    for (let i = 0; i < 6; i += 1) {
      const state = i % 2 === 0 ? "gone" : "live";
      await test.db.execute(sql`
        update product set state = ${state}, ver = ver + 1,
          deleted_at = case when ${state} = 'gone' then now() end,
          deleted_call_id = case when ${state} = 'gone' then 1 end
        where item_id = 1`);
      await step(mirror);
      await step(mirror);
    }
    await setDeleted(test.db, 1);
    await drain(test.db, mirror, test.indexPrefix);
    expect([...(await test.documents()).keys()]).toEqual([2]);
  });

  it("acknowledges a task's success, never its acceptance, and only up to the version it sent", async () => {
    const held = holdTasks(test.engine);
    const mirror = test.start({ engine: held.engine });
    await fillProducts(test.db, 1, 3);
    await drain(test.db, mirror, test.indexPrefix);
    held.hold();
    await setPrice(test.db, 1, 11);
    await setPrice(test.db, 2, 22);
    await until(async () => (await step(mirror), held.accepted() > 0), { what: "a 202" });
    // The engine has it already, but only the test knows that.
    await until(async () => (await test.documents()).get(1)?.price === 11, {
      what: "the document",
    });
    await step(mirror);
    expect(await dirtyIds(test.db, test.indexUid)).toEqual([1, 2]);
    await setPrice(test.db, 2, 33);
    held.release();
    await until(
      async () => (await step(mirror), (await dirtyIds(test.db, test.indexUid)).length < 2),
      {
        what: "an acknowledgement",
      },
    );
    expect((await readMirrorStatus(test.db, test.indexPrefix)).serving?.dirty).toBe(1);
    await drain(test.db, mirror, test.indexPrefix);
    await expectLevel();
  });

  itLong(
    "control: a boolean flag cleared after the write loses a change made in between",
    async () => {
      await test.db.execute(sql`create table naive (id int primary key, value int, dirty bool)`);
      await test.db.execute(sql`insert into naive values (1, 1, true)`);
      const [read] = await test.db.execute<{ value: number }>(
        sql`select value from naive where dirty`,
      );
      await test.db.execute(sql`update naive set value = 2, dirty = true`);
      const indexed = read?.value;
      await test.db.execute(sql`update naive set dirty = false where id = 1`);
      const [row] = await test.db.execute<{ value: number; dirty: boolean }>(
        sql`select * from naive`,
      );
      expect(row?.dirty).toBe(false);
      expect(row?.value).not.toBe(indexed);
    },
  );

  it("M4: dead-letters the one document that the engine cannot read, and sends the others and deletions", async () => {
    const mirror = test.start({
      toDocument: (product, ver) => ({
        ...toDocument(product, ver),
        ...(product.itemId === 17 ? { title: "\uD800" } : {}),
      }),
    });
    await fillProducts(test.db, 1, 40);
    await drain(test.db, mirror, test.indexPrefix);
    await setDeleted(test.db, 3);
    await setPrice(test.db, 17, 5);
    await setPrice(test.db, 18, 6);
    await drain(test.db, mirror, test.indexPrefix);
    const { serving } = await readMirrorStatus(test.db, test.indexPrefix);
    expect(serving).toMatchObject({ dirty: 0, deadLettered: 1, lagSeconds: 0 });
    expect(serving?.deadLetters[0]).toMatchObject({ itemId: 17 });
    const documents = await test.documents();
    expect(documents.size).toBe(38);
    expect(documents.get(18)).toMatchObject({ price: 6 });
  });

  it("M4: dead-letters it also while the engine takes long for every task", async () => {
    const waits = new Map<number, number>();
    const mirror = test.start({
      engine: {
        ...test.engine,
        async awaitTask(ticket, timeoutMs) {
          const waited = (waits.get(ticket.taskUid) ?? 0) + 1;
          waits.set(ticket.taskUid, waited);
          if (waited < 4) throw new EngineUnavailable("task_timeout");
          await test.engine.awaitTask(ticket, timeoutMs);
        },
      },
      toDocument: (product, ver) => ({
        ...toDocument(product, ver),
        ...(product.price < 1000 ? { title: "\uD800" } : {}),
      }),
    });
    await fillProducts(test.db, 1, 3);
    await drain(test.db, mirror, test.indexPrefix);
    await setPrice(test.db, 1, 5);
    await setPrice(test.db, 2, 2000);
    await drain(test.db, mirror, test.indexPrefix);
    const { serving } = await readMirrorStatus(test.db, test.indexPrefix);
    expect(serving).toMatchObject({ dirty: 0, deadLettered: 1 });
    expect((await test.documents()).get(2)).toMatchObject({ price: 2000 });
  });

  it("M4: a dead-lettered document returns when its content changes", async () => {
    const mirror = test.start({
      toDocument: (product, ver) => ({
        ...toDocument(product, ver),
        ...(product.price < 1000 ? { title: "\uD800" } : {}),
      }),
    });
    await fillProducts(test.db, 1, 3);
    await setPrice(test.db, 2, 1);
    await drain(test.db, mirror, test.indexPrefix);
    expect((await test.documents()).has(2)).toBe(false);
    await setPrice(test.db, 2, 2000);
    await drain(test.db, mirror, test.indexPrefix);
    await expectLevel();
  });

  itLong("M5: a document id that the engine refuses does not harm its neighbours", async () => {
    const mirror = test.start({
      toDocument: (product, ver) => {
        const document: object = { ...toDocument(product, ver), ...(ver > 1 ? { id: "a b" } : {}) };
        return Object.assign(toDocument(product, ver), document);
      },
    });
    await fillProducts(test.db, 1, 20);
    await drain(test.db, mirror, test.indexPrefix);
    await setPrice(test.db, 9, 1);
    await fillProducts(test.db, 21, 25);
    await drain(test.db, mirror, test.indexPrefix);
    expect((await test.documents()).size).toBe(25);
    const { serving } = await readMirrorStatus(test.db, test.indexPrefix);
    expect(serving?.deadLetters.map((row) => row.itemId)).toEqual([9]);
  });

  itLong("dead-letters a product that the builder itself cannot read", async () => {
    const mirror = test.start({
      toDocument: (product, ver) => {
        if (product.itemId === 2) throw new Error("cannot");
        return toDocument(product, ver);
      },
    });
    await fillProducts(test.db, 1, 3);
    await drain(test.db, mirror, test.indexPrefix);
    expect(new Set((await test.documents()).keys())).toEqual(new Set([1, 3]));
  });

  itLong("M9: sends large documents in requests below the byte limit", async () => {
    const sizes: number[] = [];
    const engine: Engine = {
      ...test.engine,
      addDocuments: (uid, documents) => {
        sizes.push(Buffer.byteLength(documents));
        return test.engine.addDocuments(uid, documents);
      },
    };
    const mirror = test.start({ engine, maxBytes: 20_000 });
    await fillProducts(test.db, 1, 100);
    await test.db.execute(sql`update product set detail = repeat('革', 1000), ver = ver + 1`);
    await drain(test.db, mirror, test.indexPrefix);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(20_000);
    expect(sizes.length).toBeGreaterThan(10);
    await expectLevel();
  });
});

/** An engine that lets tasks run and hides their end until released. */
function holdTasks(engine: Engine) {
  let held = false;
  let accepted = 0;
  return {
    hold: () => (held = true),
    release: () => (held = false),
    accepted: () => accepted,
    engine: {
      ...engine,
      async addDocuments(uid: string, documents: string) {
        const ticket = await engine.addDocuments(uid, documents);
        if (held) accepted += 1;
        return ticket;
      },
      async readTasks(taskUids: readonly number[]) {
        const tasks = await engine.readTasks(taskUids);
        return held ? tasks.map((task) => ({ ...task, status: "processing" as const })) : tasks;
      },
    } satisfies Engine,
  };
}
