import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import {
  orderChanges,
  readChangeLag,
  thinChanges,
} from "../../../src/catalog/changes/change-order.ts";
import { observeSearch } from "../../../src/catalog/observing/observe.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { storeItems } from "../../support/catalog.ts";
import { openTransaction } from "../../support/open-transaction.ts";
import { openedForEach } from "../../support/opened.ts";
import { createTestDb } from "../../support/postgres.ts";
import { searchItem } from "../../support/products.ts";

const test = openedForEach(createTestDb);

const order = (limit?: number) => orderChanges(test.db, systemClock, limit);
let second = 0;
const now = () => new Date(Date.UTC(2026, 0, 1, 0, 0, (second += 1))).toISOString();
const store = (id: number, price: number) =>
  storeItems(test.db, now(), [searchItem(id, { price, shopId: `shop-${id}` })]);

async function ordered(): Promise<[number, number][]> {
  const rows = await test.db.execute<{ item_id: number; price: number }>(
    sql`select item_id, price from product_change order by position`,
  );
  return rows.map((row) => [row.item_id, row.price]);
}

describe("the order of changes", () => {
  it("keeps its name, until the database goes on in another timeline", async () => {
    const nameOf = async () => (await test.db.execute(sql`select epoch from change_head`))[0];
    const first = await nameOf();
    await store(1, 1);
    await order();
    await store(1, 2);
    await order();
    expect(await nameOf()).toEqual(first);
    await test.db.execute(
      sql`update setting set value = '"00000000"'::jsonb where key = 'timeline'`,
    );
    await store(1, 3);
    await order();
    const second = await nameOf();
    expect(second).not.toEqual(first);
    await store(1, 4);
    await order();
    expect(await nameOf()).toEqual(second);
  });

  it("gives a transaction that commits late a late position, and waits for none", async () => {
    const commit = await openTransaction(test.db, (tx) => {
      const sighting = { callId: 1, sentAt: new Date(now()) };
      const items = [searchItem(1, { price: 1, shopId: "shop-1" })];
      return observeSearch(tx, sighting, { items, broken: [] });
    });
    await store(2, 1);
    await store(2, 2);
    await order();
    expect(await ordered()).toEqual([
      [2, 1],
      [2, 2],
    ]);
    await commit();
    await store(1, 2);
    await order();
    expect(await ordered()).toEqual([
      [2, 1],
      [2, 2],
      [1, 1],
      [1, 2],
    ]);
  });

  it("goes on in slices, and any number of processes give each change one position", async () => {
    for (let id = 1; id <= 30; id += 1) await store(id, id);
    expect(await order(7)).toBe(0);
    expect(await ordered()).toHaveLength(7);
    while ((await Promise.all([order(3), order(3), order(3)])).includes(0));
    await order();
    expect((await ordered()).map(([id]) => id)).toEqual(
      Array.from({ length: 30 }, (_, i) => i + 1),
    );
    const [head] = await test.db.execute(sql`select position from change_head`);
    expect(head).toEqual({ position: 30 });
  });

  it("leaves the change of a transaction that was rolled back out", async () => {
    const undone = test.db.transaction(async (tx) => {
      const sighting = { callId: 1, sentAt: new Date(now()) };
      await observeSearch(tx, sighting, { items: [searchItem(1)], broken: [] });
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    await order();
    expect(await ordered()).toEqual([]);
  });

  it("keeps nobody waiting where somebody holds its row: products are stored, and their changes told later", async () => {
    await test.db.transaction(async (tx) => {
      await tx.execute(sql`select from change_head for update`);
      await store(1, 1);
      expect(await order()).toBeGreaterThan(0);
      expect(await ordered()).toEqual([]);
    });
    await order();
    expect(await ordered()).toEqual([[1, 1]]);
  });

  it("tells for how long the oldest change waits", async () => {
    expect(await readChangeLag(test.db)).toBe(0);
    await store(1, 1);
    await test.db.execute(sql`update pending_change set at = at - interval '1 minute'`);
    expect(await readChangeLag(test.db)).toBeGreaterThanOrEqual(60);
    await order();
    expect(await readChangeLag(test.db)).toBe(0);
  });
});

describe("old changes", () => {
  it("are thinned to the newest of each product, each looked at once", async () => {
    for (let price = 1; price <= 3; price += 1) for (const id of [1, 2]) await store(id, price);
    await order();
    const between = new Date(Date.now() + 60_000).toISOString();
    await store(1, 4);
    await store(3, 1);
    await test.db.execute(sql`update pending_change set at = at + interval '2 minutes'`);
    await order();
    const { signal } = new AbortController();
    await thinChanges(test.db, between, signal);
    const kept: [number, number][] = [
      [1, 3],
      [2, 3],
      [1, 4],
      [3, 1],
    ];
    expect(await ordered()).toEqual(kept);
    await thinChanges(test.db, between, signal);
    expect(await ordered()).toEqual(kept);
    await thinChanges(test.db, new Date(Date.now() + 3_600_000).toISOString(), signal);
    expect(await ordered()).toEqual(kept.slice(1));
    await store(2, 4);
    await order();
    await thinChanges(test.db, new Date(Date.now() + 3_600_000).toISOString(), signal);
    expect(await ordered()).toEqual([
      [1, 4],
      [3, 1],
      [2, 4],
    ]);
  });
});
