import { sql } from "drizzle-orm";
import { Meilisearch } from "meilisearch";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import { silentLogger as logger } from "../../src/lib/logger.ts";
import { createEngine, EngineUnavailable, type Engine } from "../../src/search/engine/engine.ts";
import { createMirror } from "../../src/search/mirror/mirror.ts";
import { verifyMirror } from "../../src/search/mirror/proof/verify.ts";
import { createDataDir } from "../support/data-dir.ts";
import { drain, fillProducts, createTestMirror, setPrice, step } from "../support/mirror.ts";
import { openedForEach } from "../support/opened.ts";
import { until } from "../support/until.ts";
import { itLong } from "../support/it-long.ts";

const test = openedForEach(createTestMirror);

const pricesOf = (documents: Map<number, Record<string, unknown>>) =>
  new Map([...documents].map(([id, document]) => [id, document.price]));

describe("the mirror's process", () => {
  it("killed between the engine's 202 and the outcome: the next one polls the same task on", async () => {
    const first = test.start();
    await fillProducts(test.db, 1, 10);
    await drain(test.db, first, test.indexPrefix);
    await setPrice(test.db, 1, 5);
    await until(async () => (await step(first), await sentBatches()) > 0, { what: "a sent batch" });
    await first.release();
    const posts: string[] = [];
    const second = test.start({ engine: recordPosts(test.engine, posts) });
    await drain(test.db, second, test.indexPrefix);
    expect(posts).toEqual([]);
    expect((await test.documents()).get(1)).toMatchObject({ price: 5 });
  });

  it("killed between building a batch and the 202: the rows are sent again", async () => {
    const dying: Engine = {
      ...test.engine,
      addDocuments: async (uid, documents) => {
        await test.engine.addDocuments(uid, documents);
        throw new EngineUnavailable("killed");
      },
    };
    const first = test.start({ engine: dying });
    await fillProducts(test.db, 1, 10);
    await until(
      () =>
        step(first).then(
          () => false,
          () => true,
        ),
      { what: "the kill" },
    );
    await first.release();
    await drain(test.db, test.start(), test.indexPrefix);
    expect((await test.documents()).size).toBe(10);
  });

  it("M13, P4: of two processes one writes, and the late writes of a process that lost its lease are repaired", async () => {
    let wake = () => {};
    const woken = new Promise<void>((resolve) => {
      wake = resolve;
    });
    let asleep = false;
    const sleepy: Engine = {
      ...test.engine,
      addDocuments: async (uid, documents) => {
        if (documents.includes('"price":111')) {
          asleep = true;
          await woken;
        }
        return test.engine.addDocuments(uid, documents);
      },
    };
    const zombie = test.start({ engine: sleepy });
    await fillProducts(test.db, 1, 3);
    await drain(test.db, zombie, test.indexPrefix);
    const other = test.start();
    expect(await step(other)).toBeGreaterThan(100);

    await setPrice(test.db, 1, 111);
    const sleeping = until(() => step(zombie).then((pauseMs) => asleep && pauseMs >= 1000), {
      what: "the zombie to notice",
    });
    await until(() => asleep, { what: "the zombie to pause before its POST" });
    await test.db.execute(sql`update lease set expires_at = now() - interval '1 s'`);
    await setPrice(test.db, 1, 222);
    await drain(test.db, other, test.indexPrefix);
    expect((await test.documents()).get(1)).toMatchObject({ price: 222 });

    wake();
    await sleeping;
    await drain(test.db, other, test.indexPrefix);
    expect((await test.documents()).get(1)).toMatchObject({ price: 222 });
    const [epochs] = await test.db.execute<{ wrong: number }>(sql`
      select count(*) as wrong from mirror_batch b, lease l where b.lease_epoch > l.epoch`);
    expect(epochs?.wrong).toBe(0);
    expect(await verifyMirror({ ...test, clock: systemClock, logger })).toMatchObject({
      missing: 0,
      stale: 0,
      stray: 0,
    });
  });
});

itLong(
  "M2, M3, M12: an engine of its own loses nothing acknowledged when killed, and all is sent again when its data is wiped",
  async () => {
    const dataDir = await createDataDir();
    const connect = async () => {
      const embedded = await dataDir.open({ postgres: false });
      const { host, apiKey } = embedded.meili ?? { host: "", apiKey: "" };
      return {
        embedded,
        client: new Meilisearch({ host, apiKey }),
        mirror: createMirror({
          db: test.db,
          clock: systemClock,
          logger,
          engine: createEngine({ host, apiKey, clock: systemClock }),
          indexPrefix: test.indexPrefix,
          checkEveryMs: 200,
        }),
      };
    };
    const expected = new Map(Array.from({ length: 400 }, (_, i) => [i + 1, 1001 + i]));
    const priced = async (client: Meilisearch) => {
      const { results } = await client.index(test.indexUid).getDocuments({ limit: 1000 });
      return pricesOf(new Map(results.map((document) => [Number(document.id), document])));
    };

    let run = await connect();
    await fillProducts(test.db, 1, 400);
    await drain(test.db, run.mirror, test.indexPrefix);
    await setPrice(test.db, 7, 70);
    expected.set(7, 70);
    await until(async () => (await step(run.mirror), await sentBatches()) > 0, { what: "a 202" });
    for (const { pid } of dataDir.engines()) process.kill(pid, "SIGKILL");
    await run.mirror.release();
    await run.embedded.close();
    run = await connect();
    await drain(test.db, run.mirror, test.indexPrefix);
    expect(await priced(run.client)).toEqual(expected);

    await setPrice(test.db, 8, 80);
    expected.set(8, 80);
    await until(async () => (await step(run.mirror), await sentBatches()) > 0, { what: "a 202" });
    await run.mirror.release();
    await run.embedded.close();
    await rm(join(dataDir.path, "meilisearch", "db"), { recursive: true });
    run = await connect();
    // Another task, which succeeds, soon gets the saved task number.
    for (let i = 0; i < 12; i += 1) {
      await run.client.tasks.waitForTask((await run.client.createIndex(`other${i}`)).taskUid);
    }
    await until(
      async () => {
        await drain(test.db, run.mirror, test.indexPrefix);
        return (await priced(run.client)).size === expected.size;
      },
      { what: "the index to be full again" },
    );
    expect(await priced(run.client)).toEqual(expected);
    await run.mirror.release();
    await run.embedded.close();
    await dataDir.remove();
  },
);

async function sentBatches(): Promise<number> {
  const rows = await test.db.execute(sql`select 1 from mirror_batch where state = 'sent'`);
  return rows.length;
}

function recordPosts(engine: Engine, posts: string[]): Engine {
  return {
    ...engine,
    addDocuments: (uid, documents) => {
      posts.push(documents);
      return engine.addDocuments(uid, documents);
    },
  };
}
