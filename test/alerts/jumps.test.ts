import { sql } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";
import type { JudgingDeps } from "../../src/alerts/judging/judging.ts";
import { confirmJumps } from "../../src/alerts/judging/jumps.ts";
import {
  changeSavedSearch,
  readSavedSearch,
  type Chosen,
} from "../../src/alerts/saved-searches.ts";
import { must } from "../../src/lib/must.ts";
import { createOwner, judgeAll, readAllEvents, save, toJudgingDeps } from "../support/alerts.ts";
import { storeItems } from "../support/catalog.ts";
import { createTestClock, type TestClock } from "../support/clock.ts";
import { openedForEach } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";
import { searchItem } from "../support/products.ts";

const test = openedForEach(createTestDb);
let clock: TestClock;
let deps: JudgingDeps;

beforeEach(async () => {
  clock = createTestClock();
  deps = toJudgingDeps(test.db, clock);
});

let hour = 0;
async function see(price: number): Promise<void> {
  const at = new Date(Date.UTC(2026, 0, 1, (hour += 1))).toISOString();
  await storeItems(test.db, at, [searchItem(1, { price, properPrice: null })]);
  await judgeAll(deps);
}

async function remove(): Promise<void> {
  await test.db.execute(sql`
    update product set state = 'gone', ver = ver + 1, deleted_at = checked_at, deleted_call_id = 1`);
}

async function look(): Promise<string[]> {
  await clock.advance(60_000);
  await confirmJumps(deps);
  return (await readAllEvents(test.db)).map(({ kind, data }) => `${kind} ${String(data.price)}`);
}

it("a price that jumped is told when a check shows it again without a change, once", async () => {
  const { ownerId } = await createOwner(test.db);
  await see(1000);
  const rules = [
    { kind: "price_drop", percent: 10 },
    { kind: "new_low", window: "all" },
  ] as const;
  await save(test.db, ownerId, { query: { item_id: 1 }, rules: [...rules] });
  const bold = await save(test.db, ownerId, {
    query: { item_id: 1 },
    rules: [rules[0]],
    confirmFactor: 50,
  });
  await see(100);
  expect(await look()).toEqual(["price_drop 100"]);
  await see(100);
  expect(await look()).toEqual(["price_drop 100", "price_drop 100", "new_low 100"]);
  expect(await look()).toHaveLength(3);
  const [first] = await readAllEvents(test.db);
  expect(first?.saved_search_id).toBe(bold);
  const waiting = await test.db.execute(
    sql`select from saved_search_item where look_at is not null`,
  );
  expect(waiting).toHaveLength(0);
});

it.each([
  { off: { isPaused: true }, on: { isPaused: false } },
  { off: { expiresAt: new Date(0) }, on: { expiresAt: null } },
])("what was remembered before $off says nothing of prices after it", async ({ off, on }) => {
  const { ownerId } = await createOwner(test.db);
  await see(1000);
  const rules = [{ kind: "price_below", price: 900 }] as const;
  const id = await save(test.db, ownerId, {
    query: { item_id: 1 },
    rules: [...rules],
    cooldownS: 0,
  });
  const choose = async (chosen: Partial<Chosen>) => {
    const stored = must(await readSavedSearch(test.db, { ownerId }, id), "the saved search");
    await test.db.transaction((tx) =>
      changeSavedSearch(tx, { stored, chosen, anchors: null }, clock.now()),
    );
  };
  await see(890);
  // A price that swings around the target is told once.
  await see(910);
  await choose(off);
  await see(1500);
  await choose(on);
  await see(880);
  expect(await look()).toEqual(["price_below 890", "price_below 880"]);
});

it("a price that was a slip is never told, also if it is looked at again and again", async () => {
  const { ownerId } = await createOwner(test.db);
  await see(1000);
  await save(test.db, ownerId, {
    query: { item_id: 1 },
    rules: [{ kind: "price_drop", percent: 10 }],
  });
  await see(10);
  expect(await look()).toEqual([]);
  expect(await look()).toEqual([]);
  await see(1000);
  await see(1000);
  expect(await look()).toEqual([]);
});

it("a price that is far too high for some days, at every check, and then back is neither a fall nor a new match", async () => {
  const { ownerId } = await createOwner(test.db);
  await see(1000);
  await save(test.db, ownerId, {
    query: { shop_id: ["shop-1"], price_max: 50_000 },
    rules: [
      { kind: "price_drop", percent: 10 },
      { kind: "price_below", price: 2000 },
      { kind: "new_match" },
      { kind: "new_low", window: "all" },
    ],
    cooldownS: 0,
  });
  for (let day = 0; day < 2; day += 1) {
    hour += 24;
    await see(100_000);
    await look();
  }
  for (const price of [1000, 1000]) await see(price);
  expect(await look()).toEqual([]);
  for (const price of [100_000, 100_000]) await see(price);
  await look();
  // Lower than before it.
  for (const price of [800, 800]) await see(price);
  const told = ["price_drop 800", "new_low 800"];
  expect(await look()).toEqual(told);
  for (const price of [100_000, 100_000]) await see(price);
  await look();
  // Nobody takes so long to put a slip right.
  hour += 5 * 24;
  for (const price of [900, 900]) await see(price);
  expect(await look()).toEqual([...told, "price_drop 900", "price_below 900", "new_match 900"]);
});

it("a price that was a slip is no known price of a new low, and one that was seen again is", async () => {
  const { ownerId } = await createOwner(test.db);
  for (const price of [1000, 10, 1000]) await see(price);
  const rules = [{ kind: "new_low", window: "30d" }] as const;
  await save(test.db, ownerId, { query: { item_id: 1 }, rules: [...rules], cooldownS: 0 });
  await see(900);
  for (const price of [20, 1000]) await see(price);
  await see(800);
  expect(await look()).toEqual(["new_low 900", "new_low 800"]);
  await see(30);
  await see(30);
  expect(await look()).toEqual(["new_low 900", "new_low 800", "new_low 30"]);
  await see(1000);
  await see(700);
  expect(await look()).toHaveLength(3);
});

it("a product that returns at another price altogether is told of when that is seen again, by every rule once", async () => {
  const { ownerId } = await createOwner(test.db);
  await see(1000);
  await save(test.db, ownerId, {
    query: { item_id: 1 },
    rules: [{ kind: "new_match" }, { kind: "back_in_stock" }, { kind: "gone" }],
  });
  await remove();
  await see(100);
  expect(await look()).toEqual(["gone null"]);
  await see(100);
  expect(await look()).toEqual(["gone null", "new_match 100", "back_in_stock 100"]);
  expect(await look()).toHaveLength(3);
});

it("a product that returns at another price altogether, and is gone before that is seen again, is not told of", async () => {
  const { ownerId } = await createOwner(test.db);
  await see(1000);
  await save(test.db, ownerId, {
    query: { item_id: 1 },
    rules: [{ kind: "new_match" }, { kind: "gone" }],
    cooldownS: 0,
  });
  await remove();
  await see(100);
  await remove();
  expect(await look()).toEqual(["gone null"]);
  await see(1000);
  await see(1000);
  expect(await look()).toEqual(["gone null", "new_match 1000"]);
});
