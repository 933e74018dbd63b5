import { expect, it } from "vitest";
import { orderChanges } from "../../src/catalog/changes/change-order.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { createRandom } from "../../src/lib/random.ts";
import { createTestApi } from "../support/api.ts";
import { storeItems } from "../support/catalog.ts";
import { emptyCopy, followOnce, type Copy } from "../support/follower.ts";
import { createStep, decide, matchAll, offer, readGroups } from "../support/matching.ts";
import { openedForEach } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";

const test = openedForEach(createTestDb);

/** As `readGroups` has them in the database. */
function groupsIn(copy: Copy): number[][] {
  const groups = new Map<unknown, number[]>();
  const ids = [...copy.products.keys()].toSorted((a, b) => a - b);
  for (const id of ids) {
    const groupId = copy.products.get(id)?.group_id;
    if (groupId !== null) groups.set(groupId, [...(groups.get(groupId) ?? []), id]);
  }
  return [...groups.values()];
}

it("a follower of the change log ends with the same groups, whatever joins, splits and merges them", async () => {
  const { db } = test;
  const { get } = createTestApi(db);
  const copy = emptyCopy();
  const follow = async () => {
    while ((await orderChanges(db, systemClock)) === 0);
    while ((await followOnce({ copy, get, step: () => {}, limit: 20 })) === 0);
  };
  const random = createRandom(11);
  const ids = Array.from({ length: 40 }, (_, i) => i + 1);
  const title = () =>
    `${random.pick(["Sony", "Bose"])} KX-${random.pick(["310", "320", "330", "340", "350", "360", "370", "380"])} camera`;
  const step = createStep(db);
  for (let round = 0; round < 12; round += 1) {
    const changed = round === 0 ? ids : ids.filter(() => random.next() < 0.2);
    const at = new Date(Date.UTC(2026, 0, 1, round)).toISOString();
    await storeItems(
      db,
      at,
      changed.map((id) => offer(id, title())),
    );
    if (round % 3 === 2)
      await decide(db, [random.pick(ids.slice(0, 20)), random.pick(ids.slice(20))], "same");
    // Sometimes the follower reads in the middle of the work.
    if (round % 2 === 0) await step();
    else await matchAll(db, step);
    await follow();
  }
  await matchAll(db, step);
  await follow();
  const groups = await readGroups(db);
  expect(groups.length).toBeGreaterThan(2);
  expect(groupsIn(copy)).toEqual(groups);
});
