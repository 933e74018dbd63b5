import { beforeAll, describe, expect, inject, it } from "vitest";
import { must } from "../../src/lib/must.ts";
import { itLong } from "../support/it-long.ts";
import { looks, overflowOf, violationsOf } from "../support/accessibility.ts";
import { createTestApi, searchBySql } from "../support/api.ts";
import { storeItems } from "../support/catalog.ts";
import { searchItem } from "../support/products.ts";
import { shopWindowForAll } from "../support/shop-window.ts";

const items = Array.from({ length: 30 }, (_, i) =>
  searchItem(i + 1, {
    title: `財布 ${i + 1}`,
    price: 4000,
    properPrice: null,
    stock: i === 29 ? 0 : 3,
    shopId: `shop-${i % 3}`,
    shopName: `店 ${i % 3}`,
    categories: [["財布", "Grundnahrungsmittel", "靴"][i % 3] ?? ""],
  }),
);

const { shop, visit } = shopWindowForAll(items, { locale: "en-GB" });
beforeAll(async () => {
  const [first, second, third] = items;
  await storeItems(shop.db, new Date().toISOString(), [
    { ...must(first, "an item"), price: 3000 },
    // Less than a twentieth is not worth a place here, nor is what is sold out.
    { ...must(second, "an item"), price: 3900 },
    { ...must(third, "an item"), price: 2000, stock: 0 },
  ]);
});

describe("the home page", () => {
  it("shows what became cheaper, categories and what is new, and leads to all of it", async () => {
    for (const javaScriptEnabled of inject("long") ? [true, false] : [true]) {
      const { page, complaints } = await visit({ javaScriptEnabled });
      await page.goto("/");
      const blocks = page.locator(".block:not([hidden])");
      expect(await blocks.locator("h2").allInnerTexts()).toEqual([
        "Price drops",
        "Categories",
        "New products",
      ]);
      expect(await page.locator("main").innerText()).toContain("30 products of 3 shops");
      expect(await blocks.nth(0).locator("h3").allInnerTexts()).toEqual(["財布 1"]);
      expect(await blocks.nth(0).locator("li").count()).toBe(1);
      const loading = await page
        .locator("main img")
        .evaluateAll((images) => images.map((image) => image.getAttribute("loading")));
      expect(loading).toEqual(["eager", ...Array.from({ length: 11 }, () => "lazy")]);
      expect(await blocks.nth(1).locator("li").count()).toBe(3);
      expect(await blocks.nth(2).locator("li").count()).toBe(8);
      await page.click(".tiles a:has-text('靴')");
      expect(await page.locator("#count").innerText()).toBe("10 products");
      await page.goto("/");
      await page.click("text=See all products");
      expect(await page.locator("#count").innerText()).toBe("30 products");
      await page.click("#f-in_stock");
      if (!javaScriptEnabled) await page.click(".filters .unscripted");
      await expect.poll(() => page.locator("#count").innerText()).toBe("28 products");
      await page.click(".chips .chip");
      await expect.poll(() => page.locator("#count").innerText()).toBe("30 products");
      expect(complaints).toEqual([]);
    }
  });

  itLong("does not break a long word of a category's name, on any screen", async () => {
    const { page } = await visit();
    for (const width of [320, 390, 768, 1280, 1920]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto("/");
      const name = page.locator(".tiles a:has-text('Grundnahrungsmittel')");
      const lines = await name.evaluate((link) => link.getClientRects().length);
      expect([width, lines]).toEqual([width, 1]);
    }
  });

  itLong("is small, accessible and fits any screen, in light and dark", async () => {
    for (const look of looks) {
      const { page, layoutShift } = await visit(look);
      const answer = await page.goto("/");
      expect((await answer?.body())?.length).toBeLessThan(150_000);
      expect([await overflowOf(page), await violationsOf(page)]).toEqual([0, []]);
      expect(await layoutShift()).toBeLessThan(0.05);
    }
  });

  it("is there for links that say where a visitor comes from, and not for searches", async () => {
    const isHome = async (search: string) =>
      !(await (await fetch(`${shop.url}/${search}`)).text()).includes('id="results"');
    expect(await isHome("?lang=en&utm_source=mail&fbclid=x")).toBe(true);
    for (const search of ["?q=", "?utm_source=mail&sort=price:asc", "?find_category=a"]) {
      expect([search, await isHome(search)]).toEqual([search, false]);
    }
  });

  it("stands without what a search engine would find, and gives no place to a deleted product", async () => {
    const site = createTestApi(shop.db, {
      search: () => Promise.reject(new Error("the engine does not answer")),
    });
    const answer = await site.get("/", { Accept: "text/html", "Accept-Language": "en" });
    expect(answer.status).toBe(200);
    const html = await answer.text();
    expect(html).toContain("Price drops");
    expect(html).not.toContain("tiles");
    const whole = createTestApi(shop.db, { search: (query) => searchBySql(shop.db, query) });
    expect(await (await whole.get("/?lang=ja")).text()).toContain("値下がりした商品");
  });
});
