import { expect, it } from "vitest";
import { refuseBlanks } from "../../src/crawl/safety/answer-checks.ts";
import type { RefreshItem } from "../../src/storefront/product.ts";
import { storeItems } from "../support/catalog.ts";
import { openedForAll } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";
import { searchItem, variation } from "../support/products.ts";

const test = openedForAll(createTestDb);

it("U9: refuses a search whose products have all lost their variations or barcodes, and no refresh, which shows none", async () => {
  const ids = Array.from({ length: 10 }, (_, i) => i + 1);
  await storeItems(
    test.db,
    "2026-01-10T00:00:00Z",
    ids.map((id) => searchItem(id)),
  );
  const check = (items: readonly RefreshItem[]) =>
    test.db.transaction((tx) => refuseBlanks(tx, items));
  const without = (variations: ReturnType<typeof variation>[]) =>
    ids.map((id) => searchItem(id, { variations }));
  await expect(check(without([]))).rejects.toThrow("10 of 10 products have lost their variations");
  await expect(check(without([variation({})]))).rejects.toThrow(
    "10 of 10 products have lost their barcodes",
  );
  await check(without([]).map(({ variations: _, ...shown }) => shown));
  // What cannot be read is not lost: it stays.
  await check(
    without([]).map((item) => ({
      ...item,
      unreadable: { fields: ["variations"], reason: "", raw: "" },
    })),
  );
});
