import { sql } from "drizzle-orm";
import fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import { readProducts } from "../../src/catalog/products.ts";
import { toDocument } from "../../src/search/index/document.ts";
import { EngineUnavailable, type Engine } from "../../src/search/engine/engine.ts";
import type { Mirror } from "../../src/search/mirror/mirror.ts";
import { drain, fillProducts, createTestMirror, setPrice, step } from "../support/mirror.ts";
import { openedForEach } from "../support/opened.ts";
import { until } from "../support/until.ts";
import { itLong } from "../support/it-long.ts";

const test = openedForEach(createTestMirror);

const ids = [1, 2, 3, 4, 5, 6];

/** Rows that count as indexed although the index has another state of them. */
async function falselyIndexed(): Promise<number[]> {
  const documents = await test.documents();
  const rows = await test.db.execute<{ item_id: number; indexed_version: number }>(sql`
    select item_id, indexed_version from mirror where index_uid = ${test.indexUid} and desired_version = indexed_version`);
  const products = await readProducts(test.db, ids);
  return rows.flatMap(({ item_id, indexed_version }) => {
    const product = products.get(item_id);
    const isLive = product && product.state !== "gone";
    const expected = isLive
      ? JSON.stringify(sorted(toDocument(product, indexed_version)))
      : undefined;
    const document = documents.get(item_id);
    const actual = document && JSON.stringify(sorted(document));
    return actual === expected ? [] : [item_id];
  });
}

function sorted(document: object): [string, unknown][] {
  return Object.entries(document).toSorted(([a], [b]) => (a < b ? -1 : 1));
}

type Move =
  | { move: "price" | "delete" | "revive"; itemId: number; value: number }
  | { move: "step" | "hold" | "release" | "lose answer" | "kill" };

const anyMove: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      move: fc.constantFrom("price", "delete", "revive"),
      itemId: fc.constantFrom(...ids),
      value: fc.integer({ min: 1, max: 9999 }),
    }),
  },
  { weight: 5, arbitrary: fc.constant({ move: "step" as const }) },
  {
    weight: 2,
    arbitrary: fc.record({ move: fc.constantFrom("hold", "release", "lose answer", "kill") }),
  },
);

describe("interleavings of changes and the mirror", () => {
  it("never count a row as done while the index has another state, and always end equal", async () => {
    const hazards = { hold: false, loseAnswer: false };
    const engine = hazardous(test.engine, hazards);
    let mirror = test.start({ engine, maxRows: 3 });
    await fillProducts(test.db, 1, ids.length);
    await drain(test.db, mirror, test.indexPrefix);

    const play = async (move: Move) => {
      if ("itemId" in move) await edit(move);
      else if (move.move === "step") await step(mirror).catch(expectOutage);
      else if (move.move === "hold") hazards.hold = true;
      else if (move.move === "release") hazards.hold = false;
      else if (move.move === "lose answer") hazards.loseAnswer = true;
      else mirror = await restart(mirror, engine);
    };
    await fc.assert(
      fc.asyncProperty(fc.array(anyMove, { minLength: 5, maxLength: 25 }), async (moves) => {
        for (const move of moves) {
          await play(move);
          expect(await falselyIndexed()).toEqual([]);
        }
        Object.assign(hazards, { hold: false, loseAnswer: false });
        await drain(test.db, mirror, test.indexPrefix);
        expect(await falselyIndexed()).toEqual([]);
      }),
      { numRuns: inject("long") ? 30 : 3, endOnFailure: true },
    );
  });

  itLong("control: acknowledging what was merely accepted breaks this at once", async () => {
    const naive: Engine = {
      ...test.engine,
      readTasks: async (taskUids) => {
        const tasks = await test.engine.readTasks(taskUids);
        return tasks.map((task) => ({ ...task, status: "succeeded", error: null }));
      },
    };
    await fillProducts(test.db, 1, ids.length);
    const mirror = test.start({
      engine: naive,
      toDocument: (product, ver) => ({
        ...toDocument(product, ver),
        ...(product.price === 13 ? { title: "\uD800" } : {}),
      }),
    });
    await drain(test.db, mirror, test.indexPrefix);
    await setPrice(test.db, 1, 13);
    await drain(test.db, mirror, test.indexPrefix);
    await until(async () => (await falselyIndexed()).length > 0, { what: "the lost change" });
  });
});

async function edit(move: { move: string; itemId: number; value: number }): Promise<void> {
  const { itemId, value } = move;
  if (move.move === "price") return setPrice(test.db, itemId, value);
  const gone = move.move === "delete";
  await test.db.execute(sql`
    update product set ver = ver + 1, state = ${gone ? "gone" : "live"},
      deleted_at = ${gone ? sql`now()` : sql`null`}, deleted_call_id = ${gone ? sql`1` : sql`null`}
    where item_id = ${itemId}`);
}

async function restart(mirror: Mirror, engine: Engine): Promise<Mirror> {
  await mirror.release();
  return test.start({ engine, maxRows: 3 });
}

function expectOutage(error: unknown): void {
  expect(error).toBeInstanceOf(EngineUnavailable);
}

function hazardous(engine: Engine, hazards: { hold: boolean; loseAnswer: boolean }): Engine {
  const unlessLost = async <T>(answer: Promise<T>) => {
    const value = await answer;
    if (!hazards.loseAnswer) return value;
    hazards.loseAnswer = false;
    throw new EngineUnavailable("answer lost");
  };
  return {
    ...engine,
    addDocuments: (uid, documents) => unlessLost(engine.addDocuments(uid, documents)),
    deleteDocuments: (uid, itemIds) => unlessLost(engine.deleteDocuments(uid, itemIds)),
    readTasks: async (taskUids) => {
      const tasks = await engine.readTasks(taskUids);
      return tasks.map((task) => (hazards.hold ? { ...task, status: "processing" } : task));
    },
  };
}
