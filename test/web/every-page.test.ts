import type { BrowserContextOptions, Page } from "playwright-core";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import { faultsOf, overflowOf, violationsOf } from "../support/accessibility.ts";
import { storeItems } from "../support/catalog.ts";
import { measurePage } from "../support/page-measure.ts";
import { searchItem } from "../support/products.ts";
import { shopWindowForAll } from "../support/shop-window.ts";

const items = Array.from({ length: 60 }, (_, index) =>
  searchItem(index + 1, {
    title: `帆布のトートバッグ 内ポケット付き ${index + 1}`,
    shopId: `shop-${index % 6}`,
    shopName: `革工房 ${index % 6}号`,
    price: 2000 + index * 100,
    properPrice: index % 3 === 0 ? 9000 : null,
    stock: index % 4,
    categories: [["バッグ", "財布", "小物"][index % 3] ?? "バッグ"],
    images: index % 5 === 0 ? [null, null, null, null, null] : searchItem(1).images,
  }),
);

interface Kind {
  path: string;
  status?: number;
  /** The most bytes without pictures, before compression, of this page with this catalogue. */
  bytes: number;
  /** `npm test` leaves it out: it looks much like another one. */
  onlyLong?: true;
}

const kinds: Record<string, Kind> = {
  home: { path: "/", bytes: 75_000 },
  "all products": { path: "/?q=", bytes: 90_000, onlyLong: true },
  results: { path: "/?q=トート", bytes: 90_000, onlyLong: true },
  "filtered results": {
    path: "/?q=トート&in_stock=true&price_max=5000&category=バッグ&sort=price:asc",
    bytes: 90_000,
  },
  "a category": { path: "/?category=バッグ", bytes: 90_000, onlyLong: true },
  "nothing found": { path: "/?q=zzzz&price_max=5", bytes: 50_000, onlyLong: true },
  product: { path: "/products/1", bytes: 85_000 },
  "no product": { path: "/products/999", status: 404, bytes: 50_000, onlyLong: true },
  compare: { path: "/compare?items=1,2,3,4", bytes: 60_000 },
  "nothing to compare": { path: "/compare", bytes: 50_000, onlyLong: true },
  categories: { path: "/categories", bytes: 50_000, onlyLong: true },
  shops: { path: "/shops", bytes: 50_000 },
  "price drops": { path: "/price-drops", bytes: 75_000, onlyLong: true },
  alerts: { path: "/alerts", bytes: 50_000 },
  "no page": { path: "/nothing-here", status: 404, bytes: 50_000 },
};

const looks: Record<string, BrowserContextOptions> = {
  "a phone, dark": { viewport: { width: 390, height: 800 }, colorScheme: "dark" },
  "a desktop": { viewport: { width: 1280, height: 800 } },
};

const { shop, visit } = shopWindowForAll(items);
beforeAll(async () => {
  const cheaper = items.slice(0, 30).map((item) => ({ ...item, price: item.price - 900 }));
  await storeItems(shop.db, systemClock.now().toISOString(), cheaper);
});

async function saveAlert(page: Page): Promise<void> {
  await page.goto("/products/2");
  await page.click("#tell-me > summary");
  await page.check("#rule-new_low");
  await page.click("#tell-me button[type=submit]");
  await page.locator("section.alert").waitFor();
}

/** In `npm test` the looks take turns at the pages. */
const kindsOf = (turn: number) =>
  Object.entries(kinds).filter(
    ([, { onlyLong }], i) => inject("long") || (!onlyLong && i % 2 === turn),
  );

describe.each(Object.entries(looks))("on %s, every page", (title, look) => {
  it.each(kindsOf(Object.keys(looks).indexOf(title)))(
    "is small, stands still and can be used by everybody: %s",
    async (name, { path, status = 200, bytes }) => {
      const { page, complaints } = await visit(look);
      if (name === "alerts") await saveAlert(page);
      const measured = await measurePage(page, path);
      expect(measured.status).toBe(status);
      expect(measured.largestPaintMs).toBeGreaterThan(0);
      expect(measured.requests).toBeLessThanOrEqual(5);
      expect(measured.decodedBytes).toBeLessThan(bytes);
      expect(measured.transferredBytes).toBeLessThan(25_000);
      expect(measured.layoutShift).toBeLessThan(0.02);
      expect(await faultsOf(page)).toEqual([]);
      expect(await violationsOf(page)).toEqual([]);
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
      // The browser's own note about the status.
      expect(complaints.filter((text) => !text.includes("404 (Not Found)"))).toEqual([]);
      await page.context().close();
    },
  );
});

it("the description of the API is dark where the reader's other pages are", async () => {
  const background = "getComputedStyle(document.documentElement).backgroundColor";
  for (const [colorScheme, dark] of [
    ["dark", true],
    ["light", false],
  ] as const) {
    const { page } = await visit({ colorScheme });
    await page.goto("/docs");
    expect(await page.evaluate<string>(background)).toBe(
      dark ? "rgb(28, 32, 34)" : "rgba(0, 0, 0, 0)",
    );
    await page.context().close();
  }
});

it("control: a page that jumps, and one that lacks what readers need, are noticed", async () => {
  const { page } = await visit(looks["a desktop"]);
  const html = `<html><body><h1>one</h1><h1>two</h1><h4>deep</h4><input><img src="/icon.png">
    <a href="/"></a><p id="late">text</p><script>
    setTimeout(() => document.body.prepend(Object.assign(document.createElement("div"), { style: "height:400px" })), 100);
    </script></body></html>`;
  await page.route("**/faulty", (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<!doctype html>${html}${" ".repeat(70_000)}`,
    }),
  );
  await page.goto("/");
  const measured = await measurePage(page, "/faulty");
  expect(measured.layoutShift).toBeGreaterThan(0.1);
  expect(measured.decodedBytes).toBeGreaterThan(70_000);
  expect(await faultsOf(page)).toEqual([
    "2 h1",
    "h4 after h1: deep",
    "0 main",
    "0 header",
    "0 footer",
    "no title",
    "no language",
    "no viewport",
    "no name: input",
    "no name: a",
    "no size: img",
    "no alt: img",
  ]);
  await page.context().close();
});
