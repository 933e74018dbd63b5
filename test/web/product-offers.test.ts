import { beforeAll, describe, expect, it } from "vitest";
import { clockAt } from "../support/api.ts";
import { storeItems } from "../support/catalog.ts";
import { storeGroup, storeSimilar } from "../support/matches.ts";
import { apiForAll } from "../support/opened-api.ts";
import { searchItem } from "../support/products.ts";

const clock = clockAt("2026-03-01T00:00:00.000Z");
const { test, api: site } = apiForAll({ clock });
beforeAll(async () => {
  await storeItems(test.db, "2026-01-01T00:00:00.000Z", [
    searchItem(3, { price: 5000, variations: [] }),
  ]);
});

async function page(path: string): Promise<string> {
  const answer = await site.get(path, { Accept: "text/html", "Accept-Language": "en" });
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.text();
}

describe("the same product in other shops", () => {
  const hostile = "<script>alert(1)</script>";
  beforeAll(async () => {
    const sold = (itemId: number, over: object) =>
      searchItem(itemId, {
        shopId: `shop-${itemId}`,
        shopName: `店 ${itemId}`,
        properPrice: null,
        variations: [],
        ...over,
      });
    for (const [at, price] of [
      ["2026-01-05T00:00:00.000Z", 3000],
      ["2026-02-20T00:00:00.000Z", 4500],
      ["2026-02-25T00:00:00.000Z", 4500],
    ] as const) {
      await storeItems(test.db, at, [
        sold(51, { price: 4000 }),
        sold(52, { price, title: `財布 ${hostile}` }),
        sold(53, { price: 700, title: `似た財布 ${hostile}`, shopName: hostile }),
      ]);
    }
    await storeGroup(test.db, [
      [51, "model", 0.97],
      [52, "text", 0.88],
    ]);
    await storeSimilar(test.db, 51, 53, 0.93);
  });

  it("is compared with its reason and its own name, and the lows and the chart are those of all shops", async () => {
    const html = await page("/products/51");
    const [offers = ""] = /<section[^>]*aria-labelledby="offers">.*?<\/section>/s.exec(html) ?? [];
    expect(offers).toContain("by the shops&#39; texts");
    expect(offers).toMatch(/same text: <span dir="auto" lang="ja">財布 &lt;script&gt;/);
    expect(offers).not.toContain("same model number");
    expect(offers.indexOf("¥4,000")).toBeLessThan(offers.indexOf("¥4,500"));
    expect(html).toContain("Lowest of all shops");
    expect(html.replaceAll(/<[^>]+>/g, " ")).toMatch(/Lowest of all shops\s+Ever\s+¥3,000/);
    const path = /<path class="lowest-line" d="([^"]+)"/.exec(html)?.[1] ?? "";
    expect(path.match(/[Mh]/g)).toEqual(["M", "h", "M", "h"]);
    expect(html).not.toContain(hostile);
  });

  it("is ordered by price, by the price of a unit, or by when it was confirmed", async () => {
    const title = "煎茶 500g";
    const sold = (itemId: number, over: object) =>
      searchItem(itemId, { shopId: `tea-${itemId}`, variations: [], properPrice: null, ...over });
    await storeItems(test.db, "2026-02-20T00:00:00.000Z", [
      sold(61, { title, price: 1000 }),
      sold(64, { title, price: 1000 }),
    ]);
    await storeItems(test.db, "2026-02-22T00:00:00.000Z", [
      sold(62, { title: "煎茶 1kg", price: 1200 }),
    ]);
    await storeItems(test.db, "2026-02-21T00:00:00.000Z", [sold(63, { title, price: 0 })]);
    await storeGroup(test.db, [[61], [62], [63], [64]]);
    const order = async (path: string) => {
      const html = await page(path);
      const [offers = ""] = /<table class="offers">.*?<\/table>/s.exec(html) ?? [];
      return [...offers.matchAll(/<tr.*?¥([\d,]+).*?<\/tr>/gs)].map(([row, price]) =>
        row.includes("lowest") ? `${price} lowest` : price,
      );
    };
    const [lowest, other] = [["1,000 lowest", "1,000 lowest"], ["1,200"]];
    expect(await order("/products/61")).toEqual([...lowest, ...other]);
    expect(await order("/products/61?offers=unit_price")).toEqual([...other, ...lowest]);
    expect(await order("/products/61?offers=checked")).toEqual([...other, ...lowest]);
    expect(await order("/products/61?offers=<b>")).toEqual([...lowest, ...other]);
    const html = await page("/products/61?offers=unit_price");
    expect(html).toContain('<a href="?offers=unit_price#offers" aria-current="true">');
    expect(html).toContain("¥2,000 for 1 kg");
    expect(html).toContain('rel="canonical" href="http://localhost/products/61"');
    expect(html).toContain('href="/products/61?offers=unit_price&amp;lang=ja"');
  });

  it("is told to search engines with all offers, and the prices of those in stock", async () => {
    const told = async (path: string): Promise<unknown> => {
      const [, text = ""] =
        /<script type="application\/ld\+json">(\{"@context"[^<]*?"@type":"Product".*?)<\/script>/s.exec(
          await page(path),
        ) ?? [];
      return JSON.parse(text);
    };
    expect(await told("/products/51")).toMatchObject({
      "@type": "Product",
      offers: {
        "@type": "AggregateOffer",
        lowPrice: 4000,
        highPrice: 4500,
        priceCurrency: "JPY",
        offerCount: 2,
        offers: [
          { price: 4000, availability: "https://schema.org/InStock", seller: { name: "店 51" } },
          {
            price: 4500,
            seller: { name: "店 52" },
          },
        ],
      },
    });
    const sold = (itemId: number, price: number, stock: number) =>
      searchItem(itemId, { shopId: `shop-${itemId}`, price, stock, variations: [] });
    await storeItems(test.db, "2026-02-20T00:00:00.000Z", [
      sold(71, 100, 0),
      sold(72, 300, 2),
      sold(73, 200, 1),
      sold(74, 100, 0),
      sold(75, 300, 0),
    ]);
    await storeGroup(test.db, [[71], [72], [73]]);
    await storeGroup(test.db, [[74], [75]]);
    const offers = { lowPrice: 200, highPrice: 300, offerCount: 3 };
    expect(await told("/products/71")).toMatchObject({ offers });
    expect(await told("/products/74")).toMatchObject({ offers: { lowPrice: 100, highPrice: 300 } });
  });

  it("stands apart from what is only similar", async () => {
    const html = await page("/products/51");
    const [similar = ""] =
      /<section[^>]*aria-labelledby="similar">.*?<\/section>/s.exec(html) ?? [];
    expect(similar).toContain('href="/products/53"');
    expect(similar).toContain("似た財布 &lt;script&gt;");
    const [offers = ""] = /<section[^>]*aria-labelledby="offers">.*?<\/section>/s.exec(html) ?? [];
    expect(offers).not.toContain("/products/53");
    expect(await page("/products/3")).not.toContain('id="similar"');
  });

  it("draws no line of all shops where there is only one", async () => {
    const html = await page("/products/3");
    expect(html).not.toContain("lowest-line");
    expect(html).not.toContain("Lowest of all shops");
  });
});
