import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { confirmJumps } from "../../src/alerts/judging/jumps.ts";
import { createOwner, judgeAll, readAllEvents, save, toJudgingDeps } from "../support/alerts.ts";
import { storeItems } from "../support/catalog.ts";
import { whileHeld } from "../support/held-rows.ts";
import { openedForEach } from "../support/opened.ts";
import { createTestDb, openPool } from "../support/postgres.ts";
import { searchItem } from "../support/products.ts";

const test = openedForEach(createTestDb);

it("D5: while somebody holds what a saved search remembers of a product, all others are told of their changes", async () => {
  const { ownerId } = await createOwner(test.db);
  for (const itemId of [1, 2])
    await save(test.db, ownerId, {
      query: { item_id: itemId },
      rules: [{ kind: "price_drop", percent: 5 }],
      cooldownS: 0,
    });
  let hour = 0;
  const see = (price: number) =>
    storeItems(
      test.db,
      new Date(Date.UTC(2026, 0, 1, (hour += 1))).toISOString(),
      [1, 2].map((itemId) => searchItem(itemId, { price, properPrice: null })),
    );
  const { db, close } = openPool(test.url, { lockTimeoutMs: 100 });
  const deps = toJudgingDeps(db);
  const told = async () =>
    (await readAllEvents(test.db)).map(({ item_id, data }) => `${item_id} ${String(data.price)}`);
  await see(1000);
  await judgeAll(deps);
  await see(900);
  await judgeAll(deps);
  await test.db.execute(sql`update saved_search_item set look_at = now() where item_id = 1`);
  await whileHeld(test, "select from saved_search_item where item_id = 1", async () => {
    await see(800);
    await judgeAll(deps);
    await confirmJumps(deps);
  });
  await see(700);
  await judgeAll(deps);
  await close();
  expect((await told()).toSorted()).toEqual(["1 700", "1 800", "1 900", "2 700", "2 800", "2 900"]);
});
