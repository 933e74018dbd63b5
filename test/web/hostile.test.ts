import type { Page } from "playwright-core";
import { beforeAll, describe, expect, inject, it } from "vitest";
import type { SearchItem } from "../../src/storefront/product.ts";
import { overflowOf, violationsOf } from "../support/accessibility.ts";
import { searchItem } from "../support/products.ts";
import { storeGroup, storeSimilar } from "../support/matches.ts";
import { shopWindowForAll } from "../support/shop-window.ts";
import { itLong } from "../support/it-long.ts";

const payloads = [
  "<script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "</title></script><svg onload=alert(1)>",
  "<!--age--><!--offers-->",
  "{{constructor.constructor('alert(1)')()}}",
  "\uE000b\uE001",
];
const hostile = payloads.join(" ");

function everywhere(itemId: number, text: string, url: string): SearchItem {
  return searchItem(itemId, {
    title: text,
    detail: text,
    identifier: text,
    shopId: `shop-${itemId}${text.slice(0, 40)}`,
    shopName: text,
    shopUrl: url,
    categories: [text],
    images: [{ origin: url, "300": url, "640": url }, null, null, null, null],
    variations: [
      {
        variation_id: itemId,
        variation: text,
        variation_stock: 1,
        variation_identifier: text,
        barcode: "4901234567894",
      },
    ],
  });
}

const items = [
  everywhere(1, hostile, "javascript:alert(1)"),
  everywhere(2, `W${"i".repeat(9_999)}`, "data:text/html,<script>alert(1)</script>"),
  everywhere(3, `\u202E${"ש".repeat(200)}\u202E abc \u2067`, "java\nscript:alert(1)"),
  everywhere(4, "長".repeat(10_000), "//evil.example.com/x"),
  searchItem(5, {
    title: "",
    detail: "",
    price: 0,
    properPrice: null,
    stock: 0,
    identifier: null,
    images: [null, null, null, null, null],
    variations: [],
    shopName: "",
    shopUrl: "",
    categories: [],
  }),
  everywhere(6, "\u0001\u0007\u200B\uFEFF", "https://user:secret@shop.example.com/"),
  searchItem(7, {
    images: [{ origin: 'https://img.example.com/a b,c"d.jpg' }, null, null, null, null],
  }),
];

const { shop, visit } = shopWindowForAll(items);
beforeAll(async () => {
  await storeGroup(shop.db, [[1], [5], [7]]);
  await storeSimilar(shop.db, 1, 2, 0.95);
  await storeSimilar(shop.db, 1, 3, 0.94);
  await storeSimilar(shop.db, 1, 4, 0.93);
  await storeSimilar(shop.db, 1, 6, 0.92);
});

/** In `npm test` the widths take turns at them. */
const paths = [
  "/",
  "/?q=",
  "/?group=gtin",
  "/?group=product",
  ...items.map(({ itemId }) => `/products/${itemId}`),
  "/compare?items=1,2,3,4",
  "/compare?items=5,6,7",
  "/categories",
  "/shops",
  "/price-drops",
  "/viewed?items=1,2,3,4,5,6,7",
  `/?${new URLSearchParams({ q: hostile, shop_id: hostile, category: hostile }).toString()}`,
  `/filter-values/category?${new URLSearchParams({ q: payloads[1] ?? "" }).toString()}`,
];

describe("W1, W2: a hostile catalogue", () => {
  it("runs no script, breaks no layout, loads nothing but product images and leads nowhere but to the web", async () => {
    for (const [turn, width] of [1280, 390].entries()) {
      const { page, requests, complaints } = await visit({ viewport: { width, height: 800 } });
      for (const path of paths.filter((_, i) => inject("long") || i % 2 === turn)) {
        await page.goto(path);
        expect([path, await overflowOf(page)]).toEqual([path, 0]);
        expect([path, await marksIn(page)]).toEqual([path, []]);
        for (const link of await linksIn(page)) {
          expect(link).toMatch(
            /^http: (|next|prev|noopener nofollow sponsored)$|^https: noopener nofollow ugc$/,
          );
        }
      }
      expect(complaints).toEqual([]);
      const foreign = requests.filter((url) => !url.startsWith(shop.url));
      expect(new Set(foreign)).toEqual(new Set(["https://img.example.com/a%20b%2Cc%22d.jpg"]));
      await page.context().close();
    }
  });

  itLong("stays accessible", async () => {
    const { page } = await visit();
    for (const path of ["/", "/products/1", "/compare?items=1,2,3,4", "/compare?items=5,6,7"]) {
      await page.goto(path);
      expect([path, await violationsOf(page)]).toEqual([path, []]);
    }
    await page.context().close();
  });

  it("W5: ends no script element with its structured data", async () => {
    const { page } = await visit();
    await page.goto("/products/1");
    const texts = await page.locator("script[type='application/ld+json']").allTextContents();
    const parsed = texts.map((text): unknown => JSON.parse(text));
    expect(parsed).toContainEqual(expect.objectContaining({ "@type": "BreadcrumbList" }));
    expect(parsed.at(0)).toMatchObject({
      "@type": "Product",
      name: expect.stringContaining("<script>"),
    });
    await page.context().close();
  });

  itLong("is asked for nothing by the words of a search either", async () => {
    const { page, complaints } = await visit();
    const usual = [...payloads.slice(0, 1), "\u202Eabc", '"'.repeat(100)];
    const others = [...payloads.slice(1, 3), "%", "\\", "あ".repeat(200)];
    for (const q of inject("long") ? [...usual, ...others] : usual) {
      await page.goto(`/?${new URLSearchParams({ q, category: q }).toString()}`);
      expect(await page.inputValue("#q")).toBe(q);
      expect(await marksIn(page)).toEqual([]);
    }
    await page.goto(`/?q=${"x".repeat(3000)}&price_min=abc&sort=best&page=99999`);
    expect(await page.locator(".notice").innerText()).toContain("価格 (下限), 並び順, ページ");
    expect(complaints.filter((text) => !text.includes("400"))).toEqual([]);
    await page.context().close();
  });
});

/** Of every link its scheme and what it says of where it leads. */
async function linksIn(page: Page): Promise<Set<string>> {
  const links = await page.evaluate<string[]>(
    "[...document.querySelectorAll('a[href]')].map((a) => `${a.protocol} ${a.rel}`)",
  );
  return new Set(links);
}

/** Elements and attributes that no page of ours draws. */
async function marksIn(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll("*")].flatMap((element) => [
    ...element.getAttributeNames().filter((name) => name.startsWith("on") || name === "style"),
    ...(element.localName === "script" && !element.src && element.type !== "application/ld+json" ? ["script"] : []),
    ...(["iframe", "object", "embed", "base"].includes(element.localName) ? [element.localName] : []),
    ...(element.localName === "svg" && !element.classList.contains("chart") ? ["svg"] : []),
  ])`);
}
