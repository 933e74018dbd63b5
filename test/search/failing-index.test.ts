import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import { EngineUnavailable, type Engine } from "../../src/search/engine/engine.ts";
import { readServingIndex } from "../../src/search/mirror/indexes/serving-index.ts";
import { startRebuild } from "../../src/search/mirror/rebuild.ts";
import {
  createTestMirror,
  dirtyIds,
  drain,
  fillProducts,
  setPrice,
  step,
} from "../support/mirror.ts";
import { openedForEach } from "../support/opened.ts";
import { until } from "../support/until.ts";

const test = openedForEach(createTestMirror);

/** Answers 503 to whatever is about this index alone. */
function engineWithout(indexUid: string): Engine {
  const refuse = () => Promise.reject(new EngineUnavailable("status 503"));
  return new Proxy(test.engine, {
    get: (engine, name) => {
      const method: unknown = Reflect.get(engine, name);
      if (typeof method !== "function") return method;
      return (...given: unknown[]) =>
        given[0] === indexUid ? refuse() : (Reflect.apply(method, engine, given) as unknown);
    },
  });
}

/** Some steps of a mirror, of which the loop repeats those that fail. */
async function steps(mirror: ReturnType<typeof test.start>, isDone: () => Promise<boolean>) {
  await until(
    async () => {
      await systemClock.sleep(Math.min(await step(mirror).catch(() => 20), 20));
      return isDone();
    },
    { timeoutMs: 15_000, what: "the other index" },
  );
}

async function rebuilt(mirror: ReturnType<typeof test.start>): Promise<string> {
  const newUid = await startRebuild(test.db, test.indexPrefix);
  await steps(mirror, async () => (await readServingIndex(test.db, test.indexPrefix)) === newUid);
  return newUid;
}

it("M1: an old index that cannot be deleted holds up no other", async () => {
  const before = test.start();
  await fillProducts(test.db, 1, 5);
  await drain(test.db, before, test.indexPrefix);
  const newUid = await rebuilt(before);
  await before.release();
  await test.db.execute(sql`update mirror_index set switched_at = now() - interval '2 days'`);
  const mirror = test.start({ engine: engineWithout(test.indexUid) });
  await setPrice(test.db, 1, 77);
  await steps(mirror, async () => (await dirtyIds(test.db, newUid)).length === 0);
  expect((await test.documents(newUid)).get(1)).toMatchObject({ price: 77 });
});

it("M1: while the engine fails at the index that is searched, a rebuild replaces it", async () => {
  const before = test.start();
  await fillProducts(test.db, 1, 5);
  await drain(test.db, before, test.indexPrefix);
  await before.release();
  const mirror = test.start({ engine: engineWithout(test.indexUid) });
  const newUid = await rebuilt(mirror);
  expect((await test.documents(newUid)).size).toBe(5);
});
