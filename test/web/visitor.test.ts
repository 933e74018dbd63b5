import { sql } from "drizzle-orm";
import { describe, expect, inject, it } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import { must } from "../../src/lib/must.ts";
import { storeItems } from "../support/catalog.ts";
import { overflowOf, violationsOf } from "../support/accessibility.ts";
import { endGroup, storeGroup } from "../support/matches.ts";
import { searchItem, variation } from "../support/products.ts";
import { shopWindowForAll } from "../support/shop-window.ts";
import { until } from "../support/until.ts";
import { itLong } from "../support/it-long.ts";

const jan = "4901234567894";
const wide = { viewport: { width: 1280, height: 800 } };
const narrow = { viewport: { width: 390, height: 800 } };

/** Item 1 is sold by three shops; the others stand alone. */
function sold(itemId: number, shop: number, over: Parameters<typeof searchItem>[1] = {}) {
  return searchItem(itemId, {
    shopId: `shop-${shop}`,
    shopName: `革工房 ${shop}号`,
    variations: [],
    properPrice: null,
    ...over,
  });
}
const variations = [variation({ variation: "色: 赤", variation_stock: 3, barcode: jan })];
const items = [
  sold(1, 1, { title: "牛革の長財布", price: 8000, properPrice: 10_000, variations }),
  sold(2, 2, { title: "牛革の長財布 黒", price: 7200, variations }),
  sold(3, 3, { title: "長財布（牛革）", price: 9100, stock: 0, variations }),
  ...Array.from({ length: 40 }, (_, index) =>
    sold(100 + index, 4 + (index % 3), {
      title: `帆布のトートバッグ ${index + 1}`,
      price: 2000 + index * 100,
      stock: index % 4,
      categories: ["バッグ"],
      images: index % 5 === 0 ? [null, null, null, null, null] : searchItem(1).images,
    }),
  ),
];

const { shop, visit } = shopWindowForAll(items);

/** Plays the crawler: stores the product at a new price as soon as somebody asks for a look at it. */
async function observeOnceAsked(itemId: number, price: number): Promise<void> {
  await until(
    async () => {
      const [row] = await shop.db.execute<{ n: number }>(
        sql`select count(*)::int as n from refresh_request where item_id = ${itemId}`,
      );
      return row?.n;
    },
    { what: "a request" },
  );
  const item = must(
    items.find((one) => one.itemId === itemId),
    "the item",
  );
  await storeItems(shop.db, systemClock.now().toISOString(), [{ ...item, price }]);
}

