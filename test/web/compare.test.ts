import { beforeAll, describe, expect, it } from "vitest";
import { sql } from "drizzle-orm";
import { storeItems } from "../support/catalog.ts";
import { itLong } from "../support/it-long.ts";
import { looks, overflowOf, violationsOf } from "../support/accessibility.ts";
import { matchAll } from "../support/matching.ts";
import { searchItem } from "../support/products.ts";
import { shopWindowForAll } from "../support/shop-window.ts";

/** The greatest id that there can be. */
const greatest = Number.MAX_SAFE_INTEGER;
const items = Array.from({ length: 6 }, (_, i) =>
  searchItem(i === 4 ? greatest : i + 1, {
    title: `革のトート ${["black", "blue", "red", "green", "white", "pink"][i]} 500ml`,
    price: i === 3 ? 0 : 2000 + i * 500,
    properPrice: null,
    stock: i === 1 ? 0 : 5,
    shopId: `shop-${i}`,
    shopName: `革工房 ${i}号`,
    variations: [],
    ...(i === 2 ? { categories: [] } : {}),
  }),
);

const { shop, visit } = shopWindowForAll(items, { locale: "en-GB" });
beforeAll(async () => {
  await storeItems(
    shop.db,
    new Date().toISOString(),
    items.slice(0, 2).map((item) => ({ ...item, price: item.price - 100 })),
  );
  await matchAll(shop.db);
  await shop.db.execute(sql`
    update product set state = 'gone', ver = ver + 1, deleted_at = now(), deleted_call_id = 1 where item_id = 6`);
});

const tick = (itemId: number) => `.compare-tick input[value="${itemId}"]`;

describe("comparing products", () => {
  itLong("takes a shopper fewer than ten actions for three, over several pages", async () => {
    const { page, complaints } = await visit();
    let actions = 0;
    const act = async (action: () => Promise<unknown>) => {
      actions += 1;
      await action();
    };
    await page.goto("/?q=");
    await act(() => page.fill("#q", "トート"));
    await act(() => page.press("#q", "Enter"));
    await page.waitForURL(/q=%E3/);
    await act(() => page.check(tick(1)));
    await act(() => page.check(tick(2)));
    await act(() => page.click(".results a[href='/products/3']"));
    await page.waitForURL(/products\/3$/);
    await expect.poll(() => page.locator(".compare-bar").innerText()).toContain("(2)");
    await act(() => page.check(tick(3)));
    await act(() => page.click(".compare-bar button[type=submit]"));
    await page.waitForURL(/\/compare\?items=1,2,3$/);
    expect(actions).toBeLessThan(10);
    expect(await page.locator("table.compare th[scope=col]").count()).toBe(3);
    const rows = await page.locator("table.compare tbody tr").allInnerTexts();
    const row = (name: string) =>
      rows
        .find((text) => text.startsWith(name))
        ?.split("\t")
        .map((text) => text.trim());
    expect(row("Price")).toEqual(["Price", "¥1,900", "¥2,400", "¥3,000"]);
    expect(row("Stock")?.[2]).toBe("Out of stock");
    expect(row("Category")?.[3]).toBe("–");
    expect(row("Colour")).toEqual(["Colour", "black", "blue", "red"]);
    expect(row("Content")).toEqual(["Content", "500 ml", "500 ml", "500 ml"]);
    expect(row("Unit price")?.[1]).toContain("¥3,800 for 1 l");
    expect(rows.filter((text) => text.startsWith("Lowest price"))).toHaveLength(4);
    expect(await page.locator("svg.chart.wide path").count()).toBe(3);
    const labelOf = (id: number) => page.locator(`a[href^='/go/${id}']`).getAttribute("aria-label");
    expect(await labelOf(1)).toMatch(/^Buy at the shop: .*black/);
    expect(await labelOf(2)).toMatch(/^See it at the shop: .*blue/);
    await page.click("[data-uncompare='2']");
    await page.waitForURL(/\/compare\?items=1,3$/);
    await page.goto("/?q=トート");
    expect(await page.isChecked(tick(1))).toBe(true);
    expect(await page.isChecked(tick(2))).toBe(false);
    expect(complaints).toEqual([]);
  });

  itLong("takes four at most, says so, and lets go of all of them", async () => {
    const { page } = await visit();
    await page.goto("/?q=トート");
    for (const itemId of [1, 2, 3, 4]) await page.check(tick(itemId));
    await page.click(tick(greatest));
    expect(await page.isChecked(tick(greatest))).toBe(false);
    expect(await page.locator("[role=status]").last().textContent()).toContain("At most 4");
    await page.click(".compare-bar [data-clear]");
    expect(await page.locator(".compare-bar").isVisible()).toBe(false);
    expect(await page.isChecked(tick(1))).toBe(false);
    await page.check(tick(greatest));
    await page.click(".compare-bar button[type=submit]");
    await page.waitForURL(`**/compare?items=${greatest}`);
    expect(await page.locator("table.compare th[scope=col]").count()).toBe(1);
  });

  itLong("works without scripts", async () => {
    const { page } = await visit({ javaScriptEnabled: false });
    await page.goto("/?q=トート");
    await page.check(tick(1));
    await page.check(tick(4));
    await page.click(".compare-bar button[type=submit]");
    expect(new URL(page.url()).search).toMatch(/^\?items=[14]&items=[14]$/);
    expect(await page.locator("table.compare th[scope=col]").count()).toBe(2);
    // A price of 0 is none: the shop tells it.
    expect(await page.locator("table.compare").innerText()).toContain("See the shop");
  });

  it("says what it left out, and what is gone", async () => {
    const { page } = await visit();
    const statusOf = async (query: string) => (await page.goto(`/compare${query}`))?.status();
    expect(await statusOf("")).toBe(200);
    expect(await page.locator("main").innerText()).toContain("No product is chosen");
    expect(await statusOf("?items=1,2,3,4,5")).toBe(400);
    expect(await page.locator("table.compare th[scope=col]").count()).toBe(4);
    expect(await page.locator("main").innerText()).toContain("At most 4 products");
    expect(await statusOf("?items=1,x,<script>")).toBe(400);
    expect(await statusOf("?items=1,9007199254740992")).toBe(400);
    expect(await statusOf("?items=1,999")).toBe(404);
    expect(await statusOf("?items=4")).toBe(200);
    expect(await page.locator("main").innerText()).toContain("No prices have been recorded yet");
    expect(await statusOf("?items=1,6")).toBe(200);
    expect(await page.locator("table.compare .tag.warn").innerText()).toContain("no longer");
    expect(await page.locator("a[href^='/go/6']").count()).toBe(0);
  });

  itLong("is accessible and fits any screen, in light and dark", async () => {
    for (const look of looks) {
      const { page, complaints } = await visit(look);
      for (const path of ["/?q=トート", "/products/1", "/compare?items=1,2,3,4", "/compare"]) {
        await page.goto(path);
        expect([path, await overflowOf(page)]).toEqual([path, 0]);
        expect([path, await violationsOf(page)]).toEqual([path, []]);
      }
      expect(complaints).toEqual([]);
    }
  });
});

it("leads a stranger from a search to the shop in two clicks", async () => {
  const { page } = await visit();
  await page.goto("/?q=トート");
  await page.click(".results a[href='/products/3']");
  await page.waitForURL(/products\/3$/);
  const [asked] = await Promise.all([
    page.context().waitForEvent("request", (request) => request.url().endsWith("items/3")),
    page.click(".summary a.button[href^='/go/3']"),
  ]);
  expect(new URL(asked.url()).host).toBe("shop-1.example.com");
});
