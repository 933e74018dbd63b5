import { createServer, request } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import { createEngine, EngineUnavailable, type Engine } from "../../src/search/engine/engine.ts";
import { readMirrorStatus } from "../../src/search/mirror/status.ts";
import { openFaultProxy } from "../support/fault-proxy.ts";
import { listenOnLoopback } from "../support/loopback.ts";
import {
  dirtyIds,
  drain,
  fillProducts,
  createTestMirror,
  setPrice,
  step,
  stepUntilFailure,
} from "../support/mirror.ts";
import { openedForEach } from "../support/opened.ts";
import { until } from "../support/until.ts";
import { itLong } from "../support/it-long.ts";

const test = openedForEach(createTestMirror);

async function finish(task: { taskUid: number }): Promise<void> {
  const { client } = test.meili;
  const { status } = await client.tasks.waitForTask(task.taskUid, { timeout: 60_000 });
  expect(status).toBe("succeeded");
}

/** Answers 500 to everything about statistics, and the rest as ever. */
async function engineWithoutStats(): Promise<Engine> {
  const server = createServer((asked, answer) => {
    if (asked.url?.endsWith("/stats")) return void answer.writeHead(500).end();
    const to = new URL(asked.url ?? "/", test.meili.host);
    const { method = "GET", headers } = asked;
    const passed = request(to, { method, headers }, (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers);
      got.pipe(answer);
    });
    passed.once("error", () => answer.destroy());
    asked.pipe(passed);
  });
  const { url, close } = await listenOnLoopback(server);
  onTestFinished(close);
  return createEngine({ host: url, apiKey: test.meili.apiKey, clock: systemClock });
}