describe("a visitor", () => {
  it("finds, filters, opens and compares, on a screen of any width", async () => {
    for (const size of inject("long") ? [wide, narrow] : [narrow]) {
      const { page, complaints } = await visit(size);
      await page.goto("/");
      await page.fill("#q", "財布");
      await page.click("#search button");
      await page.waitForURL(/q=/);
      await expect.poll(() => page.locator(".found > .results > li").count()).toBe(3);
      if (size === narrow) await page.click(".filters > summary");
      await page.click("text=在庫あり");
      await expect.poll(() => page.locator(".found > .results > li").count()).toBe(2);
      expect(new URL(page.url()).search).toBe(
        `?${new URLSearchParams({ q: "財布", in_stock: "true" }).toString()}`,
      );
      await page.fill("#f-price_max", "7500");
      await page.locator("#f-price_max").blur();
      await expect.poll(() => page.locator(".found > .results > li").count()).toBe(1);
      await page.goBack();
      await expect.poll(() => page.locator(".found > .results > li").count()).toBe(2);
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
      await page.click(".results a:text-is('牛革の長財布')");
      await page.waitForURL(/\/products\/1$/);
      expect(await page.locator(".offers tbody tr").count()).toBe(3);
      expect(await page.locator(".offers tbody tr").first().innerText()).toContain("¥7,200");
      expect(await page.locator(".summary").innerText()).toContain("7分前に確認");
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
      expect(complaints).toEqual([]);
    }
  });

  it("goes back to earlier words, and filters these", async () => {
    const { page } = await visit(wide);
    await page.goto("/?q=財布");
    await page.fill("#q", "トート");
    await page.press("#q", "Enter");
    await expect.poll(() => page.title()).toContain("トート");
    await page.goBack();
    await expect.poll(() => page.title()).toContain("財布");
    expect(await page.inputValue("#q")).toBe("財布");
    await page.check("#f-in_stock");
    await expect.poll(() => page.locator(".found > .results > li").count()).toBe(2);
    expect(new URL(page.url()).searchParams.get("q")).toBe("財布");
  });

  itLong("keeps what is there in its place until the next results have come", async () => {
    const { page } = await visit(wide);
    await page.goto("/?q=トート");
    let answer = () => {};
    const held = new Promise<void>((resolve) => (answer = resolve));
    await page.route(/in_stock=true/, async (route) => {
      await held;
      await route.continue();
    });
    const places = () =>
      page.evaluate<string>(
        "JSON.stringify([...document.querySelectorAll('.results > li, .filters')].map((one) => one.getBoundingClientRect()))",
      );
    const before = await places();
    await page.click("text=在庫あり");
    await page.locator("main[aria-busy=true]").waitFor();
    expect(await places()).toBe(before);
    answer();
    await expect.poll(() => page.locator("#count").innerText()).toBe("30件");
    expect(await page.locator("[role=status]").first().textContent()).toBe("30件");
  });

  itLong("does the same with nothing but a keyboard", async () => {
    const { page } = await visit(wide);
    await page.goto("/");
    const tabTo = async (selector: string) => {
      for (let presses = 0; presses < 80; presses += 1) {
        await page.keyboard.press("Tab");
        if (await page.locator(`${selector}:focus`).count()) return;
      }
      throw new Error(`Tab never came to ${selector}`);
    };
    await tabTo("#q");
    await page.keyboard.type("トート");
    await page.locator("[role=option]").first().waitFor();
    await page.keyboard.press("ArrowDown");
    expect(await page.getAttribute("#q", "aria-activedescendant")).toBe("suggestion-0");
    await page.keyboard.press("Enter");
    await page.waitForURL(/[?&](q|category)=/);
    await tabTo("#f-in_stock");
    await page.keyboard.press("Space");
    await page.waitForURL(/in_stock=true/);
    await expect.poll(() => page.locator("main[aria-busy]").count()).toBe(0);
    expect(await page.locator("#f-in_stock:focus").count()).toBe(1);
    await tabTo(".results a");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/products\/\d+$/);
  });

  it("turns pages, shares addresses and sees same products as one row", async () => {
    const { page, requests } = await visit(wide);
    await page.goto("/?q=トート&sort=price:asc");
    expect(await page.locator("#count").innerText()).toBe("40件");
    await page.click("[rel=next]");
    await page.waitForURL(/page=2/);
    await expect.poll(() => page.locator(".found > .results > li").count()).toBe(16);
    expect(await page.title()).toMatch(/^「トート」.* – 2ページ – /);
    await page.goto("/?q=財布&group=gtin");
    expect(await page.locator(".found > .results > li").count()).toBe(1);
    expect(await page.locator(".group").innerText()).toContain("3ショップ・3件の出品");
    await page.goto("/?q=財布&sort=price:asc");
    const groupId = await storeGroup(shop.db, [[1], [2]]);
    await page.locator("#f-group").check();
    await page.waitForURL(/group=product/);
    await expect.poll(() => page.locator(".found > .results > li").count()).toBe(2);
    expect(await page.locator(".found > .results .group").innerText()).toBe(
      "2件の出品・¥7,200から",
    );
    await page.locator("#f-group").uncheck();
    await expect.poll(() => page.locator(".found > .results > li").count()).toBe(3);
    await endGroup(shop.db, groupId, null);
    expect(
      requests
        .filter((url) => !url.startsWith(shop.url))
        .every((url) => url.startsWith("https://img.example.com/")),
    ).toBe(true);
  });

  itLong("sees the placeholder where a picture does not load", async () => {
    const { page } = await visit(wide);
    await page.route("https://img.example.com/**", (route) => route.abort());
    await page.goto("/?q=財布");
    await page.locator(".results .picture img.broken").first().waitFor({ state: "attached" });
  });

  it("is helped where nothing is found", async () => {
    const { page } = await visit(wide);
    await page.goto("/?q=財布&price_max=10&category=バッグ");
    const ways = await page.locator(".nothing .chip").allInnerTexts();
    expect(ways).toContain("「¥10以下」を外す");
    await page.click(".nothing .chip:has-text('バッグ')");
    await expect.poll(() => page.locator(".nothing .chip").count()).toBeGreaterThan(0);
    await page.click(".nothing .chip:has-text('¥10')");
    await expect.poll(() => page.locator(".found > .results > li").count()).toBe(3);
  });

  itLong("needs no script for any of it", async () => {
    const { page } = await visit({ ...narrow, javaScriptEnabled: false });
    await page.goto("/");
    await page.fill("#q", "財布");
    await page.click("#search button");
    await page.click(".filters > summary");
    await page.check("#f-in_stock");
    await page.click(".filters .unscripted");
    expect(await page.locator(".found > .results > li").count()).toBe(2);
    await page.click(".results a >> nth=0");
    await page.click(".check button");
    expect(await page.locator("#check").innerText()).toMatch(
      /確認を受け付けました|たったいま確認しました/,
    );
  });

  it("has a product checked now and sees what that brought", async () => {
    const { page } = await visit(wide);
    await page.goto("/products/120?lang=en");
    await Promise.all([page.click(".check button"), observeOnceAsked(120, 1234)]);
    expect(await page.locator("#check").innerText()).toContain("up to date");
    expect(await page.locator(".summary .price").innerText()).toBe("¥1,234");
    expect(await page.locator(".chart:visible title").textContent()).toContain(
      "帆布のトートバッグ",
    );
    // What was so once is not told again after a reload.
    await page.reload();
    expect(await page.locator("#check").count()).toBe(0);
  });

  it("sees the offers of other shops whole on the smallest phone, in English too", async () => {
    const { page } = await visit({ viewport: { width: 320, height: 700 }, locale: "en-GB" });
    await page.goto("/products/1");
    expect(await page.locator(".offers .warn").first().innerText()).toBe("Only 3 left");
    const hidden = "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)";
    expect(await page.evaluate(`${hidden}(document.querySelector(".offers").parentElement)`)).toBe(
      0,
    );
  });

  it("reads each price in one piece, also on the smallest phone", async () => {
    const dear = items.slice(0, 2).map((item) => ({ ...item, price: item.price * 100 }));
    await storeItems(shop.db, systemClock.now().toISOString(), dear);
    const { page } = await visit({ viewport: { width: 320, height: 700 }, locale: "en-GB" });
    await page.goto("/products/1");
    const heights = await page.evaluate<number[]>(
      "[...document.querySelectorAll('.offers .price')].map((one) => one.offsetHeight)",
    );
    expect(heights).toHaveLength(3);
    expect(new Set(heights).size).toBe(1);
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  });
});

