import { beforeAll, describe, expect, it } from "vitest";
import { storeItems } from "../support/catalog.ts";
import { storeGroup } from "../support/matches.ts";
import { apiForAll } from "../support/opened-api.ts";
import { searchItem, variation } from "../support/products.ts";

const { test, api: site } = apiForAll();
const barcode = "4901234567894";

function soldBy(shopId: string, itemId: number, price: number, stock = 3) {
  const variations = [variation({ variation_id: itemId * 10, variation_stock: stock, barcode })];
  const shop = { shopId, shopName: shopId, shopUrl: `https://${shopId}.example.com/` };
  return searchItem(itemId, { ...shop, price, properPrice: null, stock, variations });
}

async function page(path: string): Promise<string> {
  const answer = await site.get(path, { Accept: "text/html", "Accept-Language": "en" });
  return answer.text();
}

beforeAll(async () => {
  await storeItems(test.db, "2026-02-20T00:00:00.000Z", [
    soldBy("shop-a", 1, 3000),
    soldBy("shop-b", 2, 2500),
    soldBy("shop-c", 3, 2000, 0),
    searchItem(4, { variations: [] }),
  ]);
});

describe("what a product costs in other shops", () => {
  it("stands beside its price, if they have it for less or this one has it no more", async () => {
    expect(await page("/products/1")).toContain(
      '<a href="#offers">from ¥2,500 in another shop</a>',
    );
    expect(await page("/products/2")).toContain('<span class="tag good">lowest of 2 shops</span>');
    expect(await page("/products/3")).toContain(
      '<a href="#offers">from ¥2,500 in 2 other shops</a>',
    );
    expect(await page("/products/4")).not.toMatch(/href="#offers"|lowest of/);
  });

  it("stands on the card of a search that shows each product for itself", async () => {
    expect(await page("/?q=革財布")).not.toContain("#offers");
    await storeGroup(test.db, [[1], [2]]);
    const html = await page("/?q=革財布");
    expect(html.match(/2 offers from ¥2,500/g)).toHaveLength(2);
  });
});