describe("the mirror under faults of the engine", () => {
  it("M1: keeps every change through an outage, and delivers it afterwards", async () => {
    const { hostname: host, port } = new URL(test.meili.host);
    const proxy = await openFaultProxy({ host, port: Number(port) });
    const engine = createEngine({
      host: `http://127.0.0.1:${proxy.port}`,
      apiKey: test.meili.apiKey,
      clock: systemClock,
      writeTimeoutMs: 500,
    });
    const mirror = test.start({ engine });
    await fillProducts(test.db, 1, 5);
    await drain(test.db, mirror, test.indexPrefix);
    for (const mode of ["refuse", "hang"] as const) {
      await proxy.set({ mode });
      await setPrice(test.db, 1, mode.length);
      await expect(stepUntilFailure(mirror)).rejects.toThrow(EngineUnavailable);
      expect(await dirtyIds(test.db, test.indexUid)).toEqual([1]);
      await proxy.set({ mode: "pass" });
      await drain(test.db, mirror, test.indexPrefix);
      expect((await test.documents()).get(1)).toMatchObject({ price: mode.length });
    }
    await proxy.close();
  });

  itLong(
    "M6: creates a deleted index again, with its settings, and fills it from the catalogue",
    async () => {
      // The writes that make it anew are followed by a look, whenever the next one would be due.
      const mirror = test.start({ checkEveryMs: 3_600_000 });
      await fillProducts(test.db, 1, 300);
      await drain(test.db, mirror, test.indexPrefix);
      await finish(await test.meili.client.deleteIndex(test.indexUid));
      for (let id = 1; id <= 20; id += 1) {
        await setPrice(test.db, id, id);
        await step(mirror);
      }
      await until(
        async () => {
          await drain(test.db, mirror, test.indexPrefix);
          return (await test.documents()).size === 300;
        },
        { what: "all documents to be back" },
      );
      expect(await test.engine.readIndex(test.indexUid)).toMatchObject({ primaryKey: "id" });
      expect(await test.engine.readSettings(test.indexUid)).toMatchObject({
        localizedAttributes: [{ attributePatterns: ["*"], locales: ["jpn"] }],
      });
    },
  );

  it("M6: replaces an index that somebody made with another primary key", async () => {
    await finish(await test.meili.client.createIndex(test.indexUid, { primaryKey: "sku" }));
    await fillProducts(test.db, 1, 3);
    await drain(test.db, test.start(), test.indexPrefix);
    expect((await test.documents()).size).toBe(3);
  });

  it("M7: sets drifted settings again, and only drifted ones", async () => {
    const mirror = test.start({ checkEveryMs: 0 });
    await fillProducts(test.db, 1, 3);
    await drain(test.db, mirror, test.indexPrefix);
    const index = test.meili.client.index(test.indexUid);
    const tasks = async () =>
      (await test.meili.client.tasks.getTasks({ indexUids: [test.indexUid] })).total;
    const before = await tasks();
    for (let i = 0; i < 5; i += 1) await step(mirror);
    expect(await tasks()).toBe(before);
    await finish(await index.updateSettings({ filterableAttributes: [] }));
    await until(
      async () => {
        await step(mirror);
        return (await index.getFilterableAttributes())?.length === 3;
      },
      { what: "the settings to be back" },
    );
    expect(await dirtyIds(test.db, test.indexUid)).toEqual([]);
  });

  it("M7: asks for settings that fail again and again only now and then", async () => {
    let asked = 0;
    const engine: Engine = {
      ...test.engine,
      readSettings: async () => ({}),
      writeSettings: async (uid) => {
        asked += 1;
        // It fails, because the index is there.
        return test.engine.createIndex(uid);
      },
    };
    const mirror = test.start({ engine });
    await fillProducts(test.db, 1, 3);
    await until(async () => (await step(mirror), asked > 0), { what: "settings to be asked for" });
    const first = asked;
    for (let i = 0; i < 50; i += 1) {
      await step(mirror);
      await systemClock.sleep(10);
    }
    expect(asked).toBeLessThanOrEqual(first + 1);
  });

  it("M8: a revoked key pauses the mirror and fails no document", async () => {
    const key = await test.meili.client.createKey({
      actions: ["*"],
      indexes: ["*"],
      expiresAt: null,
    });
    const engine = createEngine({ ...test.meili, apiKey: key.key, clock: systemClock });
    const mirror = test.start({ engine });
    await fillProducts(test.db, 1, 3);
    await drain(test.db, mirror, test.indexPrefix);
    await test.meili.client.deleteKey(key.uid);
    await setPrice(test.db, 2, 5);
    await expect(stepUntilFailure(mirror)).rejects.toThrow("invalid_api_key");
    await mirror.release();
    await drain(test.db, test.start(), test.indexPrefix);
    expect((await test.documents()).get(2)).toMatchObject({ price: 5 });
    const { serving } = await readMirrorStatus(test.db, test.indexPrefix);
    expect(serving).toMatchObject({ deadLettered: 0, dirty: 0 });
  });

  it("M11: a full task store or disk pauses everything and dead-letters nothing", async () => {
    const engine: Engine = {
      ...test.engine,
      addDocuments: () => Promise.reject(new EngineUnavailable("no_space_left_on_device")),
    };
    await fillProducts(test.db, 1, 3);
    const mirror = test.start({ engine });
    await expect(stepUntilFailure(mirror)).rejects.toThrow("no_space_left");
    await mirror.release();
    await drain(test.db, test.start(), test.indexPrefix);
    expect((await test.documents()).size).toBe(3);
  });

  it("M1: an engine that never tells its statistics gets every change", async () => {
    const mirror = test.start({ engine: await engineWithoutStats() });
    await fillProducts(test.db, 1, 5);
    await drain(test.db, mirror, test.indexPrefix);
    await setPrice(test.db, 1, 77);
    await drain(test.db, mirror, test.indexPrefix);
    expect((await test.documents()).get(1)).toMatchObject({ price: 77 });
  });

  it("dead-letters nothing while the engine fails every write", async () => {
    const failing = failingTasks(test.engine);
    const mirror = test.start({ engine: failing.engine });
    await fillProducts(test.db, 1, 1);
    await drain(test.db, mirror, test.indexPrefix);
    failing.fail = true;
    await setPrice(test.db, 1, 5);
    await expect(stepUntilFailure(mirror)).rejects.toThrow(EngineUnavailable);
    expect((await readMirrorStatus(test.db, test.indexPrefix)).serving?.deadLettered).toBe(0);
    failing.fail = false;
    await drain(test.db, mirror, test.indexPrefix);
    expect((await test.documents()).get(1)).toMatchObject({ price: 5 });
  });
});

/** Every write's task fails, as with a broken disk or a fault of the engine. */
function failingTasks(engine: Engine) {
  const state = { fail: false };
  return Object.assign(state, {
    engine: {
      ...engine,
      async readTasks(taskUids: readonly number[]) {
        const tasks = await engine.readTasks(taskUids);
        const error = { code: "internal", message: "broken" };
        return tasks.map((task) =>
          state.fail ? { ...task, status: "failed" as const, error } : task,
        );
      },
      async awaitTask() {
        throw new EngineUnavailable("internal");
      },
    } satisfies Engine,
  });
}
