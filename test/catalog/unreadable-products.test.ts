import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { readProduct } from "../../src/catalog/products.ts";
import { storeItems } from "../support/catalog.ts";
import { apiForAll } from "../support/opened-api.ts";
import { searchItem, variation } from "../support/products.ts";

const { test, api } = apiForAll();

it("what somebody writes into a product by hand in another shape is not stored, and pages that show it among others go on", async () => {
  const at = "2026-01-01T00:00:00.000Z";
  const item = searchItem(1, { variations: [variation({ barcode: "4901234567894" })] });
  await storeItems(test.db, at, [item, searchItem(2)]);
  const before = await readProduct(test.db, 1);
  for (const column of ["images", "variations", "categories"].map((name) => sql.identifier(name))) {
    for (const shape of ["null", "5", '"x"', "[5]", '[{"origin": 5, "barcode": 5}]', "{}"])
      await test.db.execute(
        sql`update product set ${column} = ${shape}::text::jsonb where item_id = 1`,
      );
  }
  expect(await readProduct(test.db, 1)).toEqual(before);
  for (const path of ["/", "/products/1", "/v1/products/1"])
    expect([path, (await api.get(path)).status]).toEqual([path, 200]);
});
