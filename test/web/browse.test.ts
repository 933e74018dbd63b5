import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, inject, it, onTestFinished } from "vitest";
import { mostListed } from "../../src/catalog/counts.ts";
import { createMarket, defaultMarket } from "../../src/catalog/market.ts";
import { must } from "../../src/lib/must.ts";
import { itLong } from "../support/it-long.ts";
import { looks, overflowOf, violationsOf } from "../support/accessibility.ts";
import { createTestApi } from "../support/api.ts";
import { storeItems } from "../support/catalog.ts";
import { searchItem } from "../support/products.ts";
import { shopWindowForAll } from "../support/shop-window.ts";

const strange = `革 & <b>"小物"</b>/../100%`;
const items = [
  ...Array.from({ length: 6 }, (_, i) =>
    searchItem(i + 1, {
      title: `財布 ${i + 1}`,
      price: 4000,
      properPrice: null,
      shopId: `shop-${i % 2}`,
      shopName: `店 ${i % 2}`,
      categories: i === 0 ? [strange] : ["財布"],
    }),
  ),
  searchItem(120_001, { title: "遠い番号の財布", price: 4000, categories: ["財布"] }),
];

const { shop, visit } = shopWindowForAll(items, { locale: "en-GB" });
beforeAll(async () => {
  const now = new Date().toISOString();
  const [, second, third] = items;
  await storeItems(shop.db, now, [
    { ...must(second, "an item"), price: 3000 },
    // A price that is not known any more did not fall.
    { ...must(third, "an item"), price: 0 },
  ]);
  await shop.db.execute(sql`
    update product set state = 'gone', ver = ver + 1, deleted_at = now(), deleted_call_id = 1 where item_id = 5`);
});

describe("lists for shoppers", () => {
  it("lead from the foot of any page to categories and shops, whatever their names, and their products", async () => {
    // Other tests of pages run scripts.
    for (const javaScriptEnabled of inject("long") ? [true, false] : [false]) {
      const { page, complaints } = await visit({ javaScriptEnabled });
      await page.goto("/?q=財布");
      await page.click("footer >> text=Categories");
      expect(await page.locator(".names li").count()).toBe(2);
      await page.click(`.names a:has-text("100%")`);
      expect(await page.locator("h1").innerText()).toBe(strange);
      expect(await page.locator(".results > li").count()).toBe(1);
      await page.click("footer >> text=Shops");
      await page.click("text=店 1");
      expect(await page.locator("h1").innerText()).toBe("店 1");
      expect(await page.locator("meta[name=robots]").count()).toBe(0);
      await page.click(".results a >> nth=0");
      await page.click(".breadcrumbs a >> nth=1");
      expect(await page.locator("h1").innerText()).toBe("財布");
      expect(complaints).toEqual([]);
    }
  });

  itLong("show what became cheaper and still is", async () => {
    const { page } = await visit();
    await page.goto("/price-drops");
    expect(await page.locator(".results h2").allInnerTexts()).toEqual(["財布 2"]);
    const card = await page.locator(".results > li").innerText();
    for (const text of ["¥3,000", "¥4,000", "25% off"]) expect(card).toContain(text);
    expect((await page.goto("/price-drops?page=0"))?.status()).toBe(404);
    for (const path of ["/categories?page=x", "/categories?page=2", "/price-drops?page=2"]) {
      expect([path, (await page.goto(path))?.status()]).toEqual([path, 404]);
    }
  });

  it("end where a page would read too many before it", async () => {
    await shop.db.execute(sql`
      insert into kept_count (name, key, n)
      select 'category', 'more ' || i, 1 from generate_series(1, ${mostListed + 1}::int) i`);
    onTestFinished(async () => {
      await shop.db.execute(sql`delete from kept_count where key like 'more %'`);
    });
    const { get } = createTestApi(shop.db);
    const last = mostListed / 200;
    expect(await (await get(`/categories?page=${last - 1}`)).text()).toContain(`page=${last}"`);
    const end = await (await get(`/categories?page=${last}`)).text();
    expect(end).not.toContain(`page=${last + 1}"`);
    expect(end).toMatch(new RegExp(`<title>[^<]* – (${last}ページ|Page ${last}) – [^<]*</title>`));
    expect((await get(`/categories?page=${last + 1}`)).status).toBe(404);
  });

  itLong("are accessible and fit any screen, in light and dark", async () => {
    for (const look of looks) {
      const { page, complaints } = await visit(look);
      for (const path of ["/categories", "/shops", "/price-drops", "/products/1"]) {
        await page.goto(path);
        expect([path, await overflowOf(page)]).toEqual([path, 0]);
        expect([path, await violationsOf(page)]).toEqual([path, []]);
      }
      expect(complaints).toEqual([]);
    }
  });
});

