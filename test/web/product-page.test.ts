import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { createMarket, defaultMarket } from "../../src/catalog/market.ts";
import { loopbackPicturesOf } from "../../src/lib/safe-url.ts";
import { createTestApi, clockAt } from "../support/api.ts";
import { removeItem, storeItems } from "../support/catalog.ts";
import { apiForAll } from "../support/opened-api.ts";
import { searchItem, variation } from "../support/products.ts";

const clock = clockAt("2026-03-01T00:00:00.000Z");
const { test, api: site } = apiForAll({ clock });
beforeAll(async () => {
  await storeItems(test.db, "2026-01-01T00:00:00.000Z", [
    searchItem(1),
    searchItem(2),
    searchItem(3, { price: 5000, variations: [] }),
  ]);
  await storeItems(test.db, "2026-01-11T00:00:00.000Z", [
    searchItem(3, { price: 5000, variations: [] }),
  ]);
  await storeItems(test.db, "2026-02-20T00:00:00.000Z", [
    searchItem(3, { price: 3900, variations: [] }),
  ]);
  await storeItems(test.db, "2026-02-28T00:00:00.000Z", [
    searchItem(3, { price: 3900, variations: [] }),
  ]);
  await removeItem(test.db, "2026-02-10T00:00:00.000Z", 2);
});

const browser = { Accept: "text/html", "Accept-Language": "en" };
async function page(path: string, status = 200): Promise<string> {
  const answer = await site.get(path, browser);
  expect([path, answer.status]).toEqual([path, status]);
  return answer.text();
}

