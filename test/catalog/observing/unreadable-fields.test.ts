import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { observeRefresh, observeSearch } from "../../../src/catalog/observing/observe.ts";
import { readProduct } from "../../../src/catalog/products.ts";
import { must } from "../../../src/lib/must.ts";
import { openedForAll } from "../../support/opened.ts";
import { createTestDb } from "../../support/postgres.ts";
import type { RefreshItem, SearchItem } from "../../../src/storefront/product.ts";
import { searchItem } from "../../support/products.ts";

const test = openedForAll(createTestDb);
const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second));

function search(second: number, items: SearchItem[]) {
  const sighting = { callId: second, sentAt: at(second) };
  return test.db.transaction((tx) => observeSearch(tx, sighting, { items, broken: [] }));
}

function refresh(second: number, item: RefreshItem) {
  const sighting = { callId: second, sentAt: at(second) };
  const asked = { shopId: item.shopId, itemIds: [item.itemId] };
  return test.db.transaction((tx) =>
    observeRefresh(tx, sighting, { asked, items: [item], broken: [] }),
  );
}

const product = async (id: number) => must(await readProduct(test.db, id), `product ${id}`);

it("U8: fields that cannot be read stay as they are stored, and the others are stored", async () => {
  const [known, fresh] = [1, 2];
  const fields = [
    ...(["detail", "modified", "categories", "properPrice", "visible"] as const),
    ...(["listOrder", "identifier", "variations"] as const),
  ];
  const unreadable = { fields, reason: `of ${known}`, raw: "as it was sent" };
  const instead = {
    detail: "",
    modified: 0,
    categories: [],
    properPrice: null,
    visible: 1,
    listOrder: 0,
    identifier: null,
    variations: [],
    price: 4300,
    unreadable,
  };
  const { unreadable: _, ...stored } = instead;
  await search(1, [searchItem(known, { visible: 0 })]);
  const { reduction: _reduction, ...before } = await product(known);
  await search(2, [searchItem(known, instead), searchItem(fresh, instead)]);
  expect(await product(known)).toMatchObject({
    ...before,
    ver: 2,
    price: 4300,
    checkedAt: at(2),
    changedAt: at(2),
    priceSince: at(2),
  });
  expect(await product(fresh)).toMatchObject(stored);
  const kept = await test.db.execute(
    sql`select item_id, raw from quarantine where reason = ${unreadable.reason} order by item_id`,
  );
  const { raw } = unreadable;
  expect([...kept]).toEqual([known, fresh].map((id) => ({ item_id: id, raw })));
  await refresh(3, searchItem(known, { ...instead, price: 4400 }));
  expect(await product(known)).toMatchObject({ price: 4400, detail: before.detail });
});