// `every-page.test.ts` shows the same of each page in less time.
if (inject("long")) {
  describe("the pages", () => {
    it("have nothing that axe-core objects to, in light and dark, wide and narrow", async () => {
      const looks = [
        { look: wide, paths: ["/?q=財布&in_stock=true", "/products/1", "/products/999"] },
        {
          look: { ...narrow, colorScheme: "dark" as const },
          paths: ["/?q=zzzz&price_max=5", "/products/1"],
        },
      ];
      for (const { look, paths } of looks) {
        const { page } = await visit(look);
        for (const path of paths) {
          await page.goto(path);
          expect([path, await violationsOf(page)]).toEqual([path, []]);
        }
        await page.goto("/");
        await page.fill("#q", "財");
        await page.locator("[role=option]").first().waitFor();
        expect(await violationsOf(page)).toEqual([]);
      }
    });

    it("load quickly: few requests, little to download, nothing that jumps", async () => {
      const { page, requests, layoutShift } = await visit(narrow);
      let ownBytes = 0;
      page.on("requestfinished", async (request) => {
        if (request.url().includes("/assets/"))
          ownBytes += (await request.sizes()).responseBodySize;
      });
      for (const path of ["/", "/products/1"]) {
        requests.length = 0;
        ownBytes = 0;
        await page.goto(path, { waitUntil: "networkidle" });
        const own = requests.filter((url) => url.startsWith(shop.url));
        expect(own.length).toBeLessThanOrEqual(5);
        expect(ownBytes).toBeLessThan(60_000);
        expect(await layoutShift()).toBeLessThan(0.02);
      }
    });
  });
}