describe("the product page", () => {
  it("draws a stretch for each confirmed interval and nothing between them", async () => {
    const html = await page("/products/3");
    const path = /<path class="price-line" d="([^"]+)"/.exec(html)?.[1] ?? "";
    const strokes = [...path.matchAll(/M([\d.]+) ([\d.]+)h([\d.]+)/g)].map((match) =>
      match.slice(1).map(Number),
    );
    expect(strokes).toHaveLength(2);
    const [[start = 0, high = 0, first = 0] = [], [next = 0, low = 0] = []] = strokes;
    expect(next).toBeGreaterThan(start + first + 100);
    expect(low).toBeGreaterThan(high);
    expect(path.match(/[MLHVhv]/g)).toEqual(["M", "h", "M", "h"]);
  });

  it("leaves a gap where the shop stated no price, and says so if it never did", async () => {
    const item = (price: number) => searchItem(12, { price, properPrice: null, variations: [] });
    await storeItems(test.db, "2026-01-01T00:00:00.000Z", [item(0)]);
    const never = await page("/products/12");
    expect(never).toContain("No price stated.");
    expect(never).toContain("no product of another shop is known to be the same");
    expect(never).not.toContain("not shown");
    expect(never).not.toContain("At this price since");
    expect(never).toMatch(/<path class="price-line" d=""/);
    // Without the part where prices are drawn.
    expect(never).toContain('viewBox="0 0 960 110"');
    await storeItems(test.db, "2026-01-11T00:00:00.000Z", [item(5000)]);
    await storeItems(test.db, "2026-01-21T00:00:00.000Z", [item(0)]);
    const html = await page("/products/12");
    expect(html).toContain("Prices between ¥5,000 and ¥5,000.");
    const path = /<path class="price-line" d="([^"]+)"/.exec(html)?.[1] ?? "";
    expect(path.match(/M/g)).toHaveLength(1);
    expect(html).not.toMatch(/NaN|Infinity|¥0/);
  });

  it("says the same as a title, a sentence, a table and lows with what they stand on", async () => {
    const html = await page("/products/3");
    expect(html).toContain("Prices between ¥3,900 and ¥5,000.");
    expect(html).toMatch(
      /<svg class="chart wide"[^>]*role="img" aria-labelledby="history-chart-wide-title/,
    );
    expect(html.match(/<tr><td>\d+ \w+ 2026/g)).toHaveLength(2);
    expect(html).toContain("from 4 checks");
  });

  it("names the lowest of all known prices beside the target price, however old it is", async () => {
    const item = (price: number) => searchItem(13, { price, variations: [] });
    await storeItems(test.db, "2025-06-01T00:00:00.000Z", [item(1000)]);
    await storeItems(test.db, "2025-06-02T00:00:00.000Z", [item(4000)]);
    await storeItems(test.db, "2026-02-28T00:00:00.000Z", [item(4000)]);
    const html = await page("/products/13");
    expect(html).toContain("lowest so far ¥1,000");
    expect(html).not.toContain("lowest so far ¥4,000");
  });

  it("shows what the title tells, in the reader's language", async () => {
    expect(await page("/products/1")).not.toContain("<dt>Size</dt>");
    await test.db.execute(sql`
      insert into product_attribute (item_id, quantity, unit, pack, models, colours, size, condition)
      values (1, 500, 'ml', 6, '{}', '{black,blue}', 'xl', 'graded 9.5')`);
    const facts = (html: string) =>
      [...html.matchAll(/<dt>([^<]+)<\/dt><dd dir="auto">([^<]+)<\/dd>/g)].map(([, ...fact]) =>
        fact.join(": "),
      );
    expect(facts(await page("/products/1"))).toEqual(
      expect.arrayContaining([
        "Content: 500 ml × 6",
        "Colour: black, blue",
        "Size: XL",
        "Condition: graded 9.5",
      ]),
    );
    const japanese = await site.get("/products/1", { ...browser, "Accept-Language": "ja" });
    expect(facts(await japanese.text())).toEqual(
      expect.arrayContaining([
        "内容量: 500 ml × 6",
        "色: 黒, 青",
        "サイズ: XL",
        "状態: 鑑定済み 9.5",
      ]),
    );
    await test.db.execute(
      sql`update product_attribute set quantity = 1397, unit = 'mm' where item_id = 1`,
    );
    expect(facts(await page("/products/1"))).toContain("Measure: 1397 mm × 6");
  });

  it("shows a reduction only as far as it holds, and the price of a unit", async () => {
    const tea = (itemId: number, price: number, properPrice: number | null) =>
      searchItem(itemId, { title: "煎茶 500g", price, properPrice, variations: [] });
    for (let day = 1; day <= 43; day += 3) {
      const at = new Date(Date.UTC(2026, 0, day)).toISOString();
      await storeItems(test.db, at, [
        tea(4, 1000, null),
        tea(5, day < 30 ? 800 : 1000, null),
        ...(day > 30 ? [tea(6, 1000, null)] : []),
      ]);
    }
    await storeItems(
      test.db,
      "2026-02-14T00:00:00.000Z",
      [4, 5, 6].map((id) => tea(id, 800, 1000)),
    );
    const holding = await page("/products/4");
    expect(holding).toContain("20% off");
    expect(holding).toContain("Below the lowest price of the 30 days before, ¥1,000.");
    expect(holding).toContain("¥1,600 for 1 kg");
    const failing = await page("/products/5");
    expect(failing).not.toContain("20% off");
    expect(failing).toContain("compares with ¥1,000, but it cost ¥800");
    const unknown = await page("/products/6");
    expect(unknown).not.toContain("20% off");
    expect(unknown).toContain("not known well enough");
    for (const path of ["/?q=煎茶", "/viewed?items=4,5,6"]) {
      const struckOut = (await page(path)).match(/<s class="regular">/g);
      expect([path, struckOut?.length]).toEqual([path, 1]);
    }
  });

  it("has a dash where a variation has no name", async () => {
    await storeItems(test.db, "2026-01-01T00:00:00.000Z", [
      searchItem(14, { variations: [variation({ variation: " " })] }),
    ]);
    const html = await page("/products/14");
    expect(html).toMatch(/aria-labelledby="variations">.*?<tbody><tr[^>]*><td>–<\/td>/s);
  });

  it("says that it lists only the first of very many variations", async () => {
    const variations = Array.from({ length: 201 }, (_, i) =>
      variation({ variation_id: i + 1, variation: `No. ${i + 1}` }),
    );
    await storeItems(test.db, "2026-02-28T00:00:00.000Z", [
      searchItem(30, { variations }),
      searchItem(31, { variations: variations.slice(0, 200) }),
    ]);
    const html = await page("/products/30");
    expect(html).not.toContain("No. 201");
    expect(html).toContain("Only the first 200 are shown.");
    expect(await page("/products/31")).not.toContain("Only the first");
  });

  it("has a description for shared links, also if the shop wrote none", async () => {
    await storeItems(test.db, "2026-02-28T00:00:00.000Z", [
      searchItem(32, { detail: " \n", variations: [] }),
    ]);
    const html = await page("/products/32");
    expect(/property="og:description" content="([^"]*)"/.exec(html)?.[1]).toContain("small shops");
  });

  it("tells of a gone product what was last known, with 410, and offers no check", async () => {
    const html = await page("/products/2", 410);
    expect(html).toContain("no longer sold");
    expect(html).toContain("手作りの革財布 2");
    expect(html).toContain("https://schema.org/Discontinued");
    expect(html).not.toContain("/check");
    expect(await page("/?q=革財布")).not.toContain('href="/products/2"');
    expect(
      (await site.request("/products/2/check", { method: "POST", headers: browser })).status,
    ).toBe(410);
  });

  it("is a 404 page for a product that was never seen, and for an id that is none", async () => {
    expect(await page("/products/77", 404)).toContain("Page not found");
    expect(await page("/products/abc", 404)).toContain("Page not found");
    expect(
      (await site.request("/products/77/check", { method: "POST", headers: browser })).status,
    ).toBe(404);
  });

  it("describes the product in the words of schema.org", async () => {
    const html = await page("/products/1");
    const json = /<script type="application\/ld\+json">([^<]+)<\/script>/.exec(html)?.[1];
    expect(JSON.parse(json ?? "")).toMatchObject({
      "@type": "Product",
      name: "手作りの革財布 1",
      gtin: "4901234567894",
      offers: {
        "@type": "Offer",
        price: 4200,
        priceCurrency: "JPY",
        url: "https://shop-1.example.com/items/1",
        availability: "https://schema.org/InStock",
      },
    });
  });

  it("leads to the product in each shop by the address that counts, where it is sold", async () => {
    const html = await page("/products/1");
    expect(html).toMatch(
      /<a class="button" href="\/go\/1\?src=page" rel="noopener nofollow sponsored"/,
    );
    expect(html).toContain("Buy at the shop");
    expect(await page("/products/2", 410)).not.toContain("/go/2");
    const market = { ...createMarket(defaultMarket), urlOf: () => null };
    const unsold = await createTestApi(test.db, { clock, market }).get("/products/1", browser);
    expect(await unsold.text()).not.toContain("/go/");
  });

  it("loads pictures over http from an upstream on this machine alone", async () => {
    const origin = "http://127.0.0.1:4100/pictures/4/1/300.svg";
    const images = [{ origin, "300": origin }, null, null, null, null];
    await storeItems(test.db, "2026-02-28T00:00:00.000Z", [searchItem(4, { images })]);
    const shown = async (upstream: string | null) => {
      const market = createMarket({
        ...defaultMarket,
        loopbackPictures: loopbackPicturesOf(upstream),
      });
      const answer = await createTestApi(test.db, { clock, market }).get("/products/4", browser);
      const policy = answer.headers.get("Content-Security-Policy") ?? "";
      const sources = /img-src ([^;]+)/.exec(policy)?.[1];
      return [sources, (await answer.text()).includes(`src="${origin}"`)];
    };
    expect(await shown(null)).toEqual(["'self' https: data: http://127.0.0.1:*", true]);
    expect(await shown("http://127.0.0.1:4100")).toEqual([
      "'self' https: data: http://127.0.0.1:4100",
      true,
    ]);
    expect(await shown("https://api.example.com")).toEqual(["'self' https: data:", false]);
  });

  it("prints prices in the currency of the market", async () => {
    const market = createMarket({ ...defaultMarket, currency: "EUR" });
    const abroad = createTestApi(test.db, { clock, market });
    for (const path of ["/products/1", "/?q=革財布"]) {
      const html = await (await abroad.get(path, browser)).text();
      expect(html).toContain("€4,200");
      expect(html).not.toContain("¥");
    }
    expect(await (await abroad.get("/v1/products/1")).json()).toMatchObject({ currency: "EUR" });
    for (const path of ["/v1/products/1/history", "/v1/products/1/offers", "/v1/price-drops"]) {
      expect(await (await abroad.get(path)).text()).toContain('"currency":"EUR"');
    }
  });
});

describe("a check on demand", () => {
  it("is refused with 429 and an explanation once the slice is spent", async () => {
    const spent = createTestApi(test.db, {
      clock,
      budget: { dailyLimit: 0, timezone: "Asia/Tokyo" },
    });
    const answer = await spent.request("/products/1/check", { method: "POST", headers: browser });
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThan(0);
    const html = await answer.text();
    expect(html).toContain("checks are used up");
    expect(html).toContain("手作りの革財布 1");
    expect(html).toContain('href="/products/1?lang=ja"');
  });

  it("is queued, said so, and not kept by search engines", async () => {
    const answer = await site.request("/products/1/check", { method: "POST", headers: browser });
    expect([answer.status, answer.headers.get("Location")]).toEqual([
      303,
      "/products/1?check=queued#check",
    ]);
    const html = await page("/products/1?check=queued");
    expect(html).toContain("Your check is queued");
    expect(html).toContain('<meta name="robots" content="noindex"/>');
    expect(await page("/products/1?check=<b>")).not.toContain('id="check"');
  });
});
