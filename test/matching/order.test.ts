import { sql } from "drizzle-orm";
import fc from "fast-check";
import { afterEach, expect, inject, it } from "vitest";
import type { Db } from "../../src/db/open.ts";
import type { SearchItem } from "../../src/storefront/product.ts";
import { storeItems } from "../support/catalog.ts";
import { createStep, decide, matchAll, offer, readGroups } from "../support/matching.ts";
import { createTestDb, openPool, type TestDb } from "../support/postgres.ts";
import { itLong } from "../support/it-long.ts";

const PRODUCTS = inject("long") ? 120 : 60;
const tests: TestDb[] = [];
afterEach(() => Promise.all(tests.splice(0).map((test) => test.close())));

const lists = {
  brand: ["Sony", "Bose", "Canon", "Garmin"],
  words:
    "wireless black silver camera watch headphones new body kit zoom lens strap sport edition".split(
      " ",
    ),
  rare: "deluxe bundle warranty import parallel japan europe official refresh outlet".split(" "),
};

/** The products, some with former titles first, made from a seed; a few of them are deleted in the end. */
function makeHistories(seed: number): SearchItem[][] {
  const random = createRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const title = () => {
    const model = Math.floor(random() * 24);
    const some = (list: readonly string[], most: number) =>
      Array.from({ length: Math.floor(random() * (most + 1)) }, () => pick(list)).join(" ");
    return `${lists.brand[model % 4]} KX-${300 + (model % 12)}${model > 11 ? "B" : ""} ${some(lists.words, 3)} ${some(lists.rare, 2)}`;
  };
  return Array.from({ length: PRODUCTS }, (_, i) => {
    const shopId = `shop-${i % 9}`;
    const versions = Array.from({ length: random() < 0.3 ? 2 : 1 }, title);
    const price = 15_000 + Math.floor(random() * 8000);
    return versions.map((text) => offer(i + 1, text, { shopId, shopName: shopId, price }));
  });
}

function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

interface Course {
  histories: readonly SearchItem[][];
  seed: number;
  /** After some of the products; returns when it may go on. */
  between(db: Db, random: () => number): Promise<void>;
}

/** Stores each product's versions in their order, the products in an order made from a seed. */
async function run({ histories, seed, between }: Course): Promise<{ db: Db; groups: number[][] }> {
  const test = await createTestDb();
  tests.push(test);
  const random = createRandom(seed);
  const queue = histories.map((versions) => [...versions]);
  let minute = 0;
  while (queue.some((versions) => versions.length > 0)) {
    const left = queue.filter((versions) => versions.length > 0);
    const page = left
      .map((versions) => ({ versions, at: random() }))
      .toSorted((a, b) => a.at - b.at)
      .slice(0, 1 + Math.floor(random() * 40))
      .flatMap(({ versions }) => versions.shift() ?? []);
    minute += 1;
    await storeItems(test.db, new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString(), page);
    await between(test.db, random);
  }
  await matchAll(test.db);
  return { db: test.db, groups: await readGroups(test.db) };
}

const nothing = () => Promise.resolve();
const someSteps: Course["between"] = async (db, random) => {
  const step = createStep(db);
  for (let steps = Math.floor(random() * 8); steps > 0; steps -= 1) await step();
};

const seeds = () => (inject("long") ? [1, 2, 3, 4, 5, 6] : [1, 2]);

it("the same products end in the same groups, in whatever order they come", async () => {
  const histories = makeHistories(11);
  const once = await run({ histories, seed: 1, between: nothing });
  expect(once.groups.length).toBeGreaterThan(10);
  for (const seed of seeds()) {
    const { groups } = await run({ histories, seed, between: someSteps });
    expect(groups).toEqual(once.groups);
  }
});

itLong("and when the database drops the matcher in the middle of any step", async () => {
  const histories = makeHistories(12);
  const once = await run({ histories, seed: 1, between: nothing });
  let dropped = 0;
  const killed: Course["between"] = async (db, random) => {
    const [own] = await db.execute<{ name: string }>(sql`select current_database() as name`);
    const url = new URL(inject("databaseUrl"));
    url.pathname = own?.name ?? "";
    const victim = openPool(url.href, { applicationName: "kurabe:dropped", maxConnections: 1 });
    const step = createStep(victim.db);
    for (let steps = Math.floor(random() * 4); steps >= 0; steps -= 1) {
      const stepping = step();
      for (let waits = Math.floor(random() * 30); waits >= 0; waits -= 1)
        await db.execute(sql`select`);
      const rows = await db.execute(sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'kurabe:dropped' and state <> 'idle'`);
      dropped += rows.length;
      await stepping;
    }
    await victim.close();
  };
  for (const seed of seeds()) {
    const { groups } = await run({ histories, seed, between: killed });
    expect(groups).toEqual(once.groups);
  }
  expect(dropped).toBeGreaterThan(0);
});

itLong("which would differ if a product changed nothing for its neighbours (control)", async () => {
  const histories = makeHistories(11);
  const once = await run({ histories, seed: 1, between: nothing });
  const alone: Course["between"] = async (db) => {
    const step = createStep(db);
    while ((await step()) === 0) {
      await db.execute(sql`delete from match_due where is_follower`);
    }
  };
  const differs = [];
  for (const seed of [1, 2, 3]) {
    const { groups } = await run({ histories, seed, between: alone });
    differs.push(JSON.stringify(groups) !== JSON.stringify(once.groups));
  }
  expect(differs).toContain(true);
});

it("products that people declared different are never in one group, through renaming, retraining and detours", async () => {
  const test = await createTestDb();
  tests.push(test);
  let minute = 0;
  const products = 6;
  const id = fc.integer({ min: 1, max: products });
  const pair = fc.tuple(id, id).filter(([a, b]) => a < b);
  const action = fc.oneof(
    fc.record({
      kind: fc.constant("rename" as const),
      id,
      model: fc.constantFrom("KX-300", "KX-301"),
    }),
    fc.record({ kind: fc.constant("same" as const), pair }),
    fc.record({ kind: fc.constant("retrain" as const) }),
  );
  const store = (itemId: number, model: string) => {
    minute += 1;
    const at = new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
    return storeItems(test.db, at, [offer(itemId, `Sony ${model} camera`)]);
  };
  const runs = inject("long") ? 30 : 3;
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(pair, { minLength: 1, maxLength: 4, selector: String }),
      fc.array(action, { minLength: 1, maxLength: 8 }),
      async (different, actions) => {
        await test.db.execute(sql`delete from match_decision`);
        for (let itemId = 1; itemId <= products; itemId += 1) await store(itemId, "KX-300");
        for (const decided of different) await decide(test.db, decided, "different");
        const isDecided = (a: number, b: number) => different.some(([x, y]) => x === a && y === b);
        for (const act of actions) {
          if (act.kind === "rename") await store(act.id, act.model);
          else if (act.kind === "same") {
            if (!isDecided(...act.pair)) await decide(test.db, act.pair, "same");
          } else
            await test.db.execute(
              sql`update match_head set version = 0; update match_item set version = 0`,
            );
          await matchAll(test.db);
          const groups = await readGroups(test.db);
          for (const [a, b] of different) {
            expect(groups.some((group) => group.includes(a) && group.includes(b))).toBe(false);
          }
        }
      },
    ),
    { numRuns: runs, seed: 5 },
  );
});
