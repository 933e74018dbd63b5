import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { observeSearch } from "../../../src/catalog/observing/observe.ts";
import { readProduct } from "../../../src/catalog/products.ts";
import type { Tx } from "../../../src/db/open.ts";
import type { SearchItem } from "../../../src/storefront/product.ts";
import { openedForAll } from "../../support/opened.ts";
import { createTestDb } from "../../support/postgres.ts";
import { searchItem } from "../../support/products.ts";
import { until } from "../../support/until.ts";

const test = openedForAll(createTestDb);

function see(tx: Tx, second: number, ...items: SearchItem[]) {
  const sighting = { callId: second, sentAt: new Date(Date.UTC(2026, 0, 1, 0, 0, second)) };
  return observeSearch(tx, sighting, { items, broken: [] });
}

async function isWaiting(): Promise<boolean> {
  const rows = await test.db.execute(sql`
    select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`);
  return rows.length > 0;
}

/** Stores the item; then, at once, two answers: the second one waits until the first one is committed. */
async function seeAtOnce(item: SearchItem, first: SearchItem, second: SearchItem): Promise<void> {
  await test.db.transaction((tx) => see(tx, 1, item));
  let waiting: Promise<unknown> | undefined;
  await test.db.transaction(async (tx) => {
    await see(tx, 2, first);
    waiting = test.db.transaction((other) => see(other, 3, second));
    await until(isWaiting, { what: "the second answer to wait" });
  });
  await waiting;
}

describe("an answer that is stored while another one of the same shop is", () => {
  it("leaves the new text of a field that it cannot read", async () => {
    const item = searchItem(1, { shopId: "shop-1", detail: "古い説明" });
    const changed = { ...item, modified: item.modified + 1 };
    const unreadable = { fields: ["detail" as const], reason: "detail", raw: "{}" };
    await seeAtOnce(
      item,
      { ...changed, detail: "新しい説明" },
      { ...changed, detail: "", price: 9, unreadable },
    );
    expect(await readProduct(test.db, 1)).toMatchObject({ detail: "新しい説明", price: 9 });
  });

  it("leaves the shop's new name if it has none", async () => {
    const item = searchItem(2, { shopId: "shop-2", shopName: "古い店" });
    const nameless = searchItem(3, { shopId: "shop-2", shopName: "" });
    await seeAtOnce(item, { ...item, shopName: "新しい店" }, nameless);
    expect((await readProduct(test.db, 2))?.shop.shopName).toBe("新しい店");
  });
});