describe("search engines", () => {
  const market = createMarket({ ...defaultMarket, publicUrl: "https://kurabe.example" });
  const read = async (path: string) => {
    const answer = await createTestApi(shop.db, { market }).get(path, { Accept: "text/html" });
    return { status: answer.status, text: await answer.text(), headers: answer.headers };
  };
  const locations = (text: string) =>
    [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map((match) => match[1] ?? "");

  it("find every product in maps by ranges of ids, and no deleted one", async () => {
    const { text: robots } = await read("/robots.txt");
    expect(robots).toContain("Sitemap: https://kurabe.example/sitemap.xml");
    expect(robots).toContain("Disallow: /ops");
    const index = await read("/sitemap.xml");
    expect(index.headers.get("Content-Type")).toBe("application/xml; charset=utf-8");
    expect(locations(index.text)).toEqual(
      ["pages", "0", "2"].map((name) => `https://kurabe.example/sitemaps/${name}.xml`),
    );
    const maps = await Promise.all(
      locations(index.text)
        .slice(1)
        .map((address) => read(new URL(address).pathname)),
    );
    expect(maps.flatMap(({ text }) => locations(text))).toEqual(
      [1, 2, 3, 4, 6, 120_001].map((id) => `https://kurabe.example/products/${id}`),
    );
    expect((await read("/sitemaps/1.xml")).status).toBe(404);
    const pages = locations((await read("/sitemaps/pages.xml")).text);
    expect(pages).toContain("https://kurabe.example/price-drops");
    const category = pages.find((one) => one.includes("100%25")) ?? "";
    const { searchParams } = new URL(category.replaceAll("&amp;", "&"));
    expect(searchParams.get("category")).toBe(strange);
  });

  it("find products with the greatest ids", async () => {
    const item = searchItem(Number.MAX_SAFE_INTEGER);
    await storeItems(shop.db, "2026-01-01T00:00:00Z", [item]);
    const [map = ""] = locations((await read("/sitemap.xml")).text).slice(-1);
    expect(locations((await read(new URL(map).pathname)).text)).toEqual([
      `https://kurabe.example/products/${Number.MAX_SAFE_INTEGER}`,
    ]);
  });

  it("name what is found in a category by it, in any order and with any filter", async () => {
    const nameOf = async (search: string) =>
      /<h1[^>]*>([^<]*)/.exec((await read(`/?${search}&lang=en`)).text)?.[1];
    for (const more of ["", "&sort=price:asc", "&in_stock=true&price_max=90000", "&page=2"]) {
      expect([more, await nameOf(`category=財布${more}`)]).toEqual([more, "財布"]);
    }
    expect(await nameOf("category=財布&q=財布")).toBe("Results for “財布”");
    expect(await nameOf("category=財布&category=靴")).toBe("Compare products across shops");
  });

  it("know each page under one address, in both languages, with its picture", async () => {
    const { text } = await read("/products/1?lang=en");
    expect(text).toContain(
      '<link rel="canonical" href="https://kurabe.example/products/1?lang=en"/>',
    );
    expect((await read("/products/1")).text).toContain(
      '<link rel="canonical" href="https://kurabe.example/products/1"/>',
    );
    expect(text).toContain('hreflang="ja" href="https://kurabe.example/products/1?lang=ja"');
    expect(text).toContain('<meta property="og:image" content="https://img.example.com/1.jpg"/>');
    expect((await read("/?category=財布")).text).toContain(
      `<link rel="canonical" href="https://kurabe.example/?category=${encodeURIComponent("財布")}"/>`,
    );
    for (const path of ["/?q=財布", "/?category=財布&sort=price:asc", "/compare?items=1"]) {
      const other = (await read(path)).text;
      expect([path, other.includes("noindex"), other.includes("canonical")]).toEqual([
        path,
        true,
        false,
      ]);
    }
    const gone = await read("/products/5");
    expect([gone.status, gone.text.includes("noindex")]).toEqual([410, true]);
  });
});
