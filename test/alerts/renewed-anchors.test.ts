import { sql } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";
import { anchorsVersion } from "../../src/alerts/judging/anchors.ts";
import type { JudgingDeps } from "../../src/alerts/judging/judging.ts";
import { createOwner, judgeAll, readAllEvents, save, toJudgingDeps } from "../support/alerts.ts";
import { storeItems } from "../support/catalog.ts";
import { whileHeld } from "../support/held-rows.ts";
import { openedForEach } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";
import { searchItem } from "../support/products.ts";

const test = openedForEach(createTestDb);
let deps: JudgingDeps;
let ownerId: number;

beforeEach(async () => {
  deps = toJudgingDeps(test.db);
  ({ ownerId } = await createOwner(test.db));
});

/** Saved by a Kurabe that read its words in another way. */
async function saveEarlier(q: string): Promise<number> {
  const id = await save(test.db, ownerId, { query: { q } });
  await test.db.execute(sql`
    update saved_search_anchor set key = 'another reading of ' || key where saved_search_id = ${id}`);
  await test.db.execute(sql`
    update saved_search set anchors_version = 0 where saved_search_id = ${id}`);
  return id;
}

async function toldOf(title: string): Promise<number[]> {
  await storeItems(test.db, "2026-01-01T00:00:00Z", [searchItem(1, { title })]);
  await judgeAll(deps);
  return (await readAllEvents(test.db)).map((event) => event.saved_search_id);
}

it("a change finds saved searches whose words an earlier version read in another way", async () => {
  const earlier = await saveEarlier("財布");
  const now = await save(test.db, ownerId, { query: { q: "財布" } });
  expect(await toldOf("革の財布")).toEqual([earlier, now]);
});

it("control: such a saved search is missed while it passes for one of this version", async () => {
  await saveEarlier("財布");
  await test.db.execute(sql`update saved_search set anchors_version = ${anchorsVersion}`);
  expect(await toldOf("革の財布")).toEqual([]);
});

it("one that cannot be read or is held keeps its anchors, and the others get theirs", async () => {
  const unreadable = await saveEarlier("財布");
  const held = await saveEarlier("財布");
  const good = await saveEarlier("財布");
  await test.db.execute(sql`
    update saved_search set query = '{"q": 7}' where saved_search_id = ${unreadable}`);
  await whileHeld(test, `select from saved_search where saved_search_id = ${held}`, async () => {
    expect(await toldOf("革の財布")).toEqual([good]);
  });
});
