import { sql } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";
import type { JudgingDeps } from "../../src/alerts/judging/judging.ts";
import { judgePresent } from "../../src/alerts/judging/present.ts";
import { prolong } from "../../src/alerts/owners.ts";
import {
  changeSavedSearch,
  readSavedSearch,
  type Chosen,
} from "../../src/alerts/saved-searches.ts";
import { orderChanges } from "../../src/catalog/changes/change-order.ts";
import type { Db, Tx } from "../../src/db/open.ts";
import type { AlertRule } from "../../src/db/schema.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { must } from "../../src/lib/must.ts";
import { createOwner, judgeAll, readAllEvents, save, toJudgingDeps } from "../support/alerts.ts";
import { storeItems } from "../support/catalog.ts";
import { openedForEach } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";
import { searchItem } from "../support/products.ts";

const test = openedForEach(createTestDb);
let deps: JudgingDeps;
let ownerId: number;

beforeEach(async () => {
  deps = toJudgingDeps(test.db);
  ({ ownerId } = await createOwner(test.db));
  // Somebody else has one, so that changes wait to be judged.
  await save(test.db, ownerId, { query: { item_id: 2 } });
  await see(1000);
});

let hour = 0;
/** Stores a price, and judges nothing. */
async function see(price: number, db: Db | Tx = test.db): Promise<void> {
  const at = new Date(Date.UTC(2026, 0, 1, (hour += 1))).toISOString();
  await storeItems(db, at, [searchItem(1, { price, properPrice: null })]);
}

async function told(): Promise<string[]> {
  await judgeAll(deps);
  return (await readAllEvents(test.db)).map(({ kind, data }) => `${kind} ${String(data.price)}`);
}

const rules: AlertRule[] = [{ kind: "price_drop", percent: 10 }];
const chosen = { query: { item_id: 1 }, rules, cooldownS: 0 };

async function choose(id: number, change: Partial<Chosen>): Promise<void> {
  const stored = must(await readSavedSearch(test.db, { ownerId }, id), "the saved search");
  await test.db.transaction((tx) =>
    changeSavedSearch(tx, { stored, chosen: change, anchors: null }, new Date()),
  );
}

it("tells nothing that was stored before it was saved, however late that is judged", async () => {
  await see(800);
  await orderChanges(test.db, systemClock);
  // Nobody has given this one a position yet.
  await see(600);
  await save(test.db, ownerId, chosen);
  await see(500);
  expect(await told()).toEqual(["price_drop 500"]);
});

it("is saved soon where very many changes have no position yet, and tells none of them", async () => {
  await test.db.execute(sql`
    insert into pending_change (item_id, ver, kind, price, stock) select 2, i, 'changed', 1, 1 from generate_series(1, 20000) i`);
  await see(600);
  await save(test.db, ownerId, chosen);
  const waiting = await test.db.execute(sql`select from pending_change`);
  expect(waiting.length).toBeGreaterThan(10_000);
  await see(500);
  expect(await told()).toEqual(["price_drop 500"]);
});

it("tells what was being stored when it was saved", async () => {
  await test.db.transaction(async (tx) => {
    await see(800, tx);
    await save(test.db, ownerId, chosen);
  });
  expect(await told()).toEqual(["price_drop 800"]);
});

it("tells what is present once, however late its storing is judged", async () => {
  await see(800);
  const id = await save(test.db, ownerId, { ...chosen, rules: [{ kind: "new_match" }] });
  const saved = { savedSearchId: id, query: chosen.query };
  await test.db.transaction((tx) => judgePresent(tx, deps, saved));
  expect(await told()).toEqual(["new_match 800"]);
});

it("tells nothing that was stored before the page of alerts prolonged it", async () => {
  const id = await save(test.db, ownerId, chosen);
  await see(800);
  await choose(id, { expiresAt: new Date(0) });
  await orderChanges(test.db, systemClock);
  await prolong(test.db, ownerId, new Date());
  await see(600);
  expect(await told()).toEqual(["price_drop 600"]);
});

it("tells nothing that was stored while it was paused", async () => {
  const id = await save(test.db, ownerId, chosen);
  await choose(id, { isPaused: true });
  await see(800);
  await choose(id, { isPaused: false });
  await see(600);
  expect(await told()).toEqual(["price_drop 600"]);
});

it("tells by other rules nothing that was stored before, and by the same ones all", async () => {
  const id = await save(test.db, ownerId, chosen);
  await see(800);
  await choose(id, { query: { item_id: 1 }, rules: [...rules], name: "another name" });
  expect(await told()).toEqual(["price_drop 800"]);
  await see(1000);
  await choose(id, { rules: [{ kind: "price_rise" }] });
  await see(1200);
  expect(await told()).toEqual(["price_drop 800", "price_rise 1200"]);
});
