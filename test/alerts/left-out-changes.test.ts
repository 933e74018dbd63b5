import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { createJudging } from "../../src/alerts/judging/judging.ts";
import { orderChanges } from "../../src/catalog/changes/change-order.ts";
import type { Db } from "../../src/db/open.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { createOwner, judgeAll, readAllEvents, save, toJudgingDeps } from "../support/alerts.ts";
import { storeItems } from "../support/catalog.ts";
import { openedForEach } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";
import { searchItem } from "../support/products.ts";
import { until } from "../support/until.ts";

const test = openedForEach(createTestDb);

it("two processes that fail at the same change leave out that one alone", async () => {
  const { ownerId } = await createOwner(test.db);
  await save(test.db, ownerId, { query: { shop_id: ["shop-1"] } });
  const items = [1, 2, 3].map((id) => searchItem(id));
  await storeItems(test.db, "2026-01-01T00:00:00Z", items);
  const isOrdered = async () => {
    await orderChanges(test.db, systemClock);
    return (await test.db.execute(sql`select from alert_change`)).length === items.length;
  };
  // Transactions of other databases hold it up.
  await until(isOrdered, { what: "the changes to be ordered" });
  await test.db.execute(sql`update alert_change set after = '{"title": 5}' where item_id = 1`);
  const deps = toJudgingDeps(test.db);
  const other = createJudging(deps);
  let begun = 0;
  const transaction: Db["transaction"] = async (...given) => {
    begun += 1;
    // The first two fail, the third leaves the change out: after the other process has done so.
    if (begun === 3) for (let steps = 0; steps < 2; steps += 1) await other();
    return test.db.transaction(...given);
  };
  const own = createJudging({
    ...deps,
    db: Object.assign(Object.create(test.db) as Db, { transaction }),
  });
  await own();
  await own();
  expect(begun).toBe(3);
  await judgeAll(deps);
  expect((await readAllEvents(test.db)).map((event) => event.item_id)).toEqual([2, 3]);
  const [head] = await test.db.execute(sql`select skipped, judged from alert_head`);
  expect(head).toEqual({ skipped: 1, judged: 2 });
});
